#include "language/types/mismatch.hpp"

#include <algorithm>
#include <unordered_set>

#include "language/errors.hpp"
#include "language/types/mismatch_text.hpp"
#include "language/types/types.hpp"

namespace volley {

using namespace types;

namespace {

using List = std::vector<Mismatch>;

TypePtr exactly(std::size_t count) {
    return size_range(static_cast<std::int64_t>(count), static_cast<std::int64_t>(count));
}

Path extend(const Path& path, PathElement::Kind kind, std::string text) {
    Path result = path;
    result.push_back({kind, std::move(text)});
    return result;
}

void append(List& list, List more) {
    for (Mismatch& mismatch : more) list.push_back(std::move(mismatch));
}

/// Compares an expected type with an actual one and says where they part. `original` is the expected type
/// before aliases and Optionals were looked through; that is what messages show.
class Describer {
public:
    explicit Describer(Wording wording = Wording::Puppet) : plain_(wording == Wording::Plain) {}

    List describe(const TypePtr& expected, const TypePtr& actual, const Path& path) {
        std::string unresolved;
        if (find_unresolved(*expected, unresolved)) {
            Mismatch mismatch{Mismatch::Kind::UnresolvedReference, path};
            mismatch.key = unresolved;
            return {mismatch};
        }
        return compare(expected->normalize(), expected, actual, path);
    }

    /// `sizes` says whether a wrong count is about a size or about arguments.
    List compare_tuple(const Type& expected, const TypePtr& original, const TypePtr& actual, const Path& path,
                       Mismatch::Kind sizes) {
        const auto& wanted = as<TupleType>(expected);
        if (expected.equals(*actual) || (wanted.types.empty() && actual->kind() == TypeKind::Array))
            return {};
        const TypePtr wanted_size = wanted.size_range();
        if (actual->kind() == TypeKind::Tuple) {
            const auto& given = as<TupleType>(*actual);
            if (!is_assignable(*wanted_size, *given.size_range())) {
                return {typed(sizes, path, wanted_size, given.size_range())};
            }
            List found;
            for (std::size_t i = 0; i < given.types.size() && !wanted.types.empty(); ++i) {
                const std::size_t slot = std::min(i, wanted.types.size() - 1);
                append(found, describe(wanted.types[slot], given.types[i], index(path, slot)));
            }
            return found;
        }
        if (actual->kind() != TypeKind::Array) return {typed(Mismatch::Kind::Type, path, original, actual)};
        const auto& given = as<CollectionType>(*actual);
        const TypePtr given_size = given.size ? given.size : size_range(0);
        if (!is_assignable(*wanted_size, *given_size)) return {typed(sizes, path, wanted_size, given_size)};
        List found;
        for (std::size_t i = 0; i < wanted.types.size(); ++i) {
            append(found, describe(wanted.types[i], given.value, index(path, i)));
        }
        return found;
    }

private:
    static Mismatch typed(Mismatch::Kind kind, const Path& path, const TypePtr& expected,
                          const TypePtr& actual) {
        Mismatch mismatch{kind, path};
        mismatch.expected = expected->normalize();
        mismatch.actual = actual->normalize();
        return mismatch;
    }

    static Path index(const Path& path, std::size_t i) {
        return extend(path, PathElement::Kind::Index, std::to_string(i));
    }

    static bool find_unresolved(const Type& type, std::string& name) {
        std::unordered_set<const Type*> seen;
        return find_unresolved(type, name, seen);
    }

    static bool find_unresolved(const Type& type, std::string& name, std::unordered_set<const Type*>& seen) {
        const NestingGuard guard;
        if (type.kind() == TypeKind::Reference) {
            name = as<TextType>(type).texts.front();
            return true;
        }
        if (!seen.insert(&type).second) return false;
        if (type.kind() == TypeKind::Alias)
            return find_unresolved(as<AliasType>(type).resolved(), name, seen);
        bool found = false;
        type.for_each_contained(
            [&](const Type& part) { found = found || find_unresolved(part, name, seen); });
        return found;
    }

    List compare(const TypePtr& expected, const TypePtr& original, const TypePtr& actual, const Path& path) {
        const NestingGuard guard;
        switch (expected->kind()) {
            case TypeKind::Variant:
                return compare_variant(*expected, original, actual, path);
            case TypeKind::Struct:
                return compare_struct(*expected, original, actual, path);
            case TypeKind::Hash:
                return compare_hash(*expected, original, actual, path);
            case TypeKind::Tuple:
                return compare_tuple(*expected, original, actual, path, Mismatch::Kind::Size);
            case TypeKind::Array:
                return compare_array(*expected, original, actual, path);
            case TypeKind::Callable:
                return compare_callable(*expected, original, actual, path);
            case TypeKind::Optional: {
                const TypePtr& contained = as<WrapperType>(*expected).type;
                if (actual->kind() == TypeKind::Undef || !contained) return {};
                return compare(contained, original->kind() == TypeKind::Alias ? original : expected, actual,
                               path);
            }
            // Compatibility: no check here; whoever asks knows already that they do not match.
            case TypeKind::Pattern:
            case TypeKind::Enum:
                return {typed(Mismatch::Kind::Pattern, path, original, actual)};
            case TypeKind::Alias: {
                const bool named =
                    plain_ && original->kind() == TypeKind::Alias;  // by the name that people wrote
                return compare(as<AliasType>(*expected).resolved().normalize(), named ? original : expected,
                               actual, path);
            }
            default:
                if (is_assignable(*expected, *actual)) return {};
                return {typed(Mismatch::Kind::Type, path, original, actual)};
        }
    }

    List compare_variant(const Type& expected, const TypePtr& original, const TypePtr& actual,
                         const Path& path) {
        std::vector<TypePtr> choices = as<VariantType>(expected).types;
        if (original->kind() == TypeKind::Optional) choices.insert(choices.begin(), undef());
        std::vector<List> found;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            List one =
                describe(choices[i], actual, extend(path, PathElement::Kind::Variant, std::to_string(i)));
            if (one.empty()) return {};
            found.push_back(std::move(one));
        }
        if (plain_) return closest_choice(found, original, actual, path);
        List merged = merge_mismatches(path.size(), Mismatch::Kind::Size, found);
        if (original->kind() == TypeKind::Alias && merged.size() == 1) {
            return {typed(Mismatch::Kind::Type, path, original, actual)};
        }
        return merged;
    }

    /// What is wrong with the one choice that is of the value's kind; without one, that none of them is.
    List closest_choice(const std::vector<List>& choices, const TypePtr& original, const TypePtr& actual,
                        const Path& path) {
        const List* closest = nullptr;
        for (const List& choice : choices) {
            if (!is_near_miss(choice, path.size() + 1)) continue;
            if (closest) return {typed(Mismatch::Kind::Type, path, original, actual)};
            closest = &choice;
        }
        if (!closest) return {typed(Mismatch::Kind::Type, path, original, actual)};
        List found;
        for (const Mismatch& mismatch : *closest) found.push_back(without_element(mismatch, path.size()));
        return found;
    }

    List compare_struct(const Type& expected, const TypePtr& original, const TypePtr& actual,
                        const Path& path) {
        const auto& wanted = as<StructType>(expected);
        if (actual->kind() == TypeKind::Hash) {
            const auto& given = as<CollectionType>(*actual);
            const TypePtr wanted_size = size_range(static_cast<std::int64_t>(wanted.required_count()),
                                                   static_cast<std::int64_t>(wanted.elements.size()));
            const TypePtr given_size = given.size ? given.size : size_range(0);
            if (!is_assignable(*wanted_size, *given_size)) {
                if (plain_ && range(*given_size).to == 0) return missing_keys(wanted, path);
                return {typed(Mismatch::Kind::Size, path, wanted_size, given_size)};
            }
            return {typed(Mismatch::Kind::Type, path, original, hash_of(given.key, given.value))};
        }
        if (actual->kind() != TypeKind::Struct) return {typed(Mismatch::Kind::Type, path, original, actual)};
        const auto& given = as<StructType>(*actual);
        List found;
        for (const StructType::Element& member : wanted.elements) {
            const StructType::Element* other = given.find(member.name);
            if (!other) {
                if (!member.optional()) found.push_back(keyed(Mismatch::Kind::MissingKey, path, member.name));
                continue;
            }
            if (!is_assignable(*member.key, *other->key)) {
                append(found, describe(member.key, other->key,
                                       extend(path, PathElement::Kind::EntryKey, member.name)));
            }
            if (!is_assignable(*member.value, *other->value)) {
                append(found, describe(member.value, other->value,
                                       extend(path, PathElement::Kind::EntryValue, member.name)));
            }
        }
        for (const StructType::Element& other : given.elements) {
            if (wanted.find(other.name)) continue;
            found.push_back(keyed(Mismatch::Kind::ExtraneousKey, path, other.name));
            for (const StructType::Element& member : wanted.elements)
                found.back().known.push_back(member.name);
        }
        return found;
    }

    static List missing_keys(const StructType& wanted, const Path& path) {
        List found;
        for (const StructType::Element& member : wanted.elements) {
            if (!member.optional()) found.push_back(keyed(Mismatch::Kind::MissingKey, path, member.name));
        }
        return found;
    }

    /// What is wrong with the size of a collection; a null size is any. `entries`: those of a hash.
    static std::optional<Mismatch> wrong_size(const Path& path, const TypePtr& wanted, const TypePtr& given,
                                              bool entries) {
        const TypePtr allowed = wanted ? wanted : size_range(0);
        const TypePtr size = given ? given : size_range(0);
        if (is_assignable(*allowed, *size)) return std::nullopt;
        Mismatch mismatch = typed(Mismatch::Kind::Size, path, allowed, size);
        mismatch.entries = entries;
        return mismatch;
    }

    static Mismatch keyed(Mismatch::Kind kind, const Path& path, const std::string& key) {
        Mismatch mismatch{kind, path};
        mismatch.key = key;
        return mismatch;
    }

    List compare_hash(const Type& expected, const TypePtr& original, const TypePtr& actual,
                      const Path& path) {
        const auto& wanted = as<CollectionType>(expected);
        if (actual->kind() == TypeKind::Hash) {
            const auto& given = as<CollectionType>(*actual);
            if (auto size = wrong_size(path, wanted.size, given.size, true)) return {*std::move(size)};
            return {typed(Mismatch::Kind::Type, path, original, hash_of(given.key, given.value))};
        }
        if (actual->kind() != TypeKind::Struct) return {typed(Mismatch::Kind::Type, path, original, actual)};
        const auto& given = as<StructType>(*actual);
        const TypePtr given_size = size_range(static_cast<std::int64_t>(given.required_count()),
                                              static_cast<std::int64_t>(given.elements.size()));
        if (auto size = wrong_size(path, wanted.size, given_size, true)) return {*std::move(size)};
        List found;
        for (const StructType::Element& member : given.elements) {
            if (!is_assignable(*wanted.key, *member.key)) {
                append(found, describe(wanted.key, member.key,
                                       extend(path, PathElement::Kind::EntryKey, member.name)));
            }
            if (!is_assignable(*wanted.value, *member.value)) {
                append(found, describe(wanted.value, member.value,
                                       extend(path, PathElement::Kind::EntryValue, member.name)));
            }
        }
        return found;
    }

    List compare_array(const Type& expected, const TypePtr& original, const TypePtr& actual,
                       const Path& path) {
        const auto& wanted = as<CollectionType>(expected);
        if (actual->kind() == TypeKind::Array) {
            const auto& given = as<CollectionType>(*actual);
            if (auto size = wrong_size(path, wanted.size, given.size, false)) return {*std::move(size)};
            return {typed(Mismatch::Kind::Type, path, original, array_of(given.value))};
        }
        if (actual->kind() != TypeKind::Tuple) return {typed(Mismatch::Kind::Type, path, original, actual)};
        const auto& given = as<TupleType>(*actual);
        const TypePtr given_size = given.size ? given.size : exactly(given.types.size());
        if (auto size = wrong_size(path, wanted.size, given_size, false)) return {*std::move(size)};
        List found;
        for (std::size_t i = 0; i < given.types.size(); ++i) {
            if (is_assignable(*wanted.value, *given.types[i])) continue;
            append(found, describe(wanted.value, given.types[i], index(path, i)));
        }
        return found;
    }

    List compare_callable(const Type& expected, const TypePtr& original, const TypePtr& actual,
                          const Path& path) {
        const auto& wanted = as<CallableType>(expected);
        if (actual->kind() != TypeKind::Callable)
            return {typed(Mismatch::Kind::Type, path, original, actual)};
        if (!wanted.parameters) return {};
        const auto& given = as<CallableType>(*actual);
        const TypePtr given_parameters = given.parameters ? given.parameters : default_of(TypeKind::Tuple);
        List found = compare_tuple(*wanted.parameters, wanted.parameters, given_parameters, path,
                                   Mismatch::Kind::Count);
        if (!found.empty()) return found;
        const TypePtr wanted_return = wanted.return_type ? wanted.return_type : any();
        const TypePtr given_return = given.return_type ? given.return_type : any();
        if (!is_assignable(*wanted_return, *given_return)) {
            return {typed(Mismatch::Kind::Type, extend(path, PathElement::Kind::Return, "return"),
                          wanted_return, given_return)};
        }
        const TypePtr wanted_block = wanted.block ? wanted.block : undef();
        const TypePtr given_block = given.block ? given.block : undef();
        if (is_assignable(*given_block, *wanted_block)) return {};
        return {typed(Mismatch::Kind::Type, extend(path, PathElement::Kind::Block, "block"), wanted_block,
                      given_block)};
    }

    bool plain_;
};

/// The mismatches of one signature's plain arguments: a wrong count, or the first argument that is wrong.
List compare_arguments(const Signature& signature, const TypePtr& arguments, const Path& path,
                       Wording wording) {
    const auto& callable = as<CallableType>(*signature.callable);
    if (!callable.parameters) return {};
    const auto& wanted = as<TupleType>(*callable.parameters);
    const auto& given = as<TupleType>(*arguments).types;
    const std::size_t count = given.empty() || !given.back()->is_callable() ? given.size() : given.size() - 1;
    if (!is_assignable(*wanted.size_range(), *exactly(count))) {
        Mismatch mismatch{Mismatch::Kind::Count, path};
        mismatch.expected = wanted.size_range();
        mismatch.actual = exactly(count);
        return {mismatch};
    }
    for (std::size_t i = 0; i < count && !wanted.types.empty(); ++i) {
        const std::size_t slot = std::min(i, wanted.types.size() - 1);
        if (is_assignable(*wanted.types[slot], *given[i])) continue;
        const std::string name = slot < signature.names.size() ? signature.names[slot] : "";
        List found = Describer(wording).describe(wanted.types[slot], given[i],
                                                 extend(path, PathElement::Kind::Parameter, name));
        if (!found.empty()) return found;
    }
    return {};
}

List compare_block(const Signature& signature, const TypePtr& arguments, const Path& path) {
    const auto& callable = as<CallableType>(*signature.callable);
    const auto& given = as<TupleType>(*arguments).types;
    if (!given.empty() && given.back()->is_callable()) {
        if (!callable.block) return {Mismatch{Mismatch::Kind::UnexpectedBlock, path}};
        return Describer().describe(callable.block, given.back(),
                                    extend(path, PathElement::Kind::Block, "block"));
    }
    if (!callable.block || is_assignable(*callable.block, *undef())) return {};
    return {Mismatch{Mismatch::Kind::MissingBlock, path}};
}

}  // namespace

/// What is wrong with each signature: its arguments, or its block when the arguments of one were right.
std::vector<List> compare_signatures(std::span<const Signature> signatures, const TypePtr& arguments,
                                     Wording wording) {
    std::vector<List> found;
    bool all_wrong = true;
    for (std::size_t i = 0; i < signatures.size(); ++i) {
        const Path path{{PathElement::Kind::Signature, std::to_string(i + 1) + "."}};
        found.push_back(compare_arguments(signatures[i], arguments, path, wording));
        all_wrong = all_wrong && !found.back().empty();
    }
    if (all_wrong) return found;
    std::vector<List> blocks;
    std::size_t wrong_blocks = 0;
    for (std::size_t i = 0; i < signatures.size(); ++i) {
        const Path path{{PathElement::Kind::Signature, std::to_string(i + 1) + "."}};
        blocks.push_back(compare_block(signatures[i], arguments, path));
        if (!blocks.back().empty()) ++wrong_blocks;
    }
    if (wrong_blocks == blocks.size()) return blocks;
    for (std::size_t i = 0; wrong_blocks > 0 && i < found.size(); ++i) {
        if (found[i].empty()) found[i] = blocks[i];
    }
    return found;
}

std::vector<Mismatch> find_mismatches(const TypePtr& expected, const TypePtr& actual, const Path& path,
                                      Wording wording) {
    return Describer(wording).describe(expected, actual, path);
}

std::string describe_mismatch(std::string_view subject, const TypePtr& expected, const TypePtr& actual) {
    const List found =
        Describer().describe(expected, actual, {{PathElement::Kind::Subject, std::string(subject)}});
    if (found.size() == 1) {
        const std::string text = format(found.front());
        const std::size_t begin = text.find_first_not_of(' ');
        return begin == std::string::npos ? text : text.substr(begin);
    }
    std::string result;
    for (const Mismatch& mismatch : found) result += (result.empty() ? "" : "\n ") + format(mismatch);
    return result;
}

std::string describe_signatures(std::string_view function, std::span<const Signature> signatures,
                                const TypePtr& arguments) {
    const std::string label = function == "lambda" ? "block" : "'" + std::string(function) + "'";
    const std::vector<List> found = compare_signatures(signatures, arguments, Wording::Puppet);
    const List merged = merge_mismatches(0, Mismatch::Kind::Count, found);
    if (merged.size() == 1) return label + format(merged.front());
    std::string result;
    if (signatures.size() == 1) {
        result = label + " expects (" + signature_text(signatures.front()) + ")";
        for (const Mismatch& mismatch : found.front())
            result += "\n  rejected:" + format(without_element(mismatch, 0));
        return result;
    }
    result = "The function " + label + " was called with arguments it does not accept. It expects one of:";
    for (std::size_t i = 0; i < signatures.size(); ++i) {
        result += "\n  (" + signature_text(signatures[i]) + ")";
        for (const Mismatch& mismatch : found[i])
            result += "\n    rejected:" + format(without_element(mismatch, 0));
    }
    return result;
}

bool fits_type(const Type& type, const Value& value, const FutureType& future) {
    const std::optional<TypePtr> later = future ? future(value) : std::nullopt;
    if (!later) return is_instance(type, value);
    return !*later || is_assignable(*type.generalize(), *(*later)->generalize());
}

std::vector<std::string> check_parameters(std::span<const ParameterDeclaration> declared, const Hash& given,
                                          bool missing_allowed, const FutureType& future) {
    std::vector<std::string> messages;
    std::unordered_set<std::string_view> names;  // of many: metadata from outside may declare thousands
    if (declared.size() > 32) {
        for (const ParameterDeclaration& parameter : declared) names.insert(parameter.name);
    }
    const auto is_known = [&](const std::string& name) {
        if (!names.empty()) return names.contains(name);
        return std::any_of(declared.begin(), declared.end(),
                           [&name](const ParameterDeclaration& parameter) { return parameter.name == name; });
    };
    for (const auto& entry : given) {
        if (entry.key.is_string() && is_known(entry.key.as_string())) continue;
        Mismatch mismatch{Mismatch::Kind::InvalidParameter, {}};
        mismatch.key = entry.key.is_string() ? entry.key.as_string() : to_string(*infer(entry.key));
        messages.push_back(format(mismatch));
    }
    for (const ParameterDeclaration& parameter : declared) {
        const TypePtr type = parameter.type ? parameter.type : any();
        const Value* value = given.find(parameter.name);
        if (!value) {
            if (parameter.has_default || missing_allowed) continue;
            Mismatch mismatch{Mismatch::Kind::MissingParameter, {}};
            mismatch.key = parameter.name;
            messages.push_back(format(mismatch));
        } else if (!fits_type(*type, *value, future)) {
            const Path path{{PathElement::Kind::Parameter, parameter.name}};
            const std::optional<TypePtr> later = future ? future(*value) : std::nullopt;
            for (const Mismatch& mismatch :
                 Describer().describe(type, later ? *later : infer_set(*value), path)) {
                messages.push_back(format(mismatch));
            }
        }
    }
    return messages;
}

std::optional<std::string> describe_parameters(std::string_view subject,
                                               std::span<const ParameterDeclaration> declared,
                                               const Hash& given, const FutureType& future) {
    const std::vector<std::string> messages = check_parameters(declared, given, false, future);
    if (messages.empty()) return std::nullopt;
    if (messages.size() == 1) return std::string(subject) + ":" + messages.front();
    std::string result = std::string(subject) + ":";
    for (const std::string& message : messages) result += "\n " + message;
    return result;
}

}  // namespace volley
