#include <algorithm>
#include <filesystem>

#include "apply/types/ruby/datum.hpp"
#include "language/text/regexp.hpp"
#include "support/text.hpp"

namespace volley::ruby_source {
namespace {

using DatumKind = Datum::Kind;

Datum text_method(const Datum& receiver, std::string_view name, const std::vector<Datum>& arguments) {
    const std::string& text = receiver.text;
    const bool one_text = arguments.size() == 1 && arguments[0].is_text();
    if (name == "to_s" || name == "to_str" || name == "id2name") return Datum::string(text);
    if (name == "to_sym" || name == "intern") return Datum::string(text, DatumKind::Symbol);
    if (name == "downcase") return Datum::string(lower(text), receiver.kind);
    if (name == "strip" || name == "chomp") return Datum::string(std::string(trim(text)));
    if (name == "freeze" || name == "dup" || name == "clone") return receiver;
    if (name == "empty?") return Datum::boolean(text.empty());
    if (name == "nil?") return Datum::boolean(false);
    if (one_text && name == "start_with?") return Datum::boolean(text.starts_with(arguments[0].text));
    if (one_text && name == "end_with?") return Datum::boolean(text.ends_with(arguments[0].text));
    if (one_text && name == "include?")
        return Datum::boolean(text.find(arguments[0].text) != std::string::npos);
    if (name == "split" && arguments.empty()) {
        std::vector<Datum> words;
        std::size_t at = 0;
        while ((at = text.find_first_not_of(" \t\n", at)) != std::string::npos) {
            const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
            words.push_back(Datum::string(text.substr(at, end - at)));
            at = end;
        }
        return Datum::array(std::move(words));
    }
    const bool two_texts =
        arguments.size() == 2 && arguments[0].kind == DatumKind::Text && arguments[1].is_text();
    if (two_texts && !arguments[0].text.empty() && (name == "gsub" || name == "sub" || name == "tr")) {
        if (name == "tr" && (arguments[0].text.size() != 1 || arguments[1].text.size() != 1)) return {};
        std::string result = text;
        for (std::size_t at = 0; (at = result.find(arguments[0].text, at)) != std::string::npos;) {
            result.replace(at, arguments[0].text.size(), arguments[1].text);
            at += arguments[1].text.size();
            if (name == "sub") break;
        }
        return Datum::string(std::move(result));
    }
    return {};
}

void flatten_into(const std::vector<Datum>& items, std::vector<Datum>& result) {
    for (const Datum& one : items) {
        if (one.is_array())
            flatten_into(one.items, result);
        else
            result.push_back(one);
    }
}

Datum array_method(const Datum& receiver, std::string_view name, const std::vector<Datum>& arguments) {
    const auto& items = receiver.items;
    if (name == "to_a" || name == "freeze" || name == "dup" || name == "clone" || name == "to_ary")
        return receiver;
    if (name == "empty?") return Datum::boolean(items.empty());
    if (name == "any?") return Datum::boolean(!items.empty());
    if (name == "nil?") return Datum::boolean(false);
    if (name == "size" || name == "count" || name == "length")
        return Datum::integer(static_cast<std::int64_t>(items.size()));
    if (name == "first") return items.empty() ? Datum::of(DatumKind::Nil) : items.front();
    if (name == "last") return items.empty() ? Datum::of(DatumKind::Nil) : items.back();
    if (name == "flatten") {
        std::vector<Datum> flat;
        flatten_into(items, flat);
        return Datum::array(std::move(flat));
    }
    if (name == "compact") {
        Datum result = receiver;
        std::erase_if(result.items, [](const Datum& one) { return one.kind == DatumKind::Nil; });
        return result;
    }
    if (name == "uniq" || name == "sort" || name == "reverse")
        return receiver;  // the order decides nothing here
    if (arguments.size() != 1) return {};
    const Datum& argument = arguments.front();
    if (name == "[]" && argument.kind == DatumKind::Integer && argument.number >= 0) {
        const auto index = static_cast<std::size_t>(argument.number);
        return index < items.size() ? items[index] : Datum::of(DatumKind::Nil);
    }
    if (name == "include?") {
        bool sure = true;
        for (const Datum& one : items) {
            const auto same = equal(one, argument);
            if (same && *same) return Datum::boolean(true);
            sure = sure && same.has_value();
        }
        return sure ? Datum::boolean(false) : Datum();
    }
    if ((name == "+" || name == "|" || name == "concat" || name == "union") && argument.is_array()) {
        Datum result = receiver;
        result.items.insert(result.items.end(), argument.items.begin(), argument.items.end());
        return result;
    }
    if (name == "<<" || name == "push" || name == "append") {
        Datum result = receiver;
        result.items.push_back(argument);
        return result;
    }
    if (name == "-" && argument.is_array()) {
        Datum result = receiver;
        std::erase_if(result.items, [&argument](const Datum& one) {
            return std::any_of(argument.items.begin(), argument.items.end(),
                               [&one](const Datum& other) { return equal(one, other).value_or(false); });
        });
        return result;
    }
    if (name == "join" && argument.is_text()) {
        std::string result;
        for (const Datum& one : items) {
            const auto text = one.to_text();
            if (!text) return {};
            result += (&one == items.data() ? "" : argument.text) + *text;
        }
        return Datum::string(std::move(result));
    }
    return {};
}

Datum hash_method(const Datum& receiver, std::string_view name, const std::vector<Datum>& arguments) {
    if (name == "keys" || name == "values") {
        std::vector<Datum> items;
        for (std::size_t i = name == "keys" ? 0 : 1; i < receiver.items.size(); i += 2)
            items.push_back(receiver.items[i]);
        return Datum::array(std::move(items));
    }
    if (name == "freeze" || name == "dup" || name == "clone" || name == "to_h") return receiver;
    if (name == "empty?") return Datum::boolean(receiver.items.empty());
    if (arguments.empty()) return {};
    const Datum& key = arguments.front();
    if ((name == "[]" || name == "fetch") && key.is_text()) {
        const Datum* found = receiver.at(key.text);
        if (found) return *found;
        return name == "[]" ? Datum::of(DatumKind::Nil) : arguments.size() > 1 ? arguments[1] : Datum();
    }
    if ((name == "key?" || name == "has_key?" || name == "include?") && key.is_text())
        return Datum::boolean(receiver.at(key.text) != nullptr);
    if (name == "merge" && key.is_hash()) {
        Datum result = receiver;
        result.items.insert(result.items.begin(), key.items.begin(),
                            key.items.end());  // the first of a key wins
        return result;
    }
    return {};
}

Datum file_method(std::string_view name, const std::vector<Datum>& arguments) {
    namespace fs = std::filesystem;
    std::vector<Datum> flat;
    flatten_into(arguments, flat);
    const bool texts = std::all_of(flat.begin(), flat.end(), [](const Datum& one) { return one.is_text(); });
    if (!texts || flat.empty()) return {};
    fs::path path(flat.front().text);
    if (name == "dirname") return Datum::string(path.parent_path().string());
    if (name == "basename") return Datum::string(path.filename().string());
    if (name == "join") {
        for (std::size_t i = 1; i < flat.size(); ++i) path /= fs::path(flat[i].text).relative_path();
        return Datum::string(path.string());
    }
    if (name == "expand_path" || name == "absolute_path") {
        if (flat.size() > 1) path = fs::path(flat[1].text) / path;
        return Datum::string(path.lexically_normal().string());
    }
    return {};
}

}  // namespace

Datum call_builtin(const Datum& receiver, std::string_view name, const std::vector<Datum>& arguments) {
    switch (receiver.kind) {
        case DatumKind::Text:
        case DatumKind::Symbol:
            return text_method(receiver, name, arguments);
        case DatumKind::Array:
            return array_method(receiver, name, arguments);
        case DatumKind::Hash:
            return hash_method(receiver, name, arguments);
        case DatumKind::Nil:
            return name == "nil?" ? Datum::boolean(true) : Datum();
        case DatumKind::Pattern: {
            const bool text = name == "to_s" || name == "source";
            if (!text) return name == "freeze" ? receiver : Datum();
            return Datum::string(name == "source" ? receiver.text : *receiver.to_text());
        }
        default:
            return {};
    }
}

std::optional<Datum> call_module_builtin(std::string_view module, std::string_view name,
                                         const std::vector<Datum>& arguments) {
    if (module == "File") return file_method(name, arguments);
    if (module != "Regexp" || arguments.empty()) return std::nullopt;
    const Datum& first = arguments.front();
    if (name == "new" || name == "compile") {
        if (first.kind == DatumKind::Pattern) return first;
        if (first.kind != DatumKind::Text) return Datum();
        Datum pattern = Datum::string(first.text, DatumKind::Pattern);
        if (arguments.size() > 1 && arguments[1].kind == DatumKind::Integer)
            pattern.options = static_cast<unsigned>(arguments[1].number & 7);
        return pattern;
    }
    if (name == "union") {
        std::vector<Datum> flat;
        flatten_into(arguments, flat);
        std::string source;
        for (const Datum& one : flat) {
            if (one.kind != DatumKind::Pattern) return Datum();
            source += (source.empty() ? "" : "|") + *one.to_text();
        }
        return Datum::string(std::move(source), DatumKind::Pattern);
    }
    return std::nullopt;
}

}  // namespace volley::ruby_source
