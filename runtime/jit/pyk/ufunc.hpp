// Array functions: what `@vectorize` makes of a function of numbers, dates or records, called with arrays.
//
//   const pyk::jit::Ufunc add = pyk::ufunc(module, "add").value();
//   const pyk::jit::AnyArray sum = add(x, y);    // arrays and numbers, broadcast as in NumPy
//   add.into(out, x, 2.5f).or_throw();           // into an array that is there
//   const float total = add.reduce(x).value().item<float>().value();
//
// Arguments are what kernels take (pyk/argument.hpp), of any strides and up to 32 axes. What numbers beside arrays are
// of does not matter, only whether they are integers, real or complex, as with Python's. Every call here may come from
// any thread.
#pragma once

#include <string>
#include <vector>

#include "pyk/ownership.h"
#include "pyk/pyk.hpp"

namespace pyk::jit {

/// An array whose element type and number of axes are known at run time, side by side in C order; owned: moved, not
/// copied. It lies where the function ran; of host arrays alone, in host memory.
class AnyArray {
  public:
    AnyArray() = default;
    AnyArray(Element element, std::vector<long long> shape, Buffer buffer, const NamedType* named = nullptr)
        : element_(element), named_(named), shape_(std::move(shape)), buffer_(std::move(buffer)) {}

    Element element() const { return element_; }
    const NamedType* named() const { return named_; }  ///< of dates, records and what else is no number
    ElementType element_type() const { return {element_, named_}; }
    /// Empty: one element that is no array.
    const std::vector<long long>& shape() const { return shape_; }
    long long size() const {
        long long size = 1;
        for (const long long extent : shape_) size *= extent;
        return size;
    }
    void* data() const { return buffer_.address(); }
    const Buffer& buffer() const& { return buffer_; }
    Buffer buffer() && { return std::move(buffer_); }

    /// The same elements in C order under another shape, which takes over the memory. Fails, and is as it was, where
    /// the shape has another number of elements.
    Result<AnyArray> reshaped(std::vector<long long> shape) &&;
    /// As an array of these elements and axes, which takes over the memory. Fails where it has others.
    template <class T, int N = 1>
    Result<Array<T, N>> as() && {
        if (Status s = check(element_type_of<T>(), N); !s) return s;
        return Array<T, N>::adopt(std::move(buffer_), extents<static_cast<std::size_t>(N)>());
    }
    /// The same without taking it over.
    template <class T, int N = 1>
    Result<View<T, N>> view() const {
        if (Status s = check(element_type_of<T>(), N); !s) return s;
        return View<T, N>(static_cast<T*>(data()), extents<static_cast<std::size_t>(N)>(), buffer_.device());
    }
    /// All elements in C order, tuples as std::tuple or std::pair; waits for the stream's earlier work.
    template <class T>
    Result<std::vector<T>> to_host(StreamRef stream = {}) const {
        if (Status s = check(read_as<T>(), -1); !s) return s;
        const auto get = [&](void* host, std::size_t bytes) { return download(host, bytes, stream); };
        if constexpr (IsTuple<T>::value) {
            constexpr std::size_t step = TupleElement<T>::size;
            auto bytes = pyk::detail::downloaded<unsigned char>(size() * static_cast<long long>(step), get);
            if (!bytes) return bytes.status();
            std::vector<T> values;
            for (std::size_t at = 0; at < bytes->size(); at += step)
                values.push_back(TupleElement<T>::read(bytes->data() + at));
            return values;
        } else {
            return pyk::detail::downloaded<T>(size(), get);
        }
    }
    /// The only element; waits likewise. Fails where there is not exactly one.
    template <class T>
    Result<T> item(StreamRef stream = {}) const {
        if (Status s = check(read_as<T>(), -1); !s) return s;
        if (size() != 1) return Status::failure("an array of several elements is no number", Error::Kind::arguments);
        if constexpr (IsTuple<T>::value) {
            unsigned char bytes[TupleElement<T>::size];
            if (Status s = download(bytes, sizeof bytes, stream); !s) return s;
            return TupleElement<T>::read(bytes);
        } else {
            T value{};
            if (Status s = download(&value, sizeof value, stream); !s) return s;
            return value;
        }
    }

  private:
    /// The elements that the host reads as T: tuples too, which no other array has.
    template <class T>
    static ElementType read_as() {
        if constexpr (IsTuple<T>::value)
            return {Element::named, tuple_type<T>()};
        else
            return element_type_of<T>();
    }
    template <std::size_t N>
    std::array<long long, N> extents() const {
        std::array<long long, N> extents{};
        for (std::size_t axis = 0; axis < N; ++axis) extents[axis] = shape_[axis];
        return extents;
    }
    /// `ndim`: -1 for any.
    Status check(ElementType type, int ndim) const;
    Status download(void* to, std::size_t bytes, StreamRef stream) const;

    Element element_ = Element::float64;
    const NamedType* named_ = nullptr;
    std::vector<long long> shape_ = {0};
    Buffer buffer_;
};

template <>
struct MakeArgument<AnyArray> {
    static Argument from(const AnyArray& array);
};
template <>
struct MakeArgument<const AnyArray> : MakeArgument<AnyArray> {};

/// Which axis becomes one element.
struct ReduceOptions {
    int axis = 0;  ///< a negative one counts from the end
    bool all = false;
    bool keepdims = false;  ///< the axis stays, with one element
};

// Private.
struct ArrayFunction;
struct TermNode;
class Term;

namespace detail {

Term number(const Argument& value);
Term apply(const Shared<ArrayFunction>& function, std::vector<Term> arguments);

struct ArrayCall {
    const Argument* arguments;
    std::size_t count;
    const Argument* out;  ///< null: a new array
    StreamRef stream;
};
Status call(ArrayFunction& function, const ArrayCall& call, AnyArray* result);
Preload preload(const Shared<ArrayFunction>& function, const ArrayCall& call);
Result<AnyArray> outer(ArrayFunction& function, const Argument* arguments, StreamRef stream);
Result<AnyArray> reduce(ArrayFunction& function, const Argument& array, const ReduceOptions& options, StreamRef stream);
Result<AnyArray> accumulate(ArrayFunction& function, const Argument& array, int axis, StreamRef stream);

}  // namespace detail

/// A number that a composed function is given, or that an array function gives of terms: see pyk/fuse.hpp. Copies are
/// the same one.
class Term {
  public:
    /// A number that stands in the expression.
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    Term(T value) : Term(detail::number(make_argument(value))) {}  // NOLINT: it is one
    explicit Term(Shared<TermNode> node) : node_(std::move(node)) {}

    const Shared<TermNode>& node() const { return node_; }

  private:
    Shared<TermNode> node_;
};

/// An array function of a module. Copies share what was compiled: a loop per tuple of types and way in which elements
/// are reached, at the first call that needs it.
class Ufunc {
  public:
    explicit Ufunc(Shared<ArrayFunction> function, StreamRef stream = {})
        : function_(std::move(function)), stream_(stream) {}

    const std::string& name() const;
    std::vector<std::string> params() const;

    /// The same, queued on a stream.
    Ufunc on(StreamRef stream) const { return Ufunc(function_, stream); }

    /// The function of all elements, in a new array. With arrays of a GPU the work is queued on the stream; host arrays
    /// are copied for it, and the call waits. Of terms, the term that stands for the call.
    template <class... Args>
    auto operator()(Args&&... args) const {
        if constexpr ((std::is_same_v<std::decay_t<Args>, Term> || ...))
            return detail::apply(function_, {Term(args)...});
        else
            return call(std::forward<Args>(args)...).value();
    }
    template <class... Args>
    Result<AnyArray> call(Args&&... args) const {
        return call_all({make_argument(args)...});
    }
    Result<AnyArray> call_all(const std::vector<Argument>& arguments) const {
        AnyArray result;
        Status s = detail::call(*function_, {arguments.data(), arguments.size(), nullptr, stream_}, &result);
        if (!s) return s;
        return Result<AnyArray>(std::move(result));  // nvcc does not move a result into another type
    }
    /// The same into an array, which may be one of the inputs or overlap them, and whose type may be another of the
    /// same kind. Its shape decides: the inputs are broadcast to it.
    template <class Out, class... Args>
    Status into(Out&& out, Args&&... args) const {
        const Argument to = make_argument(out);
        const Argument arguments[] = {make_argument(args)...};
        return detail::call(*function_, {arguments, sizeof...(Args), &to, stream_}, nullptr);
    }
    Status into_all(const Argument& out, const std::vector<Argument>& arguments) const {
        return detail::call(*function_, {arguments.data(), arguments.size(), &out, stream_}, nullptr);
    }

    /// Compiles in the background what a call with these arguments would compile, so that it does not wait; nothing is
    /// computed. They are looked at before this returns, and may be freed then. Arrays of the host are copied as for a
    /// call.
    template <class... Args>
    Preload preload(Args&&... args) const {
        const Argument arguments[] = {make_argument(args)...};
        return detail::preload(function_, {arguments, sizeof...(Args), nullptr, stream_});
    }
    /// The same for `into`.
    template <class Out, class... Args>
    Preload preload_into(Out&& out, Args&&... args) const {
        const Argument to = make_argument(out);
        const Argument arguments[] = {make_argument(args)...};
        return detail::preload(function_, {arguments, sizeof...(Args), &to, stream_});
    }

    /// Of a function of two: of all pairs of an element of `a` and one of `b`; the axes are those of both.
    template <class A, class B>
    Result<AnyArray> outer(A&& a, B&& b) const {
        const Argument arguments[] = {make_argument(a), make_argument(b)};
        return detail::outer(*function_, arguments, stream_);
    }

    /// Of a function of two: `f(f(a[0], a[1]), a[2]) …` along an axis. The parameters and the result are of one
    /// type, which signatures choose by the array's. With an `identity` in the decorator, or `target="cuda"`, the order
    /// may be another: fast, and the same for the same array on the same machine. An axis without elements gives the
    /// identity.
    template <class A>
    Result<AnyArray> reduce(A&& array, const ReduceOptions& options = {}) const {
        return detail::reduce(*function_, make_argument(array), options, stream_);
    }
    /// The same with all that comes between, in an array of the same shape. Long arrays of one axis are combined in
    /// parts where the order may be another.
    template <class A>
    Result<AnyArray> accumulate(A&& array, int axis = 0) const {
        return detail::accumulate(*function_, make_argument(array), axis, stream_);
    }

    /// What was compiled so far.
    std::vector<Specialization> specializations() const;

  private:
    Shared<ArrayFunction> function_;
    StreamRef stream_;
};

/// The array function of that name in the module's file.
Result<Ufunc> ufunc(const Module& module, std::string_view name);
/// Of all of them, in the order of the file.
std::vector<std::string> ufunc_names(const Module& module);

}  // namespace pyk::jit

namespace pyk {

using jit::AnyArray;
using jit::Ufunc;
using jit::ufunc;

}  // namespace pyk
