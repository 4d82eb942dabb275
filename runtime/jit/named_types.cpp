#include "jit/elements.h"
#include "pyk/argument.hpp"

namespace pyk::jit {

const NamedType* record_type(const std::vector<Field>& fields, std::size_t size, bool is_aligned,
                             std::size_t alignment) {
    std::string text = "Record(";
    for (const Field& field : fields) {
        if (&field != fields.data()) text += ",";
        std::string type = field.type;
        if (!field.shape.empty()) {
            type = "nestedarray(" + type + ", (";
            for (const long long extent : field.shape)
                type += (type.back() == '(' ? "" : ", ") + std::to_string(extent);
            type += field.shape.size() == 1 ? ",))" : "))";
        }
        text += field.name + "[type=" + type + ";offset=" + std::to_string(field.offset) + "]";
    }
    text += ";" + std::to_string(size) + (is_aligned ? ";True)" : ";False)");
    return interned({std::move(text), size, is_aligned ? alignment : 1});
}

const NamedType* class_type(const std::string& name, const std::vector<Field>& fields, std::size_t size,
                            std::size_t alignment) {
    std::string text = name.substr(name.rfind(':') + 1);
    for (const Field& field : fields) text += (&field == fields.data() ? "(" : ", ") + field.name + ": " + field.type;
    return interned({text + ")", size, alignment});
}

const NamedType* date_type(bool is_delta, TimeUnit unit) {
    static constexpr const char* kUnits[] = {"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
    const std::string text = is_delta ? "timedelta64[" : "datetime64[";
    return interned({text + kUnits[static_cast<std::size_t>(unit)] + "]", 8, 8});
}

const NamedType* named_type(std::string text, std::size_t size, std::size_t alignment) {
    return interned({std::move(text), size, alignment});
}

const NamedType* misplaced(const char* macro, const char* record) {
    return named_type(macro + std::string("(") + record + "), with members in another order than the struct's", 1, 1);
}

const char* name_of(Element element) { return row_of(element).name; }

}  // namespace pyk::jit
