"""Choices of a generator that has a `random` of its own."""


class Dice:
    def pick(self, *things):
        return things[self.random.randrange(len(things))]

    def chance(self, probability):
        return self.random.random() < probability

    def between(self, low, high):
        return self.random.randint(low, high)
