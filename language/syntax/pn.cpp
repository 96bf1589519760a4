#include "language/syntax/pn.hpp"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "language/text/text.hpp"
#include "support/json/json_reader.hpp"
#include "support/text/escapes.hpp"

namespace volley {
namespace {

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (const char letter = c == '"' || c == '\\' ? c : escape_letter(c, "nrt"); letter != 0) {
            out += '\\';
            out += letter;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\o%3.3o", static_cast<unsigned>(c));
            out += escape.data();
        } else {
            out += c;
        }
    }
    out += '"';
}

}  // namespace

Pn Pn::literal(Scalar value) {
    Pn pn(Kind::Literal);
    pn.value_ = std::move(value);
    return pn;
}

Pn Pn::big_integer(std::string digits) {
    Pn pn(Kind::Literal);
    pn.name_ = std::move(digits);
    return pn;
}

Pn Pn::list(std::vector<Pn> elements) {
    Pn pn(Kind::List);
    pn.elements_ = std::move(elements);
    return pn;
}

Pn Pn::call(std::string name, std::vector<Pn> elements) {
    Pn pn(Kind::Call);
    pn.name_ = std::move(name);
    pn.elements_ = std::move(elements);
    return pn;
}

Pn& Pn::add(std::string key, Pn value) {
    keys_.push_back(std::move(key));
    elements_.push_back(std::move(value));
    return *this;
}

Pn Pn::as_call(std::string name) && {
    if (kind_ == Kind::List || kind_ == Kind::Call) return call(std::move(name), std::move(elements_));
    return call(std::move(name), {std::move(*this)});
}

void Pn::append_text(std::string& out) const {
    const auto append_elements = [&] {
        for (std::size_t i = 0; i < elements_.size(); ++i) {
            if (i > 0) out += ' ';
            if (kind_ == Kind::Map) out += ":" + keys_[i] + " ";
            elements_[i].append_text(out);
        }
    };
    switch (kind_) {
        case Kind::Literal:
            if (!name_.empty())
                out += name_;
            else if (const auto* text = std::get_if<std::string>(&value_))
                append_quoted(out, *text);
            else if (const auto* boolean = std::get_if<bool>(&value_))
                out += *boolean ? "true" : "false";
            else if (const auto* integer = std::get_if<std::int64_t>(&value_))
                out += std::to_string(*integer);
            else if (const auto* number = std::get_if<double>(&value_))
                out += float_text(*number);
            else
                out += "nil";
            break;
        case Kind::List:
            out += '[';
            append_elements();
            out += ']';
            break;
        case Kind::Map:
            out += '{';
            append_elements();
            out += '}';
            break;
        case Kind::Call:
            out += "(" + name_;
            if (!elements_.empty()) out += ' ';
            append_elements();
            out += ')';
            break;
    }
}

std::string Pn::text() const {
    std::string out;
    append_text(out);
    return out;
}

Json Pn::json() const {
    if (kind_ == Kind::Literal) {
        if (!name_.empty()) return parse_json(name_);
        if (const auto* text = std::get_if<std::string>(&value_)) return *text;
        if (const auto* boolean = std::get_if<bool>(&value_)) return *boolean;
        if (const auto* integer = std::get_if<std::int64_t>(&value_)) return *integer;
        if (const auto* number = std::get_if<double>(&value_)) return *number;
        return nullptr;
    }
    Json items = Json::array();
    if (kind_ == Kind::Call) items.push_back(name_);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        if (kind_ == Kind::Map) items.push_back(keys_[i]);
        items.push_back(elements_[i].json());
    }
    if (kind_ == Kind::List) return items;
    return Json{{kind_ == Kind::Call ? "^" : "#", items}};
}

}  // namespace volley
