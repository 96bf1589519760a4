#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/run.hpp"
#include "language/ruby/native/walk.hpp"

/// Enumerable: walking with a block, folding and making other collections.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

Object enumerable_each_with_index(const Call& call) {
    if (!call.arguments.empty()) not_native("each_with_index with arguments");
    if (!call.block) return enumerator(call, "each_with_index");
    std::int64_t index = 0;
    walk(call, call.self, [&](const Object& item) {
        yield(call, item, Object(index++));
        return true;
    });
    return call.self;
}

Object enumerable_each_with_object(const Call& call) {
    if (!call.block) return enumerator(call, "each_with_object");
    walk(call, call.self, [&](const Object& item) {
        yield(call, item, call.arguments[0]);
        return true;
    });
    return call.arguments[0];
}

Object enumerable_reverse_each(const Call& call) {
    if (!call.arguments.empty()) not_native("reverse_each with arguments");
    if (!call.block) return enumerator(call, "reverse_each");
    const std::vector<Object> items = items_of(call, call.self);
    for (auto item = items.rbegin(); item != items.rend(); ++item) yield(call, *item);
    return call.self;
}

Object enumerable_each_entry(const Call& call) {
    if (!call.arguments.empty()) not_native("each_entry with arguments");
    if (!call.block) return enumerator(call, "each_entry");
    walk(call, call.self, [&](const Object& item) {
        yield(call, item);
        return true;
    });
    return call.self;
}

Object enumerable_map(const Call& call) {
    if (!call.block) return enumerator(call, "map");
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        items.push_back(yield_item(call, item));
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_flat_map(const Call& call) {
    if (!call.block) return enumerator(call, "flat_map");
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        const Object made = yield_item(call, item);
        if (!made.is(Kind::Array)) {
            items.push_back(made);
            return true;
        }
        call.machine.heap().grown(made.array().items.size() * sizeof(Object));
        items.insert(items.end(), made.array().items.begin(), made.array().items.end());
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_filter_map(const Call& call) {
    if (!call.block) return enumerator(call, "filter_map");
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        if (const Object made = yield_item(call, item); made.truthy()) items.push_back(made);
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_inject(const Call& call) {
    const bool named = !call.arguments.empty() && (call.arguments.size() == 2 || !call.block);
    if (!named && !call.block) throw Raised{"LocalJumpError", "no block given"};
    const std::string name = named ? to_name(call.arguments.back()) : "";
    std::optional<Object> memo;
    if (call.arguments.size() > (named ? 1U : 0U)) memo = call.arguments[0];
    walk(call, call.self, [&](const Object& item) {
        if (!memo)
            memo = item;
        else
            memo = named ? call.machine.send(*memo, name, std::span(&item, 1)) : yield(call, *memo, item);
        return true;
    });
    return memo.value_or(Object());
}

/// Ruby adds Floats with Kahan's and Babuska's compensation.
class Sum {
public:
    explicit Sum(const Call& call) : call_(call) {
        if (!call.arguments.empty()) total_ = call.arguments[0];
        if (!total_.is(Kind::Integer) && !total_.is(Kind::Float) && !total_.is(Kind::String) &&
            !total_.is(Kind::Array))
            not_native("sum from such an object");
        if (total_.is(Kind::Float)) {
            floating_ = true;
            float_total_ = total_.number();
        }
        plain_ = !floating_ && !total_.is(Kind::Integer);
    }
    void add(const Object& item) {
        const bool number = item.is(Kind::Integer) || item.is(Kind::Float);
        if (plain_ && !any_ && number) not_native("sum of numbers from such an object");
        any_ = true;
        if (!plain_ && floating_ && number)
            return add_float(item.is(Kind::Float) ? item.number() : static_cast<double>(item.integer()));
        if (!plain_ && !floating_ && item.is(Kind::Float)) {
            floating_ = true;
            float_total_ = static_cast<double>(total_.integer());
            return add_float(item.number());
        }
        if (!plain_ && (floating_ || !number)) {
            if (floating_) total_ = Object(float_total_ + compensation_);
            floating_ = false;
            plain_ = true;
        }
        total_ = call_.machine.send(total_, "+", std::span(&item, 1));
    }
    Object result() const {
        // Compatibility: an empty Array returns what it was given; others make 0.0 of -0.0.
        if (!any_ && call_.self.is(Kind::Array)) return total_;
        return floating_ ? Object(float_total_ + compensation_) : total_;
    }

private:
    void add_float(double item) {
        if (!std::isfinite(item) || !std::isfinite(float_total_)) not_native("sum of infinity or NaN");
        const double sum = float_total_ + item;
        compensation_ += std::fabs(float_total_) >= std::fabs(item) ? (float_total_ - sum) + item
                                                                    : (item - sum) + float_total_;
        float_total_ = sum;
    }

    const Call& call_;
    Object total_ = Object(std::int64_t{0});
    bool floating_ = false;
    bool plain_ = false;
    bool any_ = false;
    double float_total_ = 0;
    double compensation_ = 0;
};

Object enumerable_sum(const Call& call) {
    Sum sum(call);
    walk(call, call.self, [&](const Object& item) {
        sum.add(call.block ? yield(call, item) : item);
        return true;
    });
    return sum.result();
}

Object enumerable_group_by(const Call& call) {
    if (!call.block) return enumerator(call, "group_by");
    const Object groups = call.machine.heap().hash();
    walk(call, call.self, [&](const Object& item) {
        const Object key = yield(call, item);
        Object* const group = groups.hash().find(key);
        call.machine.heap().grown(sizeof(Object));
        if (group)
            group->array().items.push_back(item);
        else
            groups.hash().set(key, list(call, {item}));
        return true;
    });
    return groups;
}

Object enumerable_partition(const Call& call) {
    if (!call.block) return enumerator(call, "partition");
    std::vector<Object> chosen;
    std::vector<Object> others;
    walk(call, call.self, [&](const Object& item) {
        (yield(call, item).truthy() ? chosen : others).push_back(item);
        return true;
    });
    const Object first = list(call, std::move(chosen));
    return pair(call, first, list(call, std::move(others)));
}

Object enumerable_tally(const Call& call) {
    if (!call.arguments.empty()) not_native("tally into a hash");
    const Object counts = call.machine.heap().hash();
    walk(call, call.self, [&](const Object& item) {
        Object* const count = counts.hash().find(item);
        if (count) {
            *count = Object(count->integer() + 1);
        } else {
            // Ruby's tally has the texts themselves as keys, and changing one loses its entry.
            if (item.is(Kind::String) && item.string().change == Change::Allowed)
                item.string().change = Change::Borrowed;
            counts.hash().set(item, Object(std::int64_t{1}));
        }
        return true;
    });
    return counts;
}

Object enumerable_to_a(const Call& call) { return list(call, items_of(call, call.self)); }

Object enumerable_to_h(const Call& call) {
    const Object made = call.machine.heap().hash();
    std::size_t index = 0;
    const bool counted = call.self.is(Kind::Array);
    if (call.block && call.block->lambda) not_native("to_h with a lambda");  // which is called as a proc
    walk(call, call.self, [&](const Object& item) {
        const Object entry = call.block ? yield_item(call, item) : item;
        const std::string place = counted ? " at " + std::to_string(index) : "";
        if (!entry.is(Kind::Array))
            raise_type("wrong element type " +
                       (counted ? std::string(class_name(entry)) : conversion_name(entry)) + place +
                       " (expected array)");
        const auto& items = entry.array().items;
        if (items.size() != 2) {
            raise_argument((counted ? "wrong array length" + place : "element has wrong array length") +
                           " (expected 2, was " + std::to_string(items.size()) + ")");
        }
        made.hash().set(items[0], items[1]);
        ++index;
        return true;
    });
    return made;
}

Object enumerable_uniq(const Call& call) {
    // One item is itself: Ruby does not call the block.
    if (call.self.is(Kind::Array) && call.self.array().items.size() <= 1)
        return list(call, call.self.array().items);
    const Object seen = call.machine.heap().hash();
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        const Object key = call.block ? yield_item(call, item) : item;
        if (!seen.hash().find(key)) {
            seen.hash().set(key, Object(true));
            items.push_back(item);
        }
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_compact(const Call& call) {
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        if (!item.is_nil()) items.push_back(item);
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_zip(const Call& call) {
    std::vector<std::vector<Object>> others;
    for (const Object& other : call.arguments) {
        const bool walkable = other.is(Kind::Array) || other.is(Kind::Range) || other.is(Kind::Hash) ||
                              other.is(Kind::Enumerator);
        if (other.is(Kind::Host) || other.is(Kind::Foreign)) not_native("zip with an object of Puppet");
        if (!walkable && call.self.is(Kind::Array) && call.self.array().items.empty())
            not_native("zip of nothing");
        if (!walkable)
            raise_type("wrong argument type " + std::string(class_name(other)) + " (must respond to :each)");
        if (other.is(Kind::Range) && other.range().last.is_nil()) not_native("zip with an endless range");
        others.push_back(items_of(call, other));
    }
    std::vector<Object> rows;
    std::size_t index = 0;
    walk(call, call.self, [&](const Object& item) {
        std::vector<Object> row{item};
        for (const auto& other : others) row.push_back(index < other.size() ? other[index] : Object());
        ++index;
        const Object made = list(call, std::move(row));
        if (call.block)
            yield(call, made);
        else
            rows.push_back(made);
        return true;
    });
    return call.block ? Object() : list(call, std::move(rows));
}

Object enumerable_cycle(const Call& call) {
    if (!call.block) not_native("cycle without a block");
    const bool endless = call.arguments.empty() || call.arguments[0].is_nil();
    const std::int64_t rounds = endless ? 0 : to_integer(call.arguments[0]);
    const std::vector<Object> items = items_of(call, call.self);
    if (items.empty()) return {};
    for (std::int64_t round = 0; endless || round < rounds; ++round) {
        for (const Object& item : items) {
            call.machine.step();
            yield(call, item);
        }
    }
    return {};
}

constexpr Method enumerable_table[] = {
    {"collect", 0, 0, enumerable_map},
    {"collect_concat", 0, 0, enumerable_flat_map},
    {"compact", 0, 0, enumerable_compact},
    {"cycle", 0, 1, enumerable_cycle},
    {"each_entry", 0, Method::any, enumerable_each_entry},
    {"each_with_index", 0, Method::any, enumerable_each_with_index, false, true},
    {"each_with_object", 1, 1, enumerable_each_with_object, false, true},
    {"entries", 0, 0, enumerable_to_a},
    {"filter_map", 0, 0, enumerable_filter_map},
    {"flat_map", 0, 0, enumerable_flat_map},
    {"group_by", 0, 0, enumerable_group_by},
    {"inject", 0, 2, enumerable_inject},
    {"map", 0, 0, enumerable_map},
    {"partition", 0, 0, enumerable_partition},
    {"reduce", 0, 2, enumerable_inject},
    {"reverse_each", 0, Method::any, enumerable_reverse_each},
    {"sum", 0, 1, enumerable_sum},
    {"tally", 0, 1, enumerable_tally},
    {"to_a", 0, 0, enumerable_to_a},
    {"to_h", 0, 0, enumerable_to_h},
    {"uniq", 0, 0, enumerable_uniq},
    {"zip", 0, Method::any, enumerable_zip},
};

}  // namespace

Table enumerable_methods() { return enumerable_table; }

}  // namespace volley::ruby::methods
