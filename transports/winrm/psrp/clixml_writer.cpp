#include <fmt/format.h>

#include "support/text.hpp"
#include "transports/winrm/psrp/clixml.hpp"

namespace volley::transports::winrm {
namespace {

std::string named(std::string_view name) {
    return name.empty() ? std::string() : fmt::format(" N=\"{}\"", clixml_escape(name));
}

}  // namespace

void ClixmlWriter::primitive(std::string_view tag, std::string_view name, std::string_view content) {
    text_ += fmt::format("<{}{}>", tag, named(name));
    text_ += content;
    text_ += fmt::format("</{}>", tag);
}

void ClixmlWriter::string(std::string_view name, std::string_view utf8) {
    primitive("S", name, clixml_escape(utf8));
}

void ClixmlWriter::boolean(std::string_view name, bool value) {
    primitive("B", name, value ? "true" : "false");
}

void ClixmlWriter::integer(std::string_view name, std::int32_t value) {
    primitive("I32", name, std::to_string(value));
}

void ClixmlWriter::long_integer(std::string_view name, std::int64_t value) {
    primitive("I64", name, std::to_string(value));
}

void ClixmlWriter::version(std::string_view name, std::string_view dotted) {
    primitive("Version", name, dotted);
}

void ClixmlWriter::bytes(std::string_view name, std::string_view content) {
    primitive("BA", name, base64_encode(content));
}

void ClixmlWriter::nil(std::string_view name) { text_ += fmt::format("<Nil{} />", named(name)); }

void ClixmlWriter::enumeration(std::string_view name, std::string_view type, std::string_view label,
                               std::int32_t value) {
    begin_object(name, {type, "System.Enum", "System.ValueType", "System.Object"});
    to_string(label);
    integer("", value);
    end_object();
}

void ClixmlWriter::begin_object(std::string_view name, const std::vector<std::string_view>& types) {
    text_ += fmt::format("<Obj{} RefId=\"{}\">", named(name), next_object_++);
    if (types.empty()) return;
    text_ += fmt::format("<TN RefId=\"{}\">", next_types_++);
    for (const std::string_view type : types) primitive("T", "", clixml_escape(type));
    text_ += "</TN>";
}

void ClixmlWriter::begin(std::string_view element) { text_ += fmt::format("<{}>", element); }

void ClixmlWriter::end(std::string_view element) { text_ += fmt::format("</{}>", element); }

void ClixmlWriter::to_string(std::string_view utf8) { primitive("ToString", "", clixml_escape(utf8)); }

}  // namespace volley::transports::winrm
