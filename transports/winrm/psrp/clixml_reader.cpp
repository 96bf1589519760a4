#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <unordered_map>

#include "transports/winrm/psrp/clixml.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"

namespace volley::transports::winrm {

/// Makes values of the elements of one message. Compatibility: what PowerShell does not know in an object is
/// skipped, as its own reader does, so that newer versions are understood.
class ClixmlReader {
public:
    explicit ClixmlReader(ClixmlDocument& document) : document_(document) {}

    const ClixmlValue* value(const pugi::xml_node& element, std::size_t depth) {
        if (depth > ClixmlDocument::deepest)
            throw ProtocolError(
                fmt::format("a serialized PowerShell object is nested deeper than {} levels", depth - 1));
        const std::string_view tag = element.name();
        if (tag == "Ref") {
            const auto found = objects_.find(element.attribute("RefId").value());
            if (found == objects_.end())
                throw ProtocolError("a serialized PowerShell object refers to one that is not there");
            return found->second;
        }
        ClixmlValue& made = document_.values_.emplace_back();
        made.tag = tag;
        if (tag == "Obj") {
            if (const auto id = element.attribute("RefId")) objects_[id.value()] = &made;
            object(element, made, depth);
        } else {
            made.text = tag == "S" || tag == "URI" || tag == "XD" || tag == "SBK"
                            ? clixml_unescape(element.child_value())
                            : std::string(element.child_value());
        }
        return &made;
    }

private:
    void object(const pugi::xml_node& element, ClixmlValue& made, std::size_t depth) {
        for (const pugi::xml_node& part : element) {
            if (part.type() != pugi::node_element) continue;
            const std::string_view tag = part.name();
            if (tag == "TN") {
                auto& types = document_.types_.emplace_back();
                for (const pugi::xml_node& type : part.children("T"))
                    types.push_back(clixml_unescape(type.child_value()));
                types_[part.attribute("RefId").value()] = &types;
                made.types = &types;
            } else if (tag == "TNRef") {
                const auto found = types_.find(part.attribute("RefId").value());
                if (found != types_.end()) made.types = found->second;
            } else if (tag == "ToString") {
                made.text = clixml_unescape(part.child_value());
            } else if (tag == "Props" || tag == "MS") {
                members(part, made, depth);
            } else if (tag == "LST" || tag == "IE" || tag == "QUE" || tag == "STK") {
                for (const pugi::xml_node& item : part)
                    if (item.type() == pugi::node_element) made.items.push_back(value(item, depth + 1));
            } else if (tag == "DCT") {
                entries(part, made, depth);
            } else {
                made.wrapped = value(part, depth + 1);
            }
        }
    }

    void members(const pugi::xml_node& part, ClixmlValue& made, std::size_t depth) {
        for (const pugi::xml_node& member : part) {
            if (member.type() != pugi::node_element) continue;
            std::string name = clixml_unescape(member.attribute("N").value());
            const ClixmlValue* content = value(member, depth + 1);
            made.members.emplace_back(std::move(name), content);
        }
    }

    void entries(const pugi::xml_node& part, ClixmlValue& made, std::size_t depth) {
        for (const pugi::xml_node& pair : part.children("En")) {
            const ClixmlValue* key = nullptr;
            const ClixmlValue* content = nullptr;
            for (const pugi::xml_node& side : pair) {
                if (side.type() != pugi::node_element) continue;
                const std::string_view name = side.attribute("N").value();
                if (name == "Key") key = value(side, depth + 1);
                if (name == "Value") content = value(side, depth + 1);
            }
            if (key == nullptr || content == nullptr)
                throw ProtocolError("an entry of a serialized PowerShell dictionary has no key or no value");
            made.items.push_back(key);
            made.items.push_back(content);
        }
    }

    ClixmlDocument& document_;
    std::unordered_map<std::string, const ClixmlValue*> objects_;
    std::unordered_map<std::string, const std::vector<std::string>*> types_;
};

ClixmlDocument ClixmlDocument::parse(std::string text) {
    // Neither document types nor entities beyond XML's five are ever read. White space alone is a text too,
    // and line ends stay as they are.
    constexpr unsigned how = pugi::parse_escapes | pugi::parse_cdata | pugi::parse_ws_pcdata_single;
    if (std::count(text.begin(), text.end(), '<') > static_cast<std::ptrdiff_t>(most_tags))
        throw ProtocolError(
            fmt::format("a serialized PowerShell object has more than {} elements", most_tags / 2));
    pugi::xml_document xml;
    const pugi::xml_parse_result result =
        xml.load_buffer_inplace(text.data(), text.size(), how, pugi::encoding_utf8);
    if (!result)
        throw ProtocolError(
            fmt::format("a serialized PowerShell object is not valid XML: {}", result.description()));
    ClixmlDocument document;
    ClixmlReader reader(document);
    const pugi::xml_node root = xml.document_element();
    if (!root) throw ProtocolError("a serialized PowerShell object is empty");
    document.root_ = reader.value(root, 1);
    return document;
}

const ClixmlValue* ClixmlValue::member(std::string_view name) const noexcept {
    for (const auto& [key, content] : members)
        if (key == name) return content;
    return nullptr;
}

const ClixmlValue* ClixmlValue::entry(std::string_view key) const noexcept {
    for (std::size_t at = 0; at + 1 < items.size(); at += 2)
        if (items[at]->tag == "S" && items[at]->text == key) return items[at + 1];
    return nullptr;
}

std::optional<std::int64_t> ClixmlValue::integer() const noexcept {
    if (wrapped != nullptr) return wrapped->wrapped == nullptr ? wrapped->integer() : std::nullopt;
    std::int64_t number = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || end != last) return std::nullopt;
    return number;
}

}  // namespace volley::transports::winrm
