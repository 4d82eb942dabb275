// A call of an algorithm over arrays, as far as all of them go: operators, inputs, the compiled loop.
#pragma once

#include <deque>
#include <vector>

#include "jit/array_call.h"
#include "pyk/algorithms.hpp"
#include "pyk/reduce_args.h"

namespace pyk::jit {

/// How an algorithm is to be compiled.
struct AlgorithmKind {
    const char* name;  ///< of the prelude's loop
    const Operator* operation;
    const Operator* transform = nullptr;
    std::optional<ElementType> value = std::nullopt, result = std::nullopt;  ///< see AlgorithmRequest
};

/// Lives for one call.
class AlgorithmCall {
  public:
    AlgorithmCall(const AlgorithmKind& kind, const Inputs& inputs, StreamRef stream)
        : kind_(kind), arguments_(inputs.arguments()), stream_(stream) {}

    /// Finds the device and the compiled loop, and brings the inputs there. The operators take `operands` and, of the
    /// transform, one element of each input.
    Status prepare(std::size_t operands);

    driver::Context& device() const { return *device_; }
    StreamRef stream() const { return stream_; }
    const Instance& instance() const { return *instance_; }
    /// What the operator takes. A tuple is told by its NamedType, as a class is.
    ElementType value() const {
        const ElementType type = instance_->entry.params[arguments_.size()].type.element_type();
        return type.element == Element::tuple ? ElementType(Element::named, type.named) : type;
    }
    long long count() const { return count_; }
    const arrays::Shape& shape() const { return shape_; }
    const std::vector<element_input>& inputs() const { return inputs_; }
    bool is_dense() const { return is_dense_; }
    /// Dense, and each begins at a multiple of 16 bytes.
    bool is_aligned() const;
    /// As many elements as the widest input has in 16 bytes.
    long long width() const;

    /// Elements of every input lie along one axis, in an order of no meaning: the memory's where that can be.
    Status in_any_order();

    /// The same in C order. `output`: what it overlaps without being it is copied.
    Status in_order(const arrays::Layout* output);

    /// Memory of the device for as long as the stream uses it.
    Result<void*> scratch(std::size_t bytes);
    template <class Args>
    Status launch(const Args& args, long long blocks, std::size_t shared_bytes = 0) const {
        return launch(&args, sizeof args, {blocks, Args::threads, shared_bytes});
    }
    /// Another array where the loop can read it.
    Result<arrays::Layout> place_beside(const Argument& argument) {
        return place(argument, false, *device_, stream_, copies_);
    }
    /// The compiled loop's errors, where it has checks.
    Status finish() const { return jit::finish(*instance_, stream_); }
    /// Whether the operator's values can be stored to an output that a caller gives.
    Status check_output(const Argument& out) const;
    /// Where host arrays are in the call, the result is brought to the host.
    Result<AnyArray> where_it_belongs(Result<AnyArray> result) const;

  private:
    Status choose_engine();
    Status check_operands(std::size_t operands) const;
    Status place_inputs();
    Status find_instance();
    Status make_dense(std::size_t input);
    void broadcast_all();
    Status part(std::size_t input);
    struct Blocks {
        long long count;
        unsigned threads;
        std::size_t shared_bytes;
    };
    Status launch(const void* args, std::size_t bytes, const Blocks& blocks) const;

    AlgorithmKind kind_;
    std::vector<Argument> arguments_;
    StreamRef stream_;
    Shared<Engine> engine_;
    driver::Context* device_ = nullptr;
    const Instance* instance_ = nullptr;
    std::vector<arrays::Layout> layouts_;
    arrays::Shape shape_;
    long long count_ = 0;
    std::vector<element_input> inputs_;
    bool is_dense_ = false;
    std::deque<HostArrays> copies_;
    std::vector<AnyArray> dense_;
    std::vector<Buffer> scratch_;
};

/// The first number that an operator of pyk's own can be combined with so that nothing changes, as a value of the type.
/// False: it has none.
bool write_identity(const Operator& combine, ElementType type, unsigned char* to);

/// What a reduction or a scan starts with, as a value of the type: `init`, else the operator's identity. `what`: of
/// which the error tells where there is neither, as `an exclusive scan`.
Status write_start(const std::optional<Number>& init, const Operator& combine, ElementType type, const char* what,
                   unsigned char* to);

/// The module of pyk's own operators and of what they need beside.
Result<Shared<Engine>> own_engine();

}  // namespace pyk::jit
