#include "support/text.hpp"
#include "transports/winrm/psrp/clixml.hpp"

namespace volley::transports::winrm {
// Appending, and no formatting: every command writes a hundred elements, for thousands of targets at once.

void ClixmlWriter::open(std::string_view tag, std::string_view name) {
    text_.append("<").append(tag);
    if (!name.empty()) text_.append(" N=\"").append(clixml_escape(name)).append("\"");
}

void ClixmlWriter::refer(std::uint32_t number) {
    text_.append(" RefId=\"").append(std::to_string(number)).append("\">");
}

void ClixmlWriter::primitive(std::string_view tag, std::string_view name, std::string_view content) {
    open(tag, name);
    text_.append(">").append(content);
    end(tag);
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

void ClixmlWriter::nil(std::string_view name) {
    open("Nil", name);
    text_ += " />";
}

void ClixmlWriter::enumeration(std::string_view name, std::string_view type, std::string_view label,
                               std::int32_t value) {
    begin_object(name, {type, "System.Enum", "System.ValueType", "System.Object"});
    to_string(label);
    integer("", value);
    end_object();
}

void ClixmlWriter::begin_object(std::string_view name, const std::vector<std::string_view>& types) {
    open("Obj", name);
    refer(next_object_++);
    if (types.empty()) return;
    open("TN", {});
    refer(next_types_++);
    for (const std::string_view type : types) primitive("T", "", clixml_escape(type));
    text_ += "</TN>";
}

void ClixmlWriter::begin(std::string_view element) { text_.append("<").append(element).append(">"); }

void ClixmlWriter::end(std::string_view element) { text_.append("</").append(element).append(">"); }

void ClixmlWriter::to_string(std::string_view utf8) { primitive("ToString", "", clixml_escape(utf8)); }

}  // namespace volley::transports::winrm
