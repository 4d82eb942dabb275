// Instances: one per function and tuple of argument types, made when a call needs it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "builtins/narrow.h"
#include "ir/build.h"
#include "module/scope.h"
#include "sema/literal_parameters.h"
#include "support/diagnostics.h"

namespace pyk {

/// A function decorated as a kernel may be called from device code too; then it is a device function.
enum class InstanceKind : uint8_t { device, kernel, noalias_kernel, index32_kernel };

/// What a parameter gets: a run-time value of a type, or something that is known before run time and no parameter of
/// the emitted function (a function, a type, None). Of a closure, its values are parameters.
struct Parameter {
    Parameter(Type type) : type(type) {}  // NOLINT: a type is what most parameters are
    Parameter(Entity entity) : entity(std::move(entity)) {}

    Type type;
    std::optional<Entity> entity;
    bool is_weak = false;  ///< narrow typing: a float that takes the type of what it meets
    std::string key() const;
};

/// Of a run-time value.
struct Value;
Parameter parameter_of(const Value& value);

/// An instance that the final text of another one calls, with the first call's place.
struct Callee {
    ir::FunctionId id{};
    Span span;
    std::string name = {};  ///< as the file calls it
};

struct Instance {
    InstanceKind kind = InstanceKind::device;
    const FunctionInfo* info = nullptr;
    ir::FunctionId id{};
    std::vector<Parameter> params;
    Typing typing = Typing::numba;
    Type result;                                          ///< while `running`: what is known so far
    Type declared;                                        ///< of an array function: the result that its signature says
    std::vector<std::pair<int64_t, int64_t>> reach = {};  ///< of a stencil, per axis: the least and the greatest index
    bool reads_around = false;                            ///< of a stencil: some element by its place
    bool running = false;                                 ///< being inferred: a call to it is a recursion
    bool is_awaited = false;                              ///< such a call met it before its result had a type
    bool failed = false;
    bool result_is_weak = false;
    bool is_wide = false;        ///< narrow typing: weak floats have float64 until they meet another type
    bool has_cpu_types = false;  ///< calls have the types that Numba's CPU compiler gives them (infer_cpu.cpp)
    ir::Function function;
    Diagnostics diagnostics;
    std::vector<Callee> callees;
    std::vector<ir::LinkedCode> links;
};

/// The instances of one compilation, and the module's constants that they use.
class Specializer {
  public:
    /// `typing`: of functions whose decorators say nothing.
    explicit Specializer(std::string source_name, Typing typing = Typing::numba) : typing_(typing) {
        module_.source_name = std::move(source_name);
    }

    /// The instance for these arguments, inferred now if it is new. `is_wide`: a weak result has all of its digits.
    Instance& instance(const FunctionInfo& info, std::vector<Parameter> params, InstanceKind kind,
                       bool is_wide = false);
    /// Whether a function calls itself with other types each time, as far as one can follow that.
    bool is_endless(const FunctionInfo& info, std::span<const Parameter> params) const;
    /// A function that inference made itself, of this name and these parameters; the same one for an equal `key`.
    Instance& made(const std::string& key, const FunctionInfo& caller, ir::Function function,
                   std::vector<Callee> callees);
    Instance& at(ir::FunctionId id) { return instances_[static_cast<size_t>(id)]; }
    const Instance& at(ir::FunctionId id) const { return instances_[static_cast<size_t>(id)]; }
    /// The id of a number of the module that has a name, added at its first use.
    ir::ConstantId constant(ir::ModuleConstant named);
    /// A function of the library's own (library/); null: it has none of this name.
    const FunctionInfo* library_function(std::string_view name);
    /// The same for an array, and back.
    ir::ConstantId array(const NamedConst& named);
    Entity named_array(ir::ConstantId id) const;
    const ir::Table& table(ir::ConstantId id) const { return *module_.constants[static_cast<size_t>(id)].table; }
    std::optional<int64_t> integer(const ir::Expr& expr) const { return ir::integer_value(module_, expr); }
    const std::vector<int64_t>& extents(ir::ConstantId id) const { return table(id).shape; }
    /// `cuda.const.array_like`: the array lies in constant memory.
    void require_constant_memory(ir::ConstantId id) {
        module_.constants[static_cast<size_t>(id)].in_constant_memory = true;
    }

    /// The name of the struct that stands for a thing known before run time where a value has to be; `name`, if that is
    /// not another thing's. And back: null: the type is no such struct.
    std::string hold(const Entity& entity, std::string name);
    const Entity* held(Type type) const;

    /// Which parameters have to be known when a function is compiled.
    LiteralParameters& literal_parameters() { return literal_parameters_; }

    /// Whether arrays can be made: where all that is compiled runs on the CPU, called by the host.
    bool can_allocate() const { return can_allocate_; }
    void allow_allocation() { can_allocate_ = true; }
    /// Of the instances that are made from now on: whether Numba's CPU compiler would compile them, not numba-cuda.
    void use_cpu_types(bool does) { has_cpu_types_ = does; }
    /// What is found in it and in what it calls is told as of functions.
    void tell_as_function(ir::FunctionId id) { functions_.insert(id); }

    /// The author converts to the type here.
    void note_cast(Span span, Type type) { module_.casts.emplace(span, type); }
    /// `function` is an instance; its symbol is made of it.
    void add_array_entry(ir::ArrayEntry entry) { module_.arrays.push_back(std::move(entry)); }

    /// Closes the module: the kernels and all that they reach, callees first, symbols given. Moves the findings of
    /// those instances to `diagnostics`.
    std::optional<ir::Module> close(const std::vector<ir::FunctionId>& kernels, Diagnostics& diagnostics);

  private:
    void report(ir::FunctionId id, Diagnostics& diagnostics, std::set<ir::FunctionId>& seen,
                const std::vector<std::pair<Span, std::string>>& trail);
    bool would_allocate(const Instance& instance) const;
    void report_misuse(const Callee& callee, Diagnostics& diagnostics,
                       const std::vector<std::pair<Span, std::string>>& trail) const;
    void find_cycles(ir::FunctionId id, std::vector<std::pair<ir::FunctionId, Span>>& path,
                     std::set<ir::FunctionId>& seen, Diagnostics& diagnostics);
    void order(ir::FunctionId id, std::vector<ir::FunctionId>& ordered, std::set<ir::FunctionId>& seen);
    void name_symbols();
    void check_foreign(Diagnostics& diagnostics) const;

    Typing typing_;
    bool can_allocate_ = false, has_cpu_types_ = false;
    LiteralParameters literal_parameters_;
    std::map<std::string, Entity, std::less<>> held_;
    std::set<ir::FunctionId> functions_;
    ir::Module module_;
    std::unordered_map<const FunctionInfo*, int> running_;  ///< how many of its instances are being inferred
    std::deque<Instance> instances_;  ///< by id; a deque, because inference holds references while it adds more
    std::map<std::tuple<const FunctionInfo*, InstanceKind, std::string>, ir::FunctionId> index_;
    std::vector<std::unique_ptr<const ModuleScope>> library_;  ///< by file; null: not asked yet
};

/// Fills an instance of a function that the user's own code defines.
void declare(Instance& instance);

/// Infers one instance: fills `function`, `result`, `diagnostics`, `callees`.
void infer(Specializer& specializer, Instance& instance);

}  // namespace pyk
