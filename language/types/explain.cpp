#include "language/types/explain.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/mismatch_text.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "support/text.hpp"

namespace volley {

using namespace types;

namespace {

/// Longer values and definitions say less than they cost.
constexpr std::size_t longest_shown = 60;
/// Words of an Enum and keys of a Struct that one message lists.
constexpr std::size_t most_listed = 12;

/// Without names, and without what says only that a value may or must be there.
TypePtr core_of(TypePtr type) {
    for (int depth = 0; depth < 100; ++depth) {  // "type A = Optional[A]" means itself
        TypePtr next;
        if (type->kind() == TypeKind::Alias) next = as<AliasType>(*type).resolved_ptr();
        if (type->kind() == TypeKind::Optional || type->kind() == TypeKind::NotUndef)
            next = as<WrapperType>(*type).type;
        if (!next) return type;
        type = std::move(next);
    }
    return type;
}

/// Whether values of the type may be secret, wherever in it that is said.
bool is_secret(const Type& type, std::unordered_set<const Type*>& seen) {
    const NestingGuard guard;
    if (type.kind() == TypeKind::Sensitive) return true;
    if (!seen.insert(&type).second) return false;
    if (type.kind() == TypeKind::Alias) {
        const TypePtr meaning = as<AliasType>(type).resolved_ptr();
        return meaning && is_secret(*meaning, seen);
    }
    bool found = false;
    type.for_each_contained([&](const Type& part) { found = found || is_secret(part, seen); });
    return found;
}

bool is_secret(const Type& type) {
    std::unordered_set<const Type*> seen;
    return is_secret(type, seen);
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// The value that the type stands for, where it stands for only one and that is short.
std::optional<std::string> only_value(const Type& type) {
    std::optional<std::string> text;
    if (type.kind() == TypeKind::Integer && range(type).from == range(type).to)
        text = std::to_string(range(type).from);
    if (type.kind() == TypeKind::Float && as<FloatType>(type).from == as<FloatType>(type).to)
        text = to_program_text(Value(as<FloatType>(type).from));
    if (type.kind() == TypeKind::Boolean && as<BooleanType>(type).value)
        text = *as<BooleanType>(type).value ? "true" : "false";
    if (type.kind() == TypeKind::String && as<StringType>(type).value)
        text = quoted(*as<StringType>(type).value);
    if (text && text->size() > longest_shown) text.reset();
    return text;
}

std::string kind_name(const Type& type) {
    switch (type.kind()) {
        case TypeKind::Struct:
            return "Hash";
        case TypeKind::Tuple:
            return "Array";
        default:
            return type.name();
    }
}

/// "String 'x'", or "500" after a sentence that says what kind of value it is about.
std::string explain_got(const Type& actual, bool with_kind) {
    const auto value = only_value(actual);
    if (!value) return kind_name(actual);
    return with_kind ? kind_name(actual) + " " + *value : *value;
}

std::string explain_article(const std::string& word) {
    const bool vowel =
        !word.empty() && std::string_view("aeiouAEIOU").find(word[0]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + word;
}

/// "a, b, or c"
std::string explain_list(const std::vector<std::string>& words, std::string_view last) {
    if (words.size() < 3) return join(words, " " + std::string(last) + " ");
    std::string text = join(std::span(words).first(words.size() - 1), ", ");
    return text + ", " + std::string(last) + " " + words.back();
}

std::vector<std::string> explain_quoted(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        if (all.size() == most_listed) break;
        all.push_back(quoted(word));
    }
    if (words.size() > most_listed) all.push_back(std::to_string(words.size() - most_listed) + " others");
    return all;
}

std::string explain_hint(std::string_view word, const std::vector<std::string>& known) {
    const auto meant = closest_match(word, known);
    return meant ? ". Did you mean " + quoted(*meant) + "?" : "";
}

/// "between 1 and 100", "at least 1"; numbers as they are written.
std::string explain_bounds(bool has_low, const std::string& low, bool has_high, const std::string& high) {
    if (has_low && has_high) return low == high ? low : "between " + low + " and " + high;
    return has_low ? "at least " + low : "at most " + high;
}

std::string integer_bounds(const RangeType& wanted) {
    return explain_bounds(wanted.from != RangeType::lowest, std::to_string(wanted.from),
                          wanted.to != RangeType::highest, std::to_string(wanted.to));
}

/// "between 2 and 3 elements"
std::string count_of(const RangeType& wanted, const std::string& one, const std::string& many) {
    const bool has_low = wanted.from > 0;
    const bool has_high = wanted.to != RangeType::highest;
    const bool single = (has_high ? wanted.to : wanted.from) == 1;
    if (!has_low && has_high && wanted.to == 0) return "no " + many;
    return explain_bounds(has_low, std::to_string(wanted.from), has_high, std::to_string(wanted.to)) + " " +
           (single ? one : many);
}

/// What a text must be like, when the type takes texts.
std::optional<std::string> rule_of_string(const StringType& wanted, const Type& actual) {
    if (wanted.value) return " must be " + quoted(*wanted.value) + ", got ";
    if (actual.kind() != TypeKind::String || !wanted.size || !as<StringType>(actual).value)
        return std::nullopt;
    const auto length = static_cast<std::int64_t>(character_count(*as<StringType>(actual).value));
    if (length == 0 && range(*wanted.size).from == 1) return " must not be empty";
    return " must have " + count_of(range(*wanted.size), "character", "characters") + ", got " +
           std::to_string(length);
}

/// What a value must be like to be right for a type that takes others of its kind; the sentence ends with
/// "got ", or is complete. Nullopt when it is of another kind.
std::optional<std::string> rule_of(const Type& wanted, const Type& actual) {
    switch (wanted.kind()) {
        case TypeKind::Integer:
            if (actual.kind() != TypeKind::Integer || !only_value(actual)) return std::nullopt;
            return " must be " + integer_bounds(range(wanted)) + ", got ";
        case TypeKind::Float: {
            if (actual.kind() != TypeKind::Float || !only_value(actual)) return std::nullopt;
            const auto& limits = as<FloatType>(wanted);
            const std::string low = to_program_text(Value(limits.from));
            const std::string high = to_program_text(Value(limits.to));
            return " must be " +
                   explain_bounds(limits.from > std::numeric_limits<double>::lowest(), low,
                                  limits.to < std::numeric_limits<double>::max(), high) +
                   ", got ";
        }
        case TypeKind::Boolean: {
            const auto only = as<BooleanType>(wanted).value;
            return only ? std::string(" must be ") + (*only ? "true" : "false") + ", got "
                        : " must be true or false, got ";
        }
        case TypeKind::String:
            return rule_of_string(as<StringType>(wanted), actual);
        case TypeKind::Enum: {
            const auto& words = as<EnumType>(wanted).values;
            if (words.empty()) return std::nullopt;
            return (words.size() > 2 ? " must be one of " : " must be ") +
                   explain_list(explain_quoted(words), "or") + ", got ";
        }
        case TypeKind::Pattern: {
            std::vector<std::string> all;
            for (const auto& pattern : as<PatternType>(wanted).patterns) all.push_back(pattern->inspect());
            if (all.empty()) return std::nullopt;
            return " must match " + explain_list(all, "or") + ", got ";
        }
        default:
            return std::nullopt;
    }
}

/// A type among others, or alone where no rule explains more: by its name, or as it is written when that is
/// short.
std::string short_notation(const Type& type) {
    if (type.kind() == TypeKind::Alias || type.kind() == TypeKind::Object) return type.name();
    std::string text = to_string(type);
    return text.size() <= longest_shown ? text : type.name();
}

std::string explain_struct(const StructType& wanted) {
    std::vector<std::string> keys;
    for (const StructType::Element& member : wanted.elements) keys.push_back(member.name);
    if (keys.empty()) return "an empty Hash";
    return std::string("a Hash with the key") + (keys.size() > 1 ? "s " : " ") +
           explain_list(explain_quoted(keys), "and");
}

/// What is expected where the value is of another kind.
std::string explain_kind(const TypePtr& expected, const Type& actual) {
    const Type* named = expected.get();
    while (named->kind() == TypeKind::Optional && as<WrapperType>(*named).type)
        named = as<WrapperType>(*named).type.get();
    if (named->kind() == TypeKind::Alias) {
        const auto& alias = as<AliasType>(*named);
        if (!alias.summary().empty()) return explain_article(alias.name()) + " (" + alias.summary() + ")";
        const std::string meaning = to_string(*core_of(expected));
        const bool adds_meaning =
            !alias.recursive() && meaning.size() <= longest_shown && meaning != alias.name();
        return explain_article(alias.name()) + (adds_meaning ? " (" + meaning + ")" : " value");
    }
    const TypePtr core = core_of(expected);
    if (core->kind() == TypeKind::Struct) return explain_struct(as<StructType>(*core));
    if (core->kind() != TypeKind::Variant) {
        const bool same_kind = core->kind() == actual.kind();
        return explain_article(same_kind ? short_notation(*core) : kind_name(*core)) + " value";
    }
    std::vector<std::string> choices;
    for (const TypePtr& choice : as<VariantType>(*core).types) {
        if (choice->kind() == TypeKind::Undef) continue;
        std::string text = short_notation(*choice);
        if (std::find(choices.begin(), choices.end(), text) == choices.end())
            choices.push_back(std::move(text));
    }
    if (choices.size() == 1) return explain_article(choices.front()) + " value";
    return "a value of type " + explain_list(choices, "or");
}

/// "expects ..." or "must be ...", with a space before it.
std::string explain_type(const Mismatch& mismatch) {
    const TypePtr core = core_of(mismatch.expected);
    const Type& actual = *mismatch.actual;
    auto rule = rule_of(*core, actual);
    if (!rule)
        return " expects " + explain_kind(mismatch.expected, actual) + ", got " + explain_got(actual, true);
    const bool asks_for_value = rule->ends_with(", got ");
    if (asks_for_value) {
        const bool same_kind = core->kind() == actual.kind() || actual.kind() == TypeKind::String;
        *rule += explain_got(actual, !same_kind);
    }
    // For those who look the type up; an Enum or Pattern is spelt out already.
    const bool named = mismatch.expected->kind() == TypeKind::Alias;
    const bool explained =
        core->kind() == TypeKind::Enum || core->kind() == TypeKind::Pattern || !asks_for_value;
    if (named || !explained)
        *rule += " (" + (named ? mismatch.expected->name() : short_notation(*core)) + ")";
    if (core->kind() == TypeKind::Enum && actual.kind() == TypeKind::String && as<StringType>(actual).value)
        *rule += explain_hint(*as<StringType>(actual).value, as<EnumType>(*core).values);
    return *rule;
}

std::string explain_size(const Mismatch& mismatch) {
    const RangeType& wanted = range(*mismatch.expected);
    const RangeType& given = range(*mismatch.actual);
    if (wanted.from == 1 && given.to == 0) return " must not be empty";
    const std::string one = mismatch.entries ? "entry" : "element";
    const std::string many = mismatch.entries ? "entries" : "elements";
    return " must have " + count_of(wanted, one, many) + ", got " +
           std::to_string(std::max<std::int64_t>(given.from, 0));
}

std::string explain_predicate(const Mismatch& mismatch) {
    switch (mismatch.kind) {
        case Mismatch::Kind::Type:
        case Mismatch::Kind::Pattern:
            return explain_type(mismatch);
        case Mismatch::Kind::Size:
            return explain_size(mismatch);
        case Mismatch::Kind::ExtraneousKey:
            return " has no key named " + quoted(mismatch.key) + explain_hint(mismatch.key, mismatch.known);
        case Mismatch::Kind::InvalidParameter:
            return " has no parameter named " + quoted(mismatch.key) +
                   explain_hint(mismatch.key, mismatch.known);
        default:
            return predicate(mismatch);
    }
}

/// The sentence, with a space before it. `secret`: without the value.
std::string explain(Mismatch mismatch, bool secret) {
    const bool typed = mismatch.kind == Mismatch::Kind::Type || mismatch.kind == Mismatch::Kind::Pattern;
    if (typed &&
        (secret || is_secret(*mismatch.expected) || mismatch.actual->kind() == TypeKind::Sensitive)) {
        mismatch.kind = Mismatch::Kind::Type;  // Puppet's sentence about types
        mismatch.actual = default_of(mismatch.actual->kind());
        return format(mismatch);
    }
    return place(mismatch.path) + explain_predicate(mismatch);
}

/// Task parameters that no metadata declares: why they are not data of good names.
std::string explain_free_parameters(const Hash& given) {
    static const TypePtr data = parse_type("Data");
    std::vector<std::string> sentences;
    for (const Hash::Entry& entry : given) {
        const bool text = entry.key.is_string();
        const std::string name = text ? entry.key.as_string() : to_program_text(entry.key);
        const auto plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        };
        const bool good =
            text && !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::ranges::all_of(name, plain);
        if (!good) {
            sentences.push_back(" parameter name " + quoted(name) +
                                " must begin with a lowercase letter, followed by lowercase letters, digits, "
                                "and underscores");
        } else if (!is_instance(*data, entry.value)) {
            sentences.push_back(" " +
                                explain_mismatch("parameter " + quoted(name), data, infer_set(entry.value)));
        }
    }
    return join(sentences, "\n");
}

}  // namespace

bool is_near_miss(const std::vector<Mismatch>& found, std::size_t depth) {
    return std::ranges::all_of(found, [depth](const Mismatch& mismatch) {
        const bool typed = mismatch.kind == Mismatch::Kind::Type || mismatch.kind == Mismatch::Kind::Pattern;
        if (mismatch.path.size() > depth || !typed) return true;
        const TypePtr core = core_of(mismatch.expected);
        if (mismatch.kind == Mismatch::Kind::Pattern) return mismatch.actual->kind() == TypeKind::String;
        return core->kind() == mismatch.actual->kind() && core->kind() != TypeKind::Object;
    });
}

std::string explain_mismatch(std::string_view subject, const TypePtr& expected, const TypePtr& actual) {
    const Path path{{PathElement::Kind::Subject, std::string(subject)}};
    std::vector<std::string> sentences;
    for (const Mismatch& one : find_mismatches(expected, actual, path, Wording::Plain))
        sentences.push_back(explain(one, is_secret(*expected)));
    return std::string(trim(join(sentences, "\n")));
}

std::string explain_signatures(std::string_view function, std::span<const Signature> signatures,
                               const TypePtr& arguments) {
    const auto found = compare_signatures(signatures, arguments, Wording::Plain);
    const std::string label = "'" + std::string(function) + "'";
    // Of several ways to call it the one that fits in number is meant.
    std::vector<const std::vector<Mismatch>*> close;
    for (const auto& one : found) {
        const bool counted =
            std::ranges::any_of(one, [](const Mismatch& m) { return m.kind == Mismatch::Kind::Count; });
        if (!counted) close.push_back(&one);
    }
    const auto sentence = [](const Mismatch& mismatch) {
        return explain(without_element(mismatch, 0), false);
    };
    if (close.size() == 1 && close.front()->size() == 1) return label + sentence(close.front()->front());
    if (found.size() == 1 && found.front().size() == 1) return label + sentence(found.front().front());
    std::string text =
        "The function " + label + " was called with arguments it does not accept. It expects one of:";
    for (std::size_t i = 0; i < signatures.size(); ++i) {
        text += "\n  (" + signature_text(signatures[i], Wording::Plain) + ")";
        for (const Mismatch& mismatch : found[i]) text += "\n    rejected:" + sentence(mismatch);
    }
    return text;
}

std::vector<std::string> explain_parameters(std::span<const ParameterDeclaration> declared,
                                            const Hash& given) {
    std::vector<std::string> names;
    for (const ParameterDeclaration& parameter : declared) names.push_back(parameter.name);
    const std::unordered_set<std::string_view> known(names.begin(), names.end());
    std::vector<std::string> messages;
    for (const Hash::Entry& entry : given) {
        if (entry.key.is_string() && known.contains(entry.key.as_string())) continue;
        Mismatch mismatch{Mismatch::Kind::InvalidParameter, {}};
        mismatch.key = entry.key.is_string() ? entry.key.as_string() : to_string(*infer(entry.key));
        mismatch.known = names;
        messages.push_back(explain(mismatch, false));
    }
    for (const ParameterDeclaration& parameter : declared) {
        const TypePtr type = parameter.type ? parameter.type : any();
        const Value* value = given.find(parameter.name);
        if (!value) {
            if (parameter.has_default) continue;
            Mismatch mismatch{Mismatch::Kind::MissingParameter, {}};
            mismatch.key = parameter.name;
            messages.push_back(explain(mismatch, false));
            continue;
        }
        if (is_instance(*type, *value)) continue;
        const Path path{{PathElement::Kind::Parameter, parameter.name}};
        std::vector<Mismatch> found = find_mismatches(type, infer_set(*value), path, Wording::Plain);
        if (found.empty()) {  // the value is wrong although its type makes no difference
            found.push_back({Mismatch::Kind::Type, path});
            found.back().expected = type;
            found.back().actual = infer_set(*value);
        }
        for (const Mismatch& one : found) messages.push_back(explain(one, is_secret(*type)));
    }
    return messages;
}

std::optional<std::string> explain_parameters(std::string_view subject,
                                              std::span<const ParameterDeclaration> declared,
                                              const Hash& given) {
    const std::vector<std::string> messages = explain_parameters(declared, given);
    if (messages.empty()) return std::nullopt;
    if (messages.size() == 1) return std::string(subject) + ":" + messages.front();
    return std::string(subject) + ":\n " + join(messages, "\n ");
}

std::optional<std::string> explain_task_parameters(
    std::string_view task, const std::optional<std::vector<ParameterDeclaration>>& declared,
    const Hash& given) {
    const std::string text =
        declared ? join(explain_parameters(*declared, given), "\n") : explain_free_parameters(given);
    if (text.empty()) return std::nullopt;
    return "Task " + std::string(task) + ":\n" + text;
}

bool takes_kind_of(const Type& type, const Value& value) {
    const TypePtr core = core_of(type.self());
    if (core->kind() == TypeKind::Variant) {
        return std::ranges::any_of(as<VariantType>(*core).types,
                                   [&value](const TypePtr& choice) { return takes_kind_of(*choice, value); });
    }
    switch (core->kind()) {
        case TypeKind::Integer:
        case TypeKind::Float:
        case TypeKind::Numeric:
            return value.is(Kind::Integer) || value.is(Kind::Float);
        case TypeKind::Boolean:
            return value.is(Kind::Boolean);
        case TypeKind::Array:
        case TypeKind::Tuple:
            return value.is_array();
        case TypeKind::Hash:
        case TypeKind::Struct:
            return value.is_hash();
        default:
            return false;
    }
}

}  // namespace volley
