#include "ir/walk.h"

#include "ir/build.h"
#include "ir_text.h"

namespace pyk::test {
namespace {

const char* const kText = R"(module "m"
device f = f_(x: int64) -> int64 effects(barrier) {
  return x
}
kernel k = k_(a: int64[:, ::1], n: int64, c: boolean) {
  var t: (int64, int64)
  store a[1, (n + 2)] = (3 if c else at(tuple(4, 5), 6))
  if (c and (n < 7)) {
    eval view<int64[:]>(a, 8, slice(_, 9, _))
  }
  eval @cuda.atomic.add(ref(a, 10, 11), call f_(12)):int64
}
)";

TEST(Walk, ConstantsInEvaluationOrder) {
    const ir::Module module = parse_valid_ir(kText);
    std::string order;
    ir::for_each_expr_deep(module.functions[1].body, [&](const ir::Expr& expr) {
        if (auto value = ir::integer_value(expr)) order += std::to_string(*value) + " ";
    });
    EXPECT_EQ(order, "3 4 5 6 1 2 7 8 9 10 11 12 ");
}

TEST(Walk, RewriteReachesEveryExpression) {
    ir::Module module = parse_valid_ir(kText);
    ir::rewrite(module.functions[1].body, [](ir::ExprPtr& expr) {
        if (ir::integer_value(*expr)) expr = ir::integer(0, expr->type);
    });
    std::string text = kText;
    for (const char* number : {"12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"}) {
        for (size_t at = text.find("  store"); (at = text.find(number, at)) != std::string::npos;) {
            const size_t length = std::string_view(number).size();
            const bool whole = !isalnum(text[at - 1]) && text[at - 1] != '_' && !isalnum(text[at + length]);
            if (whole) text.replace(at, length, "0");
            ++at;
        }
    }
    EXPECT_EQ(ir::print(module), ir::print(parse_ir(text)));
}

TEST(Walk, ChildrenOfStatements) {
    const ir::Module module = parse_valid_ir(kText);
    int statements = 0;
    ir::for_each_stmt(module.functions[1].body, [&](const ir::Stmt&) { ++statements; });
    EXPECT_EQ(statements, 4);
}

TEST(Walk, StatementsInLoops) {
    ir::Module module = parse_valid_ir(R"(module "m"
kernel k = k_(a: int64[::1], n: int64) {
  temp i: int64
  store a[0] = 1
  for i in range(0, n, 1) {
    store a[i] = 2
    if (i < 7) {
      store a[i] = 3
    }
  }
  while (n < a[0]) {
    store a[n] = 4
  }
}
)");
    std::string found;
    ir::for_each_stmt_in_loops(module.functions[0].body, [&](ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        found += store ? std::to_string(*ir::integer_value(*store->value)) : "if";
    });
    EXPECT_EQ(found, "2if34");
}

TEST(Walk, CallOf) {
    const ir::Module module = parse_valid_ir(kText);
    const ir::Expr& call = *module.functions[1].body[2].as<ir::Evaluate>()->value;
    EXPECT_EQ(ir::call_of(call, "cuda.atomic.add"), call.as<ir::BuiltinCall>());
    EXPECT_EQ(ir::call_of(call, "cuda.atomic.sub"), nullptr);
    EXPECT_EQ(ir::call_of(*call.as<ir::BuiltinCall>()->args[1], "cuda.atomic.add"), nullptr);
}

TEST(Walk, Effects) {
    const ir::Module module = parse_valid_ir(kText);
    const ir::Block& body = module.functions[1].body;
    EXPECT_EQ(ir::effects_of(module, *body[0].as<ir::Store>()->value), Effects::none);
    EXPECT_EQ(ir::effects_of(module, *body[2].as<ir::Evaluate>()->value),
              Effects::reads | Effects::writes | Effects::barrier | Effects::atomic);
}

}  // namespace
}  // namespace pyk::test
