// The parser of IR text: recursive descent, one function per form. Private to read.cpp and read_expr.cpp.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/build.h"
#include "ir/scan.h"
#include "ir/text.h"

namespace pyk::ir {

class Reader {
  public:
    explicit Reader(std::string_view text) : scan_(text) {}
    Module module();

  private:
    Type type();
    Type scalar_or_record();
    Type array(Type element, bool readonly, bool aligned);
    Layout axes(int& ndim);
    Type tuple_type();
    Type record_type();
    Type named_tuple_type(TupleKind kind);
    Type distinct_type(bool converts);
    Type text_type();
    ConstantValue value(Type type);
    ConstantValue number(std::string_view text, Type type);

    std::shared_ptr<const Table> table(Type type);
    void constant();
    void array();
    Algorithm algorithm();
    void function(bool is_kernel);
    Passed passed();
    void header(Function& f);
    void options(Function& f);
    Effects effects();
    void local(Storage storage);
    LocalId local_id() { return find(locals_, scan_.name(), "local"); }
    void add(Local local);

    Block block();
    Block orelse();
    Stmt statement();
    Stmt assign();
    Stmt store();
    Stmt if_();
    Stmt while_();
    Stmt for_();
    Stmt try_();
    Stmt return_();
    Stmt print_();

    ExprPtr expression();
    ExprPtr operand();
    ExprPtr named();
    ExprPtr parenthesised();
    ExprPtr after_lhs(ExprPtr lhs);
    ExprPtr literal();
    ExprPtr builtin();
    ExprPtr call();
    ExprPtr convert_to(Type type);
    ExprPtr item();
    ExprPtr at();
    ExprPtr element_ref();
    ExprPtr view();
    ExprPtr transpose();
    ExprPtr shape();
    ExprPtr size();
    ExprPtr field();
    ExprPtr fields();
    ExprPtr tuple();
    ExprPtr argument();
    Type type_argument();
    std::vector<ExprPtr> list();
    std::vector<Index> indices(std::string_view close);
    Index index();
    Subscript subscript();
    ExprPtr slice_part();
    uint32_t small_number();

    template <typename T>
    T find(const std::map<std::string, T, std::less<>>& names, std::string_view name, std::string_view what) {
        auto found = names.find(name);
        if (found == names.end()) scan_.fail(fmt::format("unknown {} `{}`", what, name));
        return found->second;
    }

    Scanner scan_;
    Module module_;
    Function* function_ = nullptr;
    std::map<std::string, LocalId, std::less<>> locals_;
    std::map<std::string, FunctionId, std::less<>> functions_;
    std::map<std::string, ConstantId, std::less<>> constants_;
};

}  // namespace pyk::ir
