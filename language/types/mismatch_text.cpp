#include "language/types/mismatch_text.hpp"

#include <algorithm>

#include "language/types/type_kinds.hpp"
#include "language/types/types.hpp"

namespace volley {

using namespace types;

namespace {

std::string element_text(const PathElement& element) {
    switch (element.kind) {
        case PathElement::Kind::EntryValue:
            return "entry '" + element.text + "'";
        case PathElement::Kind::EntryKey:
            return "key of entry '" + element.text + "'";
        case PathElement::Kind::Parameter:
            return "parameter '" + element.text + "'";
        case PathElement::Kind::Index:
            return "index " + element.text;
        case PathElement::Kind::Variant:
            return "variant " + element.text;
        default:
            return element.text;
    }
}

Path canonical(const Path& path) {
    Path result;
    for (const PathElement& element : path) {
        const bool varies =
            element.kind == PathElement::Kind::Variant || element.kind == PathElement::Kind::Signature;
        if (!varies) result.push_back(element);
    }
    return result;
}

/// The name alone, but with what an Optional, NotUndef, Sensitive or Type contains.
std::string short_name(const Type& type) {
    if (type.kind() == TypeKind::Init) {
        const TypePtr& contained = as<InitType>(type).type;
        return contained ? "Init[" + contained->name() + "]" : type.name();
    }
    if (is_wrapper(type.kind())) {
        const TypePtr& contained = as<WrapperType>(type).type;
        if (contained && contained->kind() != TypeKind::Any)
            return type.name() + "[" + contained->name() + "]";
    }
    return type.name();
}

TypePtr meaning(TypePtr type) {
    while (type->kind() == TypeKind::Alias) type = as<AliasType>(*type).resolved_ptr();
    return type;
}

bool same_or_special(const Type& expected, const Type& actual) {
    if (expected.kind() == actual.kind()) return true;
    if (expected.kind() == TypeKind::Alias || actual.kind() == TypeKind::Alias) return true;
    if (expected.kind() == TypeKind::Struct) return actual.kind() == TypeKind::Hash;
    return expected.kind() == TypeKind::Tuple && actual.kind() == TypeKind::Array;
}

bool full_detail(const std::vector<TypePtr>& expected, const Type& actual) {
    return std::any_of(expected.begin(), expected.end(),
                       [&actual](const TypePtr& type) { return same_or_special(*type, actual); });
}

/// Detail helps when the kinds agree and only parameters differ.
bool report_detailed(const std::vector<TypePtr>& expected, const Type& actual) {
    return full_detail(expected, actual) ||
           std::any_of(expected.begin(), expected.end(), [&actual](const TypePtr& type) {
               return is_assignable(*default_of(meaning(type)->kind()), actual);
           });
}

std::string detailed_actual(const std::vector<TypePtr>& expected, const Type& actual) {
    std::vector<TypePtr> resolved;
    for (const TypePtr& type : expected) resolved.push_back(meaning(type));
    const TypePtr general = actual.generalize();
    const bool detailed = full_detail(resolved, actual) ||
                          std::any_of(resolved.begin(), resolved.end(), [&general](const TypePtr& type) {
                              return is_assignable(*type, *general);
                          });
    return detailed ? to_expanded_string(actual) : default_of(actual.kind())->name();
}

std::string with_article(const std::string& word) {
    const bool vowel =
        !word.empty() && std::string_view("aeiouyAEIOUY").find(word[0]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + word;
}

std::string join_alternatives(const std::vector<std::string>& names) {
    if (names.size() == 2) return names[0] + " or " + names[1];
    std::string result;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) result += names[i] + ", ";
    return result + "or " + names.back();
}

std::string type_text(const Mismatch& mismatch) {
    TypePtr expected = mismatch.expected;
    const Type& actual = *mismatch.actual;
    const bool is_optional = expected->kind() == TypeKind::Optional;
    if (is_optional) {
        const TypePtr& contained = as<WrapperType>(*expected).type;
        expected = contained ? contained : any();
    }
    const bool several = expected->kind() == TypeKind::Variant;
    const std::vector<TypePtr> choices =
        several ? as<VariantType>(*expected).types : std::vector<TypePtr>{expected};
    std::vector<std::string> names;
    std::string got;
    if (report_detailed(choices, actual)) {
        got = detailed_actual(choices, actual);
        for (const TypePtr& type : choices) names.push_back(to_expanded_string(*type));
    } else {
        got = short_name(actual);
        for (const TypePtr& type : choices) {
            const std::string name = short_name(*type);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    if (is_optional) names.insert(names.begin(), "Undef");
    if (names.size() == 1) return " expects " + with_article(names.front()) + " value, got " + got;
    return " expects a value of type " + join_alternatives(names) + ", got " + got;
}

std::string pattern_text(const Mismatch& mismatch) {
    TypePtr expected = mismatch.expected;
    std::string prefix;
    if (expected->kind() == TypeKind::Optional) {
        expected = as<WrapperType>(*expected).type;
        prefix = "an undef value or ";
    }
    const Type& actual = *mismatch.actual;
    const bool literal = actual.kind() == TypeKind::String && as<StringType>(actual).value;
    return " expects " + prefix + "a match for " + to_expanded_string(*expected) + ", got " +
           (literal ? "'" + *as<StringType>(actual).value + "'" : short_name(actual));
}

std::string range_text(const Type& type, std::string_view zero) {
    const RangeType& size = range(type);
    const std::int64_t low = size.from == RangeType::lowest ? 0 : size.from;
    if (low == size.to) return low == 0 ? std::string(zero) : std::to_string(low);
    if (low == 0) return size.to == RangeType::highest ? "unlimited" : "at most " + std::to_string(size.to);
    if (size.to == RangeType::highest) return "at least " + std::to_string(low);
    return "between " + std::to_string(low) + " and " + std::to_string(size.to);
}

std::string count_text(const Mismatch& mismatch) {
    const RangeType& size = range(*mismatch.expected);
    const std::int64_t low = size.from == RangeType::lowest ? 0 : size.from;
    const bool singular =
        (low == 1 && (size.to == 1 || size.to == RangeType::highest)) || (low == 0 && size.to == 1);
    return " expects " + range_text(*mismatch.expected, "no") + " argument" + (singular ? "" : "s") +
           ", got " + range_text(*mismatch.actual, "none");
}

}  // namespace

std::string predicate(const Mismatch& mismatch) {
    switch (mismatch.kind) {
        case Mismatch::Kind::MissingKey:
            return " expects a value for key '" + mismatch.key + "'";
        case Mismatch::Kind::MissingParameter:
            return " expects a value for parameter '" + mismatch.key + "'";
        case Mismatch::Kind::ExtraneousKey:
            return " unrecognized key '" + mismatch.key + "'";
        case Mismatch::Kind::InvalidParameter:
            return " has no parameter named '" + mismatch.key + "'";
        case Mismatch::Kind::UnexpectedBlock:
            return " does not expect a block";
        case Mismatch::Kind::MissingBlock:
            return " expects a block";
        case Mismatch::Kind::UnresolvedReference:
            return " references an unresolved type '" + mismatch.key + "'";
        case Mismatch::Kind::Type:
            return type_text(mismatch);
        case Mismatch::Kind::Pattern:
            return pattern_text(mismatch);
        case Mismatch::Kind::Size:
            return " expects size to be " + range_text(*mismatch.expected, "0") + ", got " +
                   range_text(*mismatch.actual, "0");
        case Mismatch::Kind::Count:
            return count_text(mismatch);
    }
    return {};
}

namespace {

bool belongs_to(Mismatch::Kind kind, Mismatch::Kind group) {
    if (kind == group) return true;
    if (group == Mismatch::Kind::Type) return kind == Mismatch::Kind::Pattern;
    return group == Mismatch::Kind::Size && kind == Mismatch::Kind::Count;
}

Mismatch merge(const Mismatch& first, const Mismatch& second) {
    Mismatch result = first;
    if (first.kind == Mismatch::Kind::Size || first.kind == Mismatch::Kind::Count) {
        const RangeType& a = range(*first.expected);
        const RangeType& b = range(*second.expected);
        result.expected =
            size_range(std::max<std::int64_t>(std::min(a.from, b.from), 0), std::max(a.to, b.to));
    } else if (first.expected) {
        result.expected = variant({first.expected, second.expected})->normalize();
        if (result.actual)
            result.actual = result.actual->normalize();  // compatibility: ranges may meet only then
    }
    return result;
}

/// Compatibility: of mismatches that say the same only those about blocks are reported once. The others
/// differ even when all of their parts are equal.
bool same_mismatch(const Mismatch& a, const Mismatch& b) {
    const bool about_block =
        a.kind == Mismatch::Kind::UnexpectedBlock || a.kind == Mismatch::Kind::MissingBlock;
    return about_block && a.kind == b.kind && canonical(a.path) == canonical(b.path);
}

}  // namespace

std::string place(const Path& path) {
    std::string result;
    std::size_t first = 0;
    if (!path.empty() && path.front().kind == PathElement::Kind::Signature) {
        result = " " + path.front().text;
        first = 1;
    }
    for (std::size_t i = first; i < path.size(); ++i) result += " " + element_text(path[i]);
    return result;
}

std::string format(const Mismatch& mismatch) { return place(mismatch.path) + predicate(mismatch); }

Mismatch without_element(const Mismatch& mismatch, std::size_t index) {
    Mismatch result = mismatch;
    if (index < result.path.size())
        result.path.erase(result.path.begin() + static_cast<std::ptrdiff_t>(index));
    return result;
}

std::vector<Mismatch> merge_mismatches(std::size_t varying, Mismatch::Kind sizes,
                                       const std::vector<std::vector<Mismatch>>& alternatives) {
    std::vector<Mismatch> all;
    for (const auto& list : alternatives) all.insert(all.end(), list.begin(), list.end());
    for (const Mismatch::Kind group :
         {sizes, Mismatch::Kind::MissingBlock, Mismatch::Kind::UnexpectedBlock, Mismatch::Kind::Type}) {
        std::vector<Mismatch> members;
        std::copy_if(all.begin(), all.end(), std::back_inserter(members),
                     [group](const Mismatch& mismatch) { return belongs_to(mismatch.kind, group); });
        if (members.size() != alternatives.size() || members.empty()) continue;
        const Path place = canonical(members.front().path);
        const bool together = std::all_of(members.begin(), members.end(), [&place](const Mismatch& mismatch) {
            return canonical(mismatch.path) == place;
        });
        if (!together) continue;
        Mismatch merged = members.front();
        for (std::size_t i = 1; i < members.size(); ++i) merged = merge(merged, members[i]);
        all = {merged};
        break;
    }
    std::vector<Mismatch> distinct;
    for (const Mismatch& mismatch : all) {
        const bool known = std::any_of(distinct.begin(), distinct.end(), [&mismatch](const Mismatch& other) {
            return same_mismatch(other, mismatch);
        });
        if (!known) distinct.push_back(mismatch);
    }
    if (distinct.size() == 1) return {without_element(distinct.front(), varying)};
    return distinct;
}

std::string signature_text(const Signature& signature, Wording wording) {
    const auto& callable = as<CallableType>(*signature.callable);
    if (!callable.parameters) return {};
    const auto& parameters = as<TupleType>(*callable.parameters);
    const RangeType& size = range(*parameters.size_range());
    if (size.from == 0 && size.to == 0) return {};
    std::string result;
    const std::size_t count = signature.names.empty() ? parameters.types.size() : signature.names.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (parameters.types.empty()) break;
        TypePtr type = parameters.types[std::min(i, parameters.types.size() - 1)];
        std::string mark;
        if (size.to == RangeType::highest && i + 1 == count) {
            mark = size.from == static_cast<std::int64_t>(count) ? "+" : "*";
        } else if (static_cast<std::int64_t>(i) >= size.from) {
            mark = "?";
            if (type->kind() == TypeKind::Optional && as<WrapperType>(*type).type)
                type = as<WrapperType>(*type).type;
        }
        if (i > 0) result += ", ";
        const std::string text = wording == Wording::Puppet ? to_display_string(*type) : to_string(*type);
        result += text + " " + (i < signature.names.size() ? signature.names[i] : "") + mark;
    }
    if (!callable.block) return result;
    if (!result.empty()) result += ", ";
    if (callable.block->kind() == TypeKind::Optional) {
        return result + to_string(*as<WrapperType>(*callable.block).type) + " " + signature.block_name + "?";
    }
    return result + to_string(*callable.block) + " " + signature.block_name;
}

}  // namespace volley
