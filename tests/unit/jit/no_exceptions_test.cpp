// libpyk in a program built without exceptions: errors come by value, and what would throw ends the program with the
// message.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pyk/pyk.hpp>
#include <string>

int main() {
    const pyk::Result<pyk::jit::Module> none = pyk::load("/nowhere/none.pyk");
    if (none.ok() || none.error().message.find("/nowhere/none.pyk") == std::string::npos) return 1;
    std::signal(SIGABRT, [](int) { std::_Exit(0); });
    (void)pyk::load_or_throw("/nowhere/thrown.pyk");
    return 1;
}
