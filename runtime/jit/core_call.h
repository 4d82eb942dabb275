// A call of an array function for parts of arrays, from its arguments to the launches.
#pragma once

#include <deque>
#include <vector>

#include "array/core.h"
#include "jit/array_call.h"
#include "pyk/gufunc.hpp"

namespace pyk::jit {

/// Lives for one call.
class CoreCall {
  public:
    CoreCall(ArrayFunction& function, const std::vector<Argument>& arguments, StreamRef stream)
        : function_(function),
          core_(*function.summary.core),
          name_(function.summary.name),
          given_(arguments),
          stream_(stream) {}
    /// `results`: where new outputs go; null: the call has its outputs.
    Status run(std::vector<AnyArray>* results);
    /// Compiles what the call would launch. The arguments are the inputs, or all operands.
    Result<Preload> preload(const Shared<ArrayFunction>& function);

  private:
    bool is_output(std::size_t operand) const { return operand >= core_.inputs; }
    bool is_number(std::size_t operand) const;
    std::string operand_text(std::size_t operand) const;
    Status check_arguments(bool has_outputs) const;
    Status choose_loop();
    Result<std::size_t> matching_loop(const std::vector<arrays::OperandType>& types) const;
    Status find_extents();
    Status make_outputs(std::vector<AnyArray>& results);
    Status convert_arguments();
    Status place_operands();
    Status part_from_outputs();
    bool is_preload() const { return ahead_; }
    void find_known();
    BuildRequest request(bool may_stage) const;
    Status launch();
    Status launch(const Instance& instance, arrays::Iteration whole);
    Status convert_back();

    ArrayFunction& function_;
    const CoreSummary& core_;
    const std::string& name_;
    const std::vector<Argument>& given_;
    StreamRef stream_;
    driver::Context* device_ = nullptr;
    std::optional<std::size_t> chosen_;  ///< among the signatures; nullopt: there are none
    std::vector<ElementType> loop_;
    std::deque<Argument> operands_;     ///< of the loop's types
    std::deque<AnyArray> converted_;    ///< what some of them are
    std::vector<std::size_t> changed_;  ///< operands that go back to the arguments
    bool has_new_outputs_ = false;
    std::vector<long long> extents_;
    std::vector<arrays::Number> numbers_;
    std::vector<arrays::Layout> layouts_;
    std::vector<arrays::Part> parts_;
    std::deque<HostArrays> copies_;
    std::vector<Buffer> apart_;                   ///< inputs that overlap an output
    bool are_dense_ = true;                       ///< the parts, each in C order
    std::vector<long long> known_;                ///< the extents that are compiled in; 0: not
    std::vector<BuildRequest>* ahead_ = nullptr;  ///< of a preload: what is compiled, the first that serves
    bool has_overlaps_ = false;                   ///< what may be stored to overlaps another operand, or itself
};

}  // namespace pyk::jit
