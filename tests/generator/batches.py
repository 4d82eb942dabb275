"""What the judges' command lines have in common: seeds in batches, each judged by a process of its own."""
import argparse
import concurrent.futures
import os
import time


def options_of(doc, what, count, batch, oracles):
    """A parser with the options that every judge has. `what`: what a seed makes."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pykc", nargs="?")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help=f"one {what}; prints its text")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--oracle", choices=[*oracles, "stored"], default="stored")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--seconds", type=int, help="begin nothing after so many seconds")
    parser.add_argument("--keep", metavar="FOLDER", help="write the modules into this folder")
    parser.add_argument("--store", action="store_true")
    return parser


def parsed(parser, text_of):
    """The options of the command line. `text_of`: what `--seed` prints."""
    options = parser.parse_args()
    options.began = time.time()
    if options.seed is not None:
        options.first, options.count = options.seed, 1
        print(text_of(options))
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    return options


def lacks_numba():
    try:
        import numba  # noqa: F401
    except ImportError:
        print("SKIPPED: no numba here")
        return True
    return False


def is_late(options):
    return options.seconds and time.time() > options.began + options.seconds


def seeds_of(options):
    return list(range(options.first, options.first + options.count))


def of_batches(options, work):
    """What `work` gives of the options and each batch of seeds, in order."""
    seeds = seeds_of(options)
    batches = [seeds[i:i + options.batch] for i in range(0, len(seeds), options.batch)]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(work, [options] * len(batches), batches)


def read_rows(path):
    """The columns of each line of a table that `--store` wrote."""
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]


def write_rows(path, head, rows):
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join([*head, *rows]) + "\n")
