#include "apply/agent/types/concat/merged_data.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/values/errors.hpp"
#include "apply/agent/values/value.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"

namespace volley::agent {
namespace {

std::string ruby_text(const Json& json) {
    bool sensitive = false;
    return value_from_json(json, sensitive).to_text();
}

/// Whether two are one where lists are merged: 1 and 1.0 are not.
bool is_same(const Json& one, const Json& other) {
    return one == other && one.is_number_float() == other.is_number_float();
}

class Merger {
public:
    explicit Merger(bool force) : force_(force) {}

    Json merge(const Json& first, const Json& second) const {
        if (is_nothing(second)) return first;
        if (is_nothing(first)) return second;
        if (first.is_array() && second.is_array()) return all_of(first, second);
        if (!first.is_object() || !second.is_object())
            throw ApplyError("Fragments of different kinds cannot be merged: a map and a list, or one value");
        Json merged = first;
        for (const auto& [key, value] : second.items()) {
            const auto known = merged.find(key);
            if (known == merged.end())
                merged[key] = value;
            else
                *known = one_of(key, *known, value);
        }
        return merged;
    }

private:
    static bool is_nothing(const Json& json) {
        return json.is_null() || (json.is_structured() && json.empty()) ||
               (json.is_string() && json.get_ref<const std::string&>().empty());
    }

    static Json all_of(const Json& first, const Json& second) {
        Json all = Json::array();
        for (const Json* list : {&first, &second}) {
            for (const Json& item : *list) {
                if (std::none_of(all.begin(), all.end(), [&](const Json& one) { return is_same(one, item); }))
                    all.push_back(item);
            }
        }
        return all;
    }

    Json one_of(const std::string& key, const Json& first, const Json& second) const {
        if (first.is_structured() && first.type() == second.type()) return merge(first, second);
        if (first != second && !force_)
            throw ApplyError("Duplicate key '" + key + "' found with values '" + ruby_text(first) + "' and " +
                             ruby_text(second) + "'. Use 'force' attribute to merge keys.");
        return first;
    }

    bool force_;
};

/// As Ruby writes JSON: with `pretty` two blanks a level.
class Writer {
public:
    explicit Writer(bool pretty) : pretty_(pretty) {}

    void write(const Json& json, std::size_t depth, std::string& out) const {
        if (json.is_number_float()) {
            out += Value(json.get<double>()).to_text();
        } else if (!json.is_structured()) {
            out += compact_json(json);
        } else if (json.empty()) {
            write_empty(json, depth, out);
        } else if (json.is_object()) {
            out += '{';
            bool first = true;
            for (const auto& [key, value] : json.items()) {
                begin_line(first, depth + 1, out);
                out += Json(key).dump() + (pretty_ ? ": " : ":");
                write(value, depth + 1, out);
            }
            end_lines(depth, out);
            out += '}';
        } else {
            out += '[';
            bool first = true;
            for (const Json& value : json) {
                begin_line(first, depth + 1, out);
                write(value, depth + 1, out);
            }
            end_lines(depth, out);
            out += ']';
        }
    }

private:
    /// Compatibility: Ruby ends the line within what is empty.
    void write_empty(const Json& json, std::size_t depth, std::string& out) const {
        out += json.is_object() ? '{' : '[';
        if (json.is_array() && pretty_) out += '\n';
        end_lines(depth, out);
        out += json.is_object() ? '}' : ']';
    }
    void begin_line(bool& first, std::size_t depth, std::string& out) const {
        if (!first) out += ',';
        first = false;
        end_lines(depth, out);
    }
    void end_lines(std::size_t depth, std::string& out) const {
        if (pretty_) out += "\n" + std::string(2 * depth, ' ');
    }
    bool pretty_;
};

}  // namespace

std::string merged_json(const std::vector<std::string>& fragments, const std::string& format, bool force) {
    const bool list = format.find("array") != std::string::npos;
    const Merger merger(force);
    Json all = list ? Json::array() : Json::object();
    for (const std::string& fragment : fragments) {
        Json one;
        try {
            one = parse_json(fragment);
        } catch (const JsonError& error) {
            throw ApplyError(std::string("A fragment is not valid JSON: ") + error.what());
        }
        if (list)
            all.push_back(std::move(one));
        else
            all = merger.merge(all, one);
    }
    std::string text;
    Writer(format.ends_with("pretty")).write(all, 0, text);
    return text;
}

}  // namespace volley::agent
