#include "language/lookup/data/hocon.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/lookup/data/hocon_tree.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley::lookup {
namespace hocon {

Field* Node::find(const std::string& key) {
    const auto at = positions.find(key);
    return at == positions.end() ? nullptr : &fields[at->second];
}

Field& Node::field(const std::string& key) {
    if (Field* known = find(key)) return *known;
    positions.emplace(key, fields.size());
    fields.push_back({key, {}});
    return fields.back();
}

void add_value(Node& object, const Path& path, NodePtr value) {
    Node* at = &object;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        Field& field = at->field(path[i]);
        if (field.values.empty() || field.values.back()->kind != Node::Kind::Object) {
            auto inner = std::make_shared<Node>();
            inner->kind = Node::Kind::Object;
            inner->line = value->line;
            field.values.push_back(std::move(inner));
        }
        at = field.values.back().get();
    }
    Field& field = at->field(path.back());
    const bool merges = value->kind == Node::Kind::Object && !field.values.empty() &&
                        field.values.back()->kind == Node::Kind::Object;
    if (!merges) {
        field.values.push_back(std::move(value));
        return;
    }
    const NodePtr known = field.values.back();
    for (Field& more : value->fields) {
        for (NodePtr& one : more.values) add_value(*known, {more.key}, std::move(one));
    }
}

namespace {

/// A text or blank in a concatenation; `missing` is what an optional substitution without a value leaves.
struct Resolved {
    Value value;
    std::string text;
    bool missing = false;
    bool blank = false;
};

Value merged_objects(const Value& first, const Value& second) {
    const NestingGuard guard;
    if (!first.is_hash() || !second.is_hash()) return second;
    HashBuilder all(first.as_hash());
    for (const auto& entry : second.as_hash()) {
        const Value* known = all.find(entry.key);
        all.set(entry.key, known ? merged_objects(*known, entry.value) : entry.value);
    }
    return all.build();
}

class HoconResolver {
public:
    explicit HoconResolver(const NodePtr& root) : root_(root) {}

    Value object(Node& node) {
        const NestingGuard guard(300);
        HashBuilder hash;
        for (Field& field : node.fields) {
            const auto value = up_to(field, field.values.size());
            if (value) hash.set(field.key, *value);
        }
        return hash.build();
    }

private:
    struct Working {
        const Field* field;
        std::size_t count;  // of the values that are looked at
    };

    /// The first `count` values of a field, merged; nullopt when there are none.
    std::optional<Value> up_to(Field& field, std::size_t count) {
        const NestingGuard guard(300);
        if (++steps_ > 1'000'000) throw EvalError("", "substitutions need more than a million steps");
        std::optional<Value> result;
        // Only what follows the last value that is certainly no object can matter.
        std::size_t first = count;
        while (first > 0) {
            const Node::Kind kind = field.values[--first]->kind;
            if (kind == Node::Kind::Scalar || kind == Node::Kind::List) break;
        }
        for (std::size_t i = first; i < count; ++i) {
            working_.push_back({&field, i});
            const Resolved one = resolve(*field.values[i]);
            working_.pop_back();
            if (one.missing) continue;
            result = result ? merged_objects(*result, one.value) : one.value;
        }
        return result;
    }

    Resolved resolve(Node& node) {
        switch (node.kind) {
            case Node::Kind::Scalar:
                return {node.scalar, node.text, false, node.blank};
            case Node::Kind::Object:
                return {object(node), {}, false, false};
            case Node::Kind::List: {
                std::vector<Value> items;
                for (const NodePtr& item : node.items) {
                    Resolved one = resolve(*item);
                    if (!one.missing) items.push_back(std::move(one.value));
                }
                return {Value(std::move(items)), {}, false, false};
            }
            case Node::Kind::Substitution:
                return substituted(node);
            case Node::Kind::Concatenation:
                return concatenated(node);
        }
        return {};
    }

    Resolved substituted(Node& node) {
        const auto value = find(*root_, node.path, 0, node);
        if (!value) {
            if (node.optional) return {{}, {}, true, false};
            throw EvalError("", "line " + std::to_string(node.line) +
                                    ": Could not resolve substitution to a value: ${" + join(node.path, ".") +
                                    "}");
        }
        return {*value, value->is_hash() || value->is_array() ? std::string() : to_text(*value), false,
                false};
    }

    std::optional<Value> find(Node& object, const Path& path, std::size_t index, const Node& asking) {
        Field* field = object.find(path[index]);
        if (!field) return std::nullopt;
        if (index + 1 == path.size()) return up_to(*field, values_before(*field, asking));
        // Inside of an object that is written out, only the wanted key is worked out, so that objects may
        // refer to their own parts.
        Node& last = *field->values.back();
        if (last.kind == Node::Kind::Object && (field->values.size() == 1 || last.find(path[index + 1])))
            return find(last, path, index + 1, asking);
        std::optional<Value> value = up_to(*field, values_before(*field, asking));
        for (std::size_t i = index + 1; value && i < path.size(); ++i) {
            const Value* inner = value->is_hash() ? value->as_hash().find(path[i]) : nullptr;
            value = inner ? std::optional(*inner) : std::nullopt;
        }
        return value;
    }

    /// A substitution that refers to the field it stands in means what the field was before.
    std::size_t values_before(const Field& field, const Node& asking) const {
        for (auto one = working_.rbegin(); one != working_.rend(); ++one) {
            if (one->field != &field) continue;
            if (one->count == 0 && !asking.optional) {
                throw EvalError("", "line " + std::to_string(asking.line) + ": the substitution ${" +
                                        join(asking.path, ".") + "} refers to itself");
            }
            return one->count;
        }
        return field.values.size();
    }

    Resolved concatenated(Node& node) {
        std::vector<Resolved> parts;
        for (const NodePtr& item : node.items) {
            Resolved part = resolve(*item);
            if (!part.missing) parts.push_back(std::move(part));
        }
        const auto holds = [&parts](auto test) {
            return std::ranges::any_of(parts,
                                       [&](const Resolved& part) { return !part.blank && test(part.value); });
        };
        const bool lists = holds([](const Value& value) { return value.is_array(); });
        const bool objects = holds([](const Value& value) { return value.is_hash(); });
        if (lists || objects) std::erase_if(parts, [](const Resolved& part) { return part.blank; });
        const bool texts = holds([](const Value& value) { return !value.is_array() && !value.is_hash(); });
        if ((lists && objects) || (texts && (lists || objects)))
            throw EvalError("", "line " + std::to_string(node.line) +
                                    ": values of different kinds stand next to each other");
        if (parts.empty()) return {{}, {}, true, false};
        if (objects) {
            Value all = parts[0].value;
            for (const Resolved& part : parts) all = merged_objects(all, part.value);
            return {all, {}, false, false};
        }
        if (lists) {
            std::vector<Value> items;
            for (const Resolved& part : parts) {
                for (const Value& item : part.value.as_array()) items.push_back(item);
            }
            return {Value(std::move(items)), {}, false, false};
        }
        while (!parts.empty() && parts.back().blank) parts.pop_back();
        while (!parts.empty() && parts.front().blank) parts.erase(parts.begin());
        if (parts.size() == 1) return parts[0];
        std::string text;
        for (const Resolved& part : parts) text += part.text;
        return {Value(text), text, false, false};
    }

    const NodePtr& root_;
    std::vector<Working> working_;
    std::size_t steps_ = 0;
};

}  // namespace

Value resolve(const NodePtr& root) { return HoconResolver(root).object(*root); }

}  // namespace hocon

Value hocon_value(std::string_view text) {
    if (!is_utf8(text)) throw EvalError("", "the text is not UTF-8");
    return hocon::resolve(hocon::parse(text));
}

}  // namespace volley::lookup
