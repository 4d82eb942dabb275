#include "records.h"

#include <complex>
#include <cstdio>
#include <string_view>
#include <vector>

int wrong = 0;
template <class A, class B>
void expect(const char* what, const A& found, const B& expected) {
    if (!(found == static_cast<A>(expected))) ++wrong, std::fprintf(stderr, "%s\n", what);
}

int main() {
    using records::header, records::particle, records::every, records::tight, records::point;
    const pyk::Launch one{{1}, {1}};
    std::vector<double> out(2);

    std::vector<particle> particles(2);
    particles[0].mass = 4;
    header h{};
    h.tag = 3;
    h.count = 9;
    h.ts[1] = 2.5;
    records::move(one, particles, h, {1.5f, 2.5f}, out).or_throw();
    expect("a record and a packed one", out[0], 13);
    expect("nested fields", particles[0].at.x + particles[0].path[1] + particles[0].grid[1][2], 13);
    std::vector<header> headers(2);
    headers[1].count = 5;
    headers[1].ts[0] = 1.25;
    records::unaligned(one, headers, out).or_throw();
    expect("fields at odd addresses", out[0] + headers[0].count() + headers[0].ts[1](), 84.5);

    const std::complex<double> z(1, 2);
    std::vector<every> all(1);
    every e{};
    e.z = z;
    e.when = 12;
    e.name = {"abcd"};
    e.b = true;
    e.h = pyk::float16(1.5f);
    records::all_fields(one, all, e).or_throw();
    const every& got = all[0];
    expect("complex numbers of a record", std::complex<double>(got.z), z * 2.0);
    expect("numbers of a record", got.p[1].y + static_cast<float>(got.when) + got.b + static_cast<float>(got.h), 17.5);
    expect("fields whose names C++ has", got.class_ + got.x * 10 + got.int_ * 100, 765);
    expect("texts", std::string_view(got.name.at), "abcd");
    std::vector<tight> bytes(1);
    tight t{};
    t.a = 4;
    t.at.x = 2;
    t.z = std::complex<float>(3, 4);
    t.d = 44;
    records::all_bytes(one, bytes, t, out).or_throw();
    expect("a packed record", out[0] + bytes[0].at.y() + static_cast<double>(bytes[0].d()) + bytes[0].z().im, 54);

    point p{5, 6};
    records::in_tuple(one, {2, &p}, out).or_throw();
    expect("a record in a tuple", out[0], 7);
    records::named(one, {3, 4.5, std::complex<double>(0, 2)}, out).or_throw();
    expect("a named tuple", out[0], 9.5);
    return wrong;
}
