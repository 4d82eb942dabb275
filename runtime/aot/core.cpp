// Calls of `@guvectorize` functions that were compiled ahead of time.
#include "array/core.h"

#include <algorithm>

#include "array/apart.h"
#include "operands.h"
#include "pyk/aot_core.h"

namespace pyk::aot {
namespace {

using arrays::Layout;
using arrays::Part;
using arrays::Shape;

/// Lives for one call.
class CoreCall {
  public:
    CoreCall(File& file, const CoreFunction& function, StreamRef stream, const Operands& operands)
        : file_(file), function_(function), stream_(stream), operands_(operands) {}

    Status run() {
        const Result<driver::Context*> device = device_for(operands_, stream_);
        if (!device) return device.status();
        device_ = *device;
        if (operands_.count > arrays::kMostCoreOperands)
            return refuse("`" + std::string(function_.name) + "` has more parameters than a launch");
        if (Status s = find_extents(); !s) return s;
        if (Status s = place_operands(); !s) return s;
        const Shape& calls = layouts_.back().shape;
        if (std::find(calls.begin(), calls.end(), 0) != calls.end()) return {};
        const Result<const CoreForm*> form = choose_form();
        return form ? launch(**form) : form.status();
    }

  private:
    const CoreParameter& parameter(std::size_t k) const { return function_.parameters[k]; }
    bool is_output(std::size_t k) const { return k >= static_cast<std::size_t>(function_.inputs); }

    // --- shapes -----------------------------------------------------------------------------------------------------
    Status find_extents() const {
        std::vector<long long> extents;
        for (int i = 0; i < function_.extent_count; ++i)
            extents.push_back(function_.extents[i].fixed ? function_.extents[i].fixed : -1);
        for (std::size_t k = 0; k < operands_.count; ++k) {
            const int axes = parameter(k).axes, given = operands_[k].ndim;
            if (given < axes)
                return refuse(operands_.which(k) + " does not have enough axes: it has " + std::to_string(given) +
                              ", and layout " + function_.layout + " requires " + std::to_string(axes));
            for (int axis = 0; axis < axes; ++axis) {
                const int which = parameter(k).extents[axis];
                const long long found = operands_[k].shape[given - axes + axis];
                long long& extent = extents[static_cast<std::size_t>(which)];
                if (extent < 0) extent = found;
                if (extent != found)
                    return refuse(operands_.which(k) + " has " + std::to_string(found) + " elements along `" +
                                  function_.extents[which].name + "` of layout " + function_.layout + ", not " +
                                  std::to_string(extent));
            }
        }
        return {};
    }

    // --- memory -----------------------------------------------------------------------------------------------------
    Status place_operands() {
        std::vector<bool> written;
        for (std::size_t k = 0; k < operands_.count; ++k) {
            layouts_.push_back(layout_of(operands_[k]));
            written.push_back(parameter(k).is_written);
            if (is_output(k) && arrays::repeats(layouts_.back()))
                return refuse("elements of " + operands_.which(k) + " share memory");
        }
        for (std::size_t k = 0; k < operands_.count; ++k)
            if (Status s = part_from_outputs(k); !s) return s;
        has_overlaps_ = arrays::have_overlaps(layouts_, written);
        for (std::size_t k = 0; k < operands_.count; ++k) {
            Part part = arrays::split(layouts_[k], static_cast<std::size_t>(parameter(k).axes));
            part.is_loaded = !parameter(k).is_overwritten;
            part.is_stored = parameter(k).is_written;
            part.is_known = part.shape.size() == 1 && function_.extents[parameter(k).extents[0]].fixed;
            parts_.push_back(std::move(part));
        }
        const Result<Shape> calls = arrays::broadcast(layouts_);
        if (!calls) return calls.status();
        const bool has_outputs = operands_.count > static_cast<std::size_t>(function_.inputs);
        for (std::size_t k = 0; k < operands_.count; ++k)
            if ((has_outputs ? is_output(k) : parameter(k).is_written) && layouts_[k].shape != *calls)
                return refuse(operands_.which(k) + " is for " + arrays::text_of(layouts_[k].shape) +
                              " calls, and there are " + arrays::text_of(*calls));
        arrays::repeat_last(layouts_, *calls);
        return {};
    }

    /// Inputs are read as they were before: those that an output overlaps are copied.
    Status part_from_outputs(std::size_t input) {
        const auto outputs = layouts_.begin() + function_.inputs;
        if (is_output(input) || parameter(input).is_written ||
            std::none_of(outputs, layouts_.end(),
                         [&](const Layout& output) { return arrays::may_overlap(layouts_[input], output); }))
            return {};
        Result<Layout> copy = arrays::set_apart(layouts_[input], *device_, stream_, apart_);
        if (!copy) return copy.status();
        layouts_[input] = *std::move(copy);
        return {};
    }

    /// The first whose layouts the parts have: those that ask more come first.
    Result<const CoreForm*> choose_form() const {
        std::size_t wrong = 0;
        for (const CoreForm* form = function_.forms; form != function_.forms + function_.form_count; ++form) {
            std::size_t k = 0;
            while (k < parts_.size() && (form->layouts[k] != 'c' || parts_[k].is_dense(layouts_[k].element_bytes))) ++k;
            if (k == parts_.size()) return form;
            wrong = k;
        }
        return refuse("the parts of " + operands_.which(wrong) +
                      " do not lie in C order without gaps, as its signature says; a signature with `:` in place of "
                      "`::1` takes any strides");
    }

    // --- launches ---------------------------------------------------------------------------------------------------
    Status launch(const CoreForm& form) {
        arrays::Iteration whole = arrays::iterate(layouts_);
        const CoreKernel& kernel = device_->info.is_cpu ? form.kernels[0] : choose_kernel(form, whole);
        const Result<const Loaded*> code =
            loaded_code(file_, *device_, stream_.handle, {kernel.symbol, form.entry, "function", function_.name});
        if (!code) return code.status();
        const Status launched = arrays::launch_core_loops(
            std::move(whole), numbers_of(operands_), parts_,
            {device_->info.is_cpu, device_->info.multiprocessors, kernel.threads},
            [&](const arrays::PackedLoop& packed) { return aot::launch(**code, packed, stream_); });
        return launched ? finish(file_, **code, stream_.handle, !device_->info.is_cpu) : launched;
    }

    const CoreKernel& choose_kernel(const CoreForm& form, const arrays::Iteration& whole) {
        const CoreKernel* const end = form.kernels + form.kernel_count;
        const CoreKernel* const staged = std::find_if(form.kernels, end, [](const auto& k) { return k.is_staged; });
        if (staged != end) arrays::choose_staged(whole, parts_);
        if (!has_overlaps_)
            for (const arrays::Team& team : arrays::choose_teams(whole, parts_, device_->info.multiprocessors))
                if (const CoreKernel* kernel = of_team(form, team)) {
                    for (Part& part : parts_) part.is_staged = false;
                    return *kernel;
                }
        const bool is_staged = std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.is_staged; });
        return is_staged ? *staged : form.kernels[0];
    }

    /// Of teams that hold as much at least, the one with the fewest threads; of those that hold nothing, the largest
    /// that is no larger, else the smallest. Null: there is none.
    static const CoreKernel* of_team(const CoreForm& form, const arrays::Team& team) {
        const CoreKernel* best = nullptr;
        for (const CoreKernel* kernel = form.kernels; kernel != form.kernels + form.kernel_count; ++kernel) {
            if (kernel->threads == 1 || (kernel->items != 0) != (team.items != 0)) continue;
            const auto rank = [&](const CoreKernel& k) { return k.threads * (k.items ? k.items : 1); };
            const bool fits = team.items ? kernel->threads >= team.threads && rank(*kernel) >= team.threads * team.items
                                         : kernel->threads <= team.threads;
            if (team.items ? fits && (!best || rank(*kernel) < rank(*best)) : fits || !best) best = kernel;
        }
        return best;
    }

    File& file_;
    const CoreFunction& function_;
    StreamRef stream_;
    const Operands& operands_;
    driver::Context* device_ = nullptr;
    std::vector<Layout> layouts_;  ///< first of whole operands, then of what is before their parts
    std::vector<Part> parts_;
    std::vector<Buffer> apart_;  ///< inputs that overlap an output
    bool has_overlaps_ = false;  ///< what may be stored to overlaps another operand, or itself
};

}  // namespace

Status call_core(File& file, const CoreFunction& function, StreamRef stream, const AnyOperand* const* operands,
                 std::size_t count) {
    return guarded([&] {
        return CoreCall(file, function, stream, {function.name, function.names, operands, count}).run();
    });
}

}  // namespace pyk::aot
