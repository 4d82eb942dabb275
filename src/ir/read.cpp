#include "ir/read.h"

#include <algorithm>
#include <charconv>

#include "ir/reader.h"

namespace pyk::ir {

// --- types and constants --------------------------------------------------------------------------------------------
Type Reader::scalar_or_record() {
    const std::string_view name = scan_.name();
    if (name == "none") return Type::none();
    if (name == kRecordName) return Type::xoroshiro128p_state();
    if (name == "record") return record_type();
    if (name == "pointer") return Type::pointer(type());
    if (name == "text") return text_type();
    if (name == "distinct" || name == "converting") return distinct_type(name == "converting");
    constexpr std::string_view kTuples[] = {"named", "struct", "vector", "dim3", "optional"};
    for (size_t i = 0; i < std::size(kTuples); ++i)
        if (name == kTuples[i]) return named_tuple_type(static_cast<TupleKind>(i + 1));
    const auto scalar = scalar_from_name(name);
    if (!scalar) scan_.fail(fmt::format("unknown type `{}`", name));
    return *scalar;
}

Layout Reader::axes(int& ndim) {
    if (scan_.at("]")) return Layout::C;  // without axes
    Layout layout = Layout::A;
    do {
        scan_.expect(":");
        ++ndim;
        if (!scan_.accept(":")) continue;
        scan_.expect("1");
        layout = scan_.at("]") ? Layout::C : Layout::F;
    } while (scan_.accept(","));
    return layout;
}

Type Reader::record_type() {
    const size_t size = small_number();
    const bool packed = scan_.accept("packed");
    std::vector<Field> fields;
    scan_.expect("(");
    while (!scan_.accept(")")) {
        Field field;
        field.name = scan_.name();
        scan_.expect(":");
        field.type = type();
        if (scan_.accept("(")) {
            do field.shape.push_back(small_number());
            while (scan_.accept(","));
            scan_.expect(")");
        }
        scan_.expect("@");
        field.offset = small_number();
        fields.push_back(std::move(field));
        if (!scan_.at(")")) scan_.expect(",");
    }
    return Type::record(std::move(fields), size, packed);
}

Type Reader::named_tuple_type(TupleKind kind) {
    std::string name(scan_.name());
    std::vector<std::string> names;
    std::vector<Type> elements;
    scan_.expect("(");
    while (!scan_.accept(")")) {
        names.emplace_back(scan_.name());
        scan_.expect(":");
        elements.push_back(type());
        if (!scan_.at(")")) scan_.expect(",");
    }
    return Type::named_tuple(kind, std::move(name), std::move(names), elements);
}

Type Reader::distinct_type(bool converts) {
    std::string name = scan_.string();
    scan_.expect("(");
    const auto scalar = scalar_from_name(scan_.name());
    if (!scalar) scan_.fail("a distinct type is made of a scalar");
    scan_.expect(")");
    return Type::distinct(std::move(name), *scalar, converts);
}

Type Reader::text_type() {
    const auto character = scalar_from_name(scan_.name());
    const int64_t count = small_number();
    if (!character || count < 1) scan_.fail("a text has characters of a scalar type");
    return Type::text(*character, static_cast<size_t>(count));
}

Type Reader::array(Type element, bool readonly, bool aligned) {
    int ndim = 0;
    const Layout layout = axes(ndim);
    scan_.expect("]");
    if (!element.is_element()) scan_.fail("an array of what cannot be its elements");
    return Type::array(element, ndim, layout, readonly, aligned);
}

Type Reader::tuple_type() {
    std::vector<Type> elements;
    while (!scan_.accept(")")) {
        elements.push_back(type());
        if (!scan_.at(")")) scan_.expect(",");
    }
    return Type::tuple(elements);
}

Type Reader::type() {
    if (scan_.accept("?")) return {};
    if (scan_.accept("(")) return tuple_type();
    const bool readonly = scan_.accept("readonly"), aligned = !scan_.accept("unaligned");
    const Type type = scalar_or_record();
    return scan_.accept("[") ? array(type, readonly, aligned) : type;
}

ConstantValue Reader::number(std::string_view text, Type type) {
    auto parse = [&](auto number) -> ConstantValue {
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) scan_.fail("bad number");
        return number;
    };
    if (type.is_float()) return parse(double{});
    if (type.is_unsigned()) return parse(uint64_t{});
    return parse(int64_t{});
}

ConstantValue Reader::value(Type type) {
    const Token token = scan_.take();
    if (type.is_boolean()) return token.text == "True";
    return number(token.text, type);
}

/// `shape(2, 3) "00ff…"`: the bytes in hexadecimal.
std::shared_ptr<const Table> Reader::table(Type type) {
    Table table;
    scan_.expect("shape");
    scan_.expect("(");
    if (!scan_.accept(")")) {
        do table.shape.push_back(small_number());
        while (scan_.accept(","));
        scan_.expect(")");
    }
    const std::string digits = scan_.string();
    size_t bytes = type.element().byte_size();
    for (const int64_t extent : table.shape) bytes *= static_cast<size_t>(extent);
    if (digits.size() != 2 * bytes) scan_.fail("as many bytes as the shape says");
    for (size_t i = 0; i < digits.size(); i += 2) {
        unsigned char byte = 0;
        if (std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16).ptr != digits.data() + i + 2)
            scan_.fail("bad byte");
        table.bytes.push_back(byte);
    }
    return std::make_shared<const Table>(std::move(table));
}

void Reader::constant() {
    ModuleConstant constant;
    constant.name = scan_.name();
    scan_.expect(":");
    constant.type = type();
    if (constant.type.is_array()) {
        constant.in_constant_memory = scan_.accept("constant_memory");
        scan_.expect("=");
        constant.table = table(constant.type);
    } else {
        scan_.expect("=");
        constant.value = value(constant.type);
    }
    constants_[constant.name] = static_cast<ConstantId>(module_.constants.size());
    module_.constants.push_back(std::move(constant));
}

void Reader::array() {
    ArrayEntry entry;
    entry.name = scan_.name();
    scan_.expect("=");
    entry.symbol = scan_.name();
    scan_.expect("of");
    entry.function = find(functions_, scan_.name(), "function");
    scan_.expect("(");
    for (bool more = !scan_.accept(")"); more;) {
        const std::string_view word = scan_.name();
        const auto access = access_from_text(word);
        if (!access) scan_.fail(fmt::format("`{}` is no way to reach elements", word));
        entry.accesses.push_back(*access);
        more = scan_.accept(",");
        if (!more) scan_.expect(")");
    }
    if (scan_.accept("by")) entry.algorithm = algorithm();
    for (bool more = scan_.accept("with"); more;) {
        CoreOperand operand;
        scan_.expect("[");
        if (!scan_.accept("]")) {
            do operand.shape.push_back(small_number());
            while (scan_.accept(","));
            scan_.expect("]");
        }
        operand.is_staged = scan_.accept("staged");
        operand.is_overwritten = scan_.accept("overwritten");
        entry.core.push_back(std::move(operand));
        more = scan_.accept(",");
    }
    module_.arrays.push_back(std::move(entry));
}

Algorithm Reader::algorithm() {
    Algorithm algorithm;
    algorithm.name = scan_.name();
    algorithm.value = type();
    scan_.expect("of");
    if (!scan_.accept("(")) {
        algorithm.transform = find(functions_, scan_.name(), "function");
        scan_.expect("(");
    }
    do algorithm.elements.push_back(type());
    while (scan_.accept(","));
    scan_.expect(")");
    return algorithm;
}

// --- module and functions -------------------------------------------------------------------------------------------
Module Reader::module() {
    scan_.expect("module");
    module_.source_name = scan_.string();
    while (scan_.accept("type")) {
        std::string name(scan_.name());
        scan_.expect("=");
        module_.types.push_back({std::move(name), type()});
    }
    while (scan_.accept("constant")) constant();
    while (scan_.peek().kind != Token::Kind::end) {
        if (scan_.accept("array")) {
            array();
            continue;
        }
        const bool is_kernel = scan_.accept("kernel");
        if (!is_kernel) scan_.expect("device");
        function(is_kernel);
    }
    return std::move(module_);
}

namespace {

/// `name.7` stands for a local called `name`.
std::string name_of(std::string_view handle) { return std::string(handle.substr(0, handle.find('.'))); }

}  // namespace

void Reader::add(Local local) {
    const std::string handle = std::move(local.name);
    local.name = name_of(handle);
    locals_[handle] = add_local(*function_, std::move(local));
}

Passed Reader::passed() {
    Passed result;
    scan_.expect("(");
    result.least = std::get<int64_t>(number(scan_.number(), Scalar::int64));
    scan_.expect(",");
    result.most = std::get<int64_t>(number(scan_.number(), Scalar::int64));
    scan_.expect(")");
    result.is_place = scan_.accept("place");
    return result;
}

void Reader::header(Function& f) {
    f.name = scan_.name();
    scan_.expect("=");
    f.symbol = scan_.name();
    scan_.expect("(");
    while (!scan_.accept(")")) {
        Local local;
        local.storage = Storage::parameter;
        local.name = scan_.name();
        scan_.expect(":");
        local.type = type();
        if (scan_.accept("passed")) local.passed = passed();
        f.params.push_back(static_cast<LocalId>(f.locals.size()));
        add(std::move(local));
        if (!scan_.at(")")) scan_.expect(",");
    }
    f.result = scan_.accept("->") ? type() : Type::none();
}

Effects Reader::effects() {
    Effects effects = Effects::none;
    scan_.expect("(");
    do {
        const auto found =
            std::ranges::find_if(kEffectNames, [&](const auto& row) { return scan_.accept(row.second); });
        if (found == std::end(kEffectNames)) scan_.fail("expected an effect");
        effects = effects | found->first;
    } while (scan_.accept(","));
    scan_.expect(")");
    return effects;
}

void Reader::options(Function& f) {
    f.always_inline = scan_.accept("inline");
    f.is_exported = scan_.accept("exported");
    f.noalias = scan_.accept("noalias");
    f.index32 = scan_.accept("index32");
    f.parallel = scan_.accept("parallel");
    f.one_thread = scan_.accept("one_thread");
    if (scan_.accept("foreign")) {
        f.foreign = {f.symbol, scan_.accept("c")};
        if (!f.foreign->c_abi) scan_.expect("numba");
    }
    if (scan_.accept("ptx")) {
        const bool is_volatile = scan_.accept("volatile"), clobbers_memory = scan_.accept("memory");
        f.ptx = {scan_.string(), is_volatile, clobbers_memory};
    }
    if (scan_.accept("effects")) f.effects = effects();
    f.raises = scan_.accept("raises");
}

void Reader::local(Storage storage) {
    Local local;
    local.storage = storage;
    local.name = scan_.name();
    scan_.expect(":");
    local.type = type();
    if (scan_.accept("shape")) {
        scan_.expect("(");
        do local.shape.push_back(small_number());
        while (scan_.accept(","));
        scan_.expect(")");
    }
    if (scan_.accept("align")) {
        scan_.expect("(");
        local.alignment = small_number();
        scan_.expect(")");
    }
    local.maybe_unassigned = scan_.accept("unassigned");
    add(std::move(local));
}

void Reader::function(bool is_kernel) {
    Function& f = module_.functions.emplace_back();
    function_ = &f;
    locals_.clear();
    f.is_kernel = is_kernel;
    header(f);
    functions_[f.symbol] = static_cast<FunctionId>(module_.functions.size() - 1);
    options(f);
    scan_.expect("{");
    if (scan_.accept("doc")) f.docstring = scan_.string();
    for (bool more = true; more;) {
        if (scan_.accept("var"))
            local(Storage::variable);
        else if (scan_.accept("temp"))
            local(Storage::temporary);
        else if (scan_.accept("shared"))
            local(Storage::shared);
        else if (scan_.accept("local"))
            local(Storage::local);
        else
            more = false;
    }
    while (!scan_.accept("}")) f.body.push_back(statement());
}

// --- statements -----------------------------------------------------------------------------------------------------
Block Reader::block() {
    Block result;
    scan_.expect("{");
    while (!scan_.accept("}")) result.push_back(statement());
    return result;
}

Block Reader::orelse() { return scan_.accept("else") ? block() : Block{}; }

Stmt Reader::statement() {
    if (scan_.accept("store")) return store();
    if (scan_.accept("eval")) return {{}, Evaluate{expression()}};
    if (scan_.accept("if")) return if_();
    if (scan_.accept("while")) return while_();
    if (scan_.accept("for")) return for_();
    if (scan_.accept("break")) return {{}, Break{}};
    if (scan_.accept("continue")) return {{}, Continue{}};
    if (scan_.accept("return")) return return_();
    if (scan_.accept("raise")) return {{}, Raise{scan_.string()}};
    if (scan_.accept("try")) return try_();
    if (scan_.accept("print")) return print_();
    return assign();
}

Stmt Reader::assign() {
    const LocalId target = local_id();
    scan_.expect("=");
    return {{}, Assign{target, expression()}};
}

Stmt Reader::store() {
    ExprPtr place = expression();
    scan_.expect("=");
    if (auto* field = place->as<RecordField>())
        return {{}, StoreField{std::move(field->record), field->field, expression()}};
    auto* element = place->as<Element>();
    if (!element) scan_.fail("`store` needs an element or a field");
    return {{}, Store{std::move(element->array), std::move(element->indices), expression()}};
}

Stmt Reader::if_() {
    If result;
    result.condition = expression();
    result.then = block();
    if (!scan_.accept("else")) return {{}, std::move(result)};
    if (scan_.accept("if"))
        result.otherwise.push_back(if_());
    else
        result.otherwise = block();
    return {{}, std::move(result)};
}

Stmt Reader::while_() {
    While result;
    result.condition = expression();
    result.body = block();
    result.orelse = orelse();
    return {{}, std::move(result)};
}

Stmt Reader::for_() {
    ForRange result;
    result.counter = local_id();
    scan_.expect("in");
    scan_.expect("range");
    scan_.expect("(");
    result.start = argument();
    result.stop = argument();
    result.step = argument();
    scan_.expect(")");
    result.body = block();
    result.orelse = orelse();
    return {{}, std::move(result)};
}

Stmt Reader::try_() {
    Try result;
    result.body = block();
    result.keeps_error = scan_.accept("finally");
    if (!result.keeps_error) scan_.expect("except");
    result.handler = block();
    return {{}, std::move(result)};
}

Stmt Reader::return_() {
    const bool empty = scan_.peek().starts_line || scan_.at("}");
    return {{}, Return{empty ? nullptr : expression()}};
}

Stmt Reader::print_() {
    Print result;
    scan_.expect("(");
    result.format = scan_.string();
    while (scan_.accept(",")) result.values.push_back(expression());
    scan_.expect(")");
    return {{}, std::move(result)};
}

std::optional<Module> read(std::string_view text, std::string& error) {
    try {
        return Reader(text).module();
    } catch (const SyntaxError& failure) {
        error = failure.what();
        return std::nullopt;
    }
}

}  // namespace pyk::ir
