#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/json/json_reader.hpp"

namespace volley {
namespace {

/// Reads "$[0]['key']" one segment after the other.
class PathReader {
public:
    explicit PathReader(std::string_view path) : path_(path) {
        if (!path_.starts_with('$')) fail();
        path_.remove_prefix(1);
    }
    bool at_end() const noexcept { return path_.empty(); }
    Json next() {
        if (!path_.starts_with('[')) fail();
        path_.remove_prefix(1);
        Json segment = path_.starts_with('\'') || path_.starts_with('"') ? quoted() : word();
        if (!path_.starts_with(']')) fail();
        path_.remove_prefix(1);
        return segment;
    }

private:
    [[noreturn]] static void fail() { throw EvalError("", "A LocalRef has a path that cannot be read"); }
    Json quoted() {
        const char quote = path_[0];
        std::string text;
        std::size_t i = 1;
        for (; i < path_.size() && path_[i] != quote; ++i) {
            if (path_[i] == '\\' && i + 1 < path_.size()) {
                const char next = path_[++i];
                const bool single = quote == '\'';
                if (single && next != '\'' && next != '\\') text += '\\';
                text += single ? next : next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next;
                continue;
            }
            text += path_[i];
        }
        if (i >= path_.size()) fail();
        path_.remove_prefix(i + 1);
        return text;
    }
    Json word() {
        const std::string text(path_.substr(0, path_.find(']')));
        path_.remove_prefix(text.size());
        if (text == "null") return nullptr;
        if (text == "true" || text == "false") return text == "true";
        Json number = try_parse_json(text);
        if (!number.is_number()) fail();
        return number;
    }
    std::string_view path_;
};

class DataReader {
public:
    DataReader(const Json& root, const PcoreWorld& world) : root_(root), world_(world) {}

    Value read(const Json& data) {
        const NestingGuard guard;
        if (!data.is_array() && !data.is_object()) return from_json(data);
        if (const auto known = done_.find(&data); known != done_.end()) return known->second;
        if (!busy_.insert(&data).second) throw EvalError("", "The data contains itself");
        Value value = data.is_array() ? read_list(data) : read_object(data);
        busy_.erase(&data);
        return done_.emplace(&data, std::move(value)).first->second;
    }

private:
    Value read_list(const Json& data) {
        std::vector<Value> items;
        items.reserve(data.size());
        for (const Json& item : data) items.push_back(read(item));
        return items;
    }
    Value read_object(const Json& data) {
        const auto type = data.find("__ptype");
        if (type != data.end() && type->is_string())
            return read_rich(data, type->get_ref<const std::string&>());
        HashBuilder hash;
        for (const auto& [key, item] : data.items()) hash.set(key, read(item));
        return hash.build();
    }
    static const Json& content(const Json& data) {
        const auto found = data.find("__pvalue");
        if (found == data.end())
            throw EvalError("", "A value of type " + data["__ptype"].get<std::string>() + " has no __pvalue");
        return *found;
    }
    Value read_rich(const Json& data, const std::string& type) {
        if (type == "Default") return Value::make_default();
        if (type == "Hash") return read_pairs(content(data));
        if (type == "Sensitive") return Value::sensitive(read(content(data)));
        if (type == "Symbol") return read(content(data));
        if (type == "LocalRef") return read(resolve(content(data)));
        const auto text = data.find("__pvalue");
        if (text != data.end()) {
            if (!text->is_string())
                throw EvalError("", "Cannot create a " + type + " from something that is not a String");
            return make_from_text(type, text->get<std::string>(), world_);
        }
        if (type == "Pcore::TypeAliasType") {  // a known one may refer to itself in its meaning
            const auto name = data.find("name");
            if (name != data.end() && name->is_string()) {
                if (const TypePtr known = world_.types.load(name->get<std::string>())) return known;
            }
        }
        HashBuilder attributes;
        for (const auto& [key, item] : data.items()) {
            if (key != "__ptype") attributes.set(key, read(item));
        }
        const Value given = attributes.build();
        return make_object(type, given.as_hash(), world_);
    }
    Value read_pairs(const Json& list) {
        if (!list.is_array() || list.size() % 2 != 0)
            throw EvalError("", "The content of a Hash is not a list of keys and values");
        HashBuilder hash;
        for (std::size_t i = 0; i < list.size(); i += 2) hash.set(read(list[i]), read(list[i + 1]));
        return hash.build();
    }
    const Json& resolve(const Json& path) {
        if (!path.is_string()) throw EvalError("", "A LocalRef has a path that cannot be read");
        PathReader reader(path.get_ref<const std::string&>());
        const Json* node = &root_;
        while (!reader.at_end()) node = member(*node, reader.next());
        return *node;
    }
    /// One step of a path. Containers that are written as objects are looked through.
    static const Json* member(const Json& node, const Json& key) {
        const auto missing = []() -> const Json* { throw EvalError("", "A LocalRef leads to nothing"); };
        if (node.is_array()) {
            const bool inside = key.is_number_integer() && key.get<std::int64_t>() >= 0 &&
                                key.get<std::size_t>() < node.size();
            return inside ? &node[key.get<std::size_t>()] : missing();
        }
        if (!node.is_object()) return missing();
        const auto type = node.find("__ptype");
        if (type != node.end() && *type == "Sensitive" && node.contains("__pvalue"))
            return member(node["__pvalue"], key);
        if (type != node.end() && *type == "Hash" && node.contains("__pvalue")) {
            const Json& pairs = node["__pvalue"];
            for (std::size_t i = 0; pairs.is_array() && i + 1 < pairs.size(); i += 2) {
                if (pairs[i] == key) return &pairs[i + 1];
            }
            return missing();
        }
        const auto found = key.is_string() ? node.find(key.get_ref<const std::string&>()) : node.end();
        return found == node.end() ? missing() : &*found;
    }

    const Json& root_;
    const PcoreWorld& world_;
    std::unordered_map<const Json*, Value> done_;
    std::unordered_set<const Json*> busy_;
};

}  // namespace

Value from_pcore_data(const Json& data, const PcoreWorld& world) {
    return DataReader(data, world).read(data);
}

}  // namespace volley
