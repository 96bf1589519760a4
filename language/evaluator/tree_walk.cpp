#include "language/evaluator/tree_walk.hpp"

#include <deque>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/types/object_type.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley {
namespace {

struct Options {
    TypePtr containers;  // null: lists and hashes
    bool root = true;
    bool inner = true;
    bool leaves = true;
    bool depth_first = true;
    bool references = false;
};

const TypePtr& tree_containers() {
    static const TypePtr type = parse_type("Variant[Array, Hash, Object]");
    return type;
}

Options read_options(const Value* given) {
    Options options;
    if (!given || !given->is_hash()) return options;
    const auto flag = [given](std::string_view name) {
        const Value* value = given->as_hash().find(name);
        return !value || value->is_undef() || value->truthy();
    };
    options.inner = flag("include_containers");
    options.leaves = flag("include_values");
    options.root = options.inner && flag("include_root");
    const Value* order = given->as_hash().find("order");
    options.depth_first = !order || !order->is_string() || order->as_string() == "depth_first";
    const Value* type = given->as_hash().find("container_type");
    if (type && type->is(Kind::Type)) options.containers = type->as_type();
    if (options.containers && !is_assignable(*tree_containers(), *options.containers)) {
        throw EvalError("", "Only Array, Hash, and Object types can be used as container types. Got " +
                                to_display_string(*options.containers));
    }
    const Value* references = given->as_hash().find("include_refs");
    options.references = references && references->truthy();
    if (!options.inner && !options.leaves) {
        throw EvalError("", "Options 'include_containers' and 'include_values' cannot both be false");
    }
    return options;
}

class TreeSequence final : public LazySequence {
public:
    TreeSequence(Value root, Options options)
        : LazySequence(true), root_(std::move(root)), options_(std::move(options)) {}
    TypePtr element_type() const override { return types::any(); }

private:
    struct Item {
        std::vector<Value> path;
        Value value;
    };

    /// A list of what is still to be shown serves as stack or as queue.
    bool pass(const Visit& visit) const override {
        std::deque<Item> waiting{{{}, root_}};
        bool first = true;
        // Compatibility: breadth first shows values even when they are not wanted.
        const bool leaves_shown = options_.leaves || !options_.depth_first;
        while (!waiting.empty()) {
            const Item item = waiting.front();
            waiting.pop_front();
            const bool container = first || is_container(item.value);
            const bool shown = first ? options_.root : container ? options_.inner : leaves_shown;
            first = false;
            if (shown && !visit(Value(std::vector<Value>{Value(item.path), item.value}))) return false;
            if (!container) continue;
            std::vector<Item> children = children_of(item);
            const auto place = options_.depth_first ? waiting.begin() : waiting.end();
            waiting.insert(place, children.begin(), children.end());
        }
        return true;
    }

    bool is_container(const Value& value) const {
        if (value.is(Kind::Object)) {
            if (!types::object_type_of(*value.as<ObjectBase>().type())) return false;
        } else if (!value.is_array() && !value.is_hash()) {
            return false;
        }
        return !options_.containers || is_instance(*options_.containers, value);
    }

    std::vector<Item> children_of(const Item& item) const {
        std::vector<Item> children;
        const auto add = [&](const Value& key, const Value& value) {
            children.push_back({item.path, value});
            children.back().path.push_back(key);
        };
        if (item.value.is_array()) {
            std::int64_t position = 0;
            for (const Value& value : item.value.as_array()) add(Value(position++), value);
        } else if (item.value.is_hash()) {
            for (const auto& entry : item.value.as_hash()) add(entry.key, entry.value);
        } else if (item.value.is(Kind::Object)) {  // and not a type
            for_each_attribute(item.value.as<ObjectBase>(), add);
        }
        return children;
    }

    /// Of an object those attributes that its own type declares.
    template <class Add>
    void for_each_attribute(const ObjectBase& object, const Add& add) const {
        using Kinds = types::ObjectType::AttributeKind;
        const TypePtr type = object.type();
        const types::ObjectType* known = types::object_type_of(*type);
        if (!known) return;
        for (const auto& attribute : known->own_attributes()) {
            if (attribute.kind == Kinds::Reference && !options_.references) continue;
            if (const auto value = object.attribute(attribute.name)) add(Value(attribute.name), *value);
        }
    }

    const Value root_;
    const Options options_;
};

}  // namespace

Value tree_sequence(const Value& root, const Value* options) {
    const Value start = root.is(Kind::Iterator) ? iterate_all(root) : root;
    return Value(Kind::Iterator, make_shared_object<TreeSequence>(start, read_options(options)));
}

}  // namespace volley
