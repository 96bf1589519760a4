#include <algorithm>
#include <functional>

#include "language/text/text.hpp"
#include "language/text/version.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley::types {

CatalogType::CatalogType(TypeKind type_kind, std::optional<std::string> name_of_type,
                         std::optional<std::string> resource_title, bool of_parameter)
    : Type(type_kind),
      type_name(std::move(name_of_type)),
      title(std::move(resource_title)),
      from_parameter(of_parameter) {}

std::string reference_text(const CatalogType& type) {
    if (type.kind() == TypeKind::Class)
        return type.type_name ? "Class[" + capitalize_segments(*type.type_name) + "]" : "";
    return type.type_name && type.title ? capitalize_segments(*type.type_name) + "[" + *type.title + "]" : "";
}

bool CatalogType::instance(const Value& value, TypeGuard& guard) const {
    return assignable(*infer(value), guard);
}

void CatalogType::print(std::string& out, const PrintOptions&) const {
    if (from_parameter) {
        out += reference_text(*this);
        return;
    }
    if (kind() == TypeKind::Class) {
        out += type_name ? "Class[" + *type_name + "]" : "Class";
        return;
    }
    out += type_name ? capitalize_segments(*type_name) : "Resource";
    if (title) out += "[" + puppet_quote(*title) + "]";
}

std::size_t CatalogType::hash() const {
    const std::hash<std::string> text;
    return Type::hash() ^ (type_name ? text(lower(*type_name)) : 0) ^ (title ? text(*title) * 31 : 0);
}

bool CatalogType::accepts(const Type& other, TypeGuard&) const {
    if (other.kind() != kind()) return false;
    const auto& that = as<CatalogType>(other);
    if (!type_name) return true;
    if (!that.type_name || lower(*type_name) != lower(*that.type_name)) return false;
    return !title || title == that.title;
}

bool CatalogType::same(const Type& other) const {
    const auto& that = as<CatalogType>(other);
    if (type_name.has_value() != that.type_name.has_value() || title != that.title) return false;
    return !type_name || lower(*type_name) == lower(*that.type_name);
}

bool TextType::instance(const Value& value, TypeGuard& guard) const {
    if (kind() == TypeKind::SemVer) {
        if (!value.is(Kind::SemVer)) return false;
        const auto fits = [&value](const std::string& range) { return version_in_range(value, range); };
        return texts.empty() || std::any_of(texts.begin(), texts.end(), fits);
    }
    return kind() == TypeKind::Runtime && assignable(*infer(value), guard);
}

void TextType::print(std::string& out, const PrintOptions&) const {
    out += name();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool runtime_name = kind() == TypeKind::Runtime && i == 0;
        out += (i == 0 ? "[" : ", ") + (runtime_name ? texts[i] : puppet_quote(texts[i]));
    }
    if (!texts.empty()) out += "]";
}

namespace {

VersionSet versions_of(const std::vector<std::string>& texts) {
    std::vector<Value> ranges;
    for (const std::string& text : texts) ranges.push_back(VersionRange::parse(text));
    return VersionSet(std::move(ranges));
}

}  // namespace

bool TextType::accepts(const Type& other, TypeGuard&) const {
    if (other.kind() != kind()) return false;
    if (texts.empty() || kind() != TypeKind::SemVer) return texts.empty() || same(other);
    const auto& theirs = as<TextType>(other).texts;
    return !theirs.empty() && versions_of(texts).covers(versions_of(theirs));
}

/// Ranges of versions that overlap or touch are one.
bool TextType::same(const Type& other) const {
    const auto& theirs = as<TextType>(other).texts;
    if (texts == theirs) return true;
    if (kind() != TypeKind::SemVer || texts.empty() || theirs.empty()) return false;
    return versions_of(texts).text() == versions_of(theirs).text();
}

}  // namespace volley::types
