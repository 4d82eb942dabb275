// Composed array functions: a function is written for them behind the text of their file, and compiled with it.
#include "pyk/fuse.hpp"

#include <charconv>
#include <cmath>
#include <iterator>
#include <map>

#include "jit/array_call.h"
#include "jit/elements.h"
#include "jit/engine.h"
#include "jit/guarded.h"
#include "jit/refuse.h"

namespace pyk::jit {

struct TermNode : SharedOwner {
    int parameter = -1;              ///< which one it is
    std::optional<Argument> number;  ///< or the number
    Shared<ArrayFunction> function;  ///< or what is called
    std::vector<Term> arguments;
};

namespace {

std::string text_of(double value) {
    if (std::isnan(value)) return "pyk_numpy.nan";
    if (std::isinf(value)) return value < 0 ? "-pyk_numpy.inf" : "pyk_numpy.inf";
    char text[40];
    return {text, std::to_chars(text, std::end(text), value, std::chars_format::scientific, 17).ptr};
}

/// NumPy's number of that type.
std::string call_of(Element element, const std::string& value) {
    return std::string("pyk_numpy.") + row_of(element).name + "(" + value + ")";
}

std::string text_of(const Argument& number) {
    switch (number.element) {
        case Element::boolean:
            return number.boolean ? "True" : "False";
        case Element::float32:
        case Element::float64:
            break;
        case Element::uint8:
        case Element::uint16:
        case Element::uint32:
        case Element::uint64:
            return call_of(number.element, std::to_string(number.natural));
        default:
            return call_of(number.element, std::to_string(number.integer));
    }
    return call_of(number.element, text_of(number.real));
}

/// What an expression's parameters are called, and what was written for its terms.
struct Frame {
    std::vector<std::string> parameters;
    std::map<const TermNode*, std::string> names = {};
};

/// Writes the function, a line for each call. Of a function that is fused itself it writes the expression.
class Writer {
  public:
    Status add(const Term& term, Frame& frame) {
        const TermNode* const node = term.node().get();
        if (frame.names.count(node)) return {};
        if (node->number) {
            frame.names[node] = text_of(*node->number);
            return {};
        }
        if (!node->function) {
            const auto parameter = static_cast<std::size_t>(node->parameter);
            if (parameter >= frame.parameters.size()) return refuse("the expression has a term of another one");
            frame.names[node] = frame.parameters[parameter];
            return {};
        }
        const ArraySummary& summary = node->function->summary;
        if (!node->function->composition)
            if (Status s = choose_engine(*node->function); !s) return s;
        if (node->arguments.size() != summary.params.size())
            return refuse_count("`" + summary.name + "`", summary.params.size(), node->arguments.size());
        std::vector<std::string> arguments;
        for (const Term& argument : node->arguments) {
            if (Status s = add(argument, frame); !s) return s;
            arguments.push_back(frame.names[argument.node().get()]);
        }
        if (node->function->composition) {
            const Term inner(node->function->composition);
            Frame inside{std::move(arguments)};
            if (Status s = add(inner, inside); !s) return s;
            frame.names[node] = inside.names[inner.node().get()];
            return {};
        }
        const std::string name = "t" + std::to_string(calls_++);
        body_ += "    " + name + " = " + summary.name + "(";
        for (const std::string& argument : arguments) body_ += (&argument == arguments.data() ? "" : ", ") + argument;
        body_ += ")\n";
        frame.names[node] = name;
        return {};
    }

    Result<Ufunc> make(const Term& result, int parameters) {
        Frame frame;
        std::string params;
        for (int i = 0; i < parameters; ++i) {
            frame.parameters.push_back("x" + std::to_string(i));
            params += (i ? ", " : "") + frame.parameters.back();
        }
        if (Status s = add(result, frame); !s) return s;
        if (!engine_) return refuse("the expression calls no array function");
        std::string name = "fused";
        while (engine_->text.find(name) != std::string::npos) name += "_";
        const std::string text = engine_->text +
                                 "\n\nimport numpy as pyk_numpy\nfrom numba import vectorize as pyk_vectorize\n\n\n" +
                                 "@pyk_vectorize\ndef " + name + "(" + params + "):\n" + body_ + "    return " +
                                 frame.names[result.node().get()] + "\n";
        const Result<Module> module = load_text(engine_->name, text, engine_->options);
        if (!module) return module.status();
        Result<Shared<ArrayFunction>> made = find_array_function(*module, name, ArrayFunctionKind::ufunc);
        if (!made) return made.status();
        (*made)->composition = result.node();
        return Ufunc(*std::move(made));
    }

  private:
    Status choose_engine(const ArrayFunction& function) {
        if (!engine_) engine_ = function.instances.engine;
        if (engine_ == function.instances.engine) return {};
        return refuse("`" + function.summary.name + "` is of another module: fused functions are of one");
    }

    Engine* engine_ = nullptr;
    std::string body_;
    int calls_ = 0;
};

Term made(TermNode* node) { return Term(Shared<TermNode>(node, node)); }

}  // namespace

namespace detail {

Term number(const Argument& value) {
    auto* const node = new TermNode;
    node->number = value;
    return made(node);
}

Term parameter(int index) {
    auto* const node = new TermNode;
    node->parameter = index;
    return made(node);
}

Term apply(const Shared<ArrayFunction>& function, std::vector<Term> arguments) {
    auto* const node = new TermNode;
    node->function = function;
    node->arguments = std::move(arguments);
    return made(node);
}

Result<Ufunc> fuse(const Term& result, int parameters) {
    return guarded([&] { return Writer().make(result, parameters); });
}

}  // namespace detail
}  // namespace pyk::jit
