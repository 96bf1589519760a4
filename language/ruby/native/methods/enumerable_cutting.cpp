#include <algorithm>
#include <iterator>

#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/run.hpp"
#include "language/ruby/native/walk.hpp"

/// Enumerable: the beginning, the rest, and pieces.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

std::vector<Object> first_items(const Call& call, std::size_t count) {
    std::vector<Object> items;
    if (count == 0) return items;
    walk(call, call.self, [&](const Object& item) {
        items.push_back(item);
        return items.size() < count;
    });
    return items;
}

Object enumerable_first(const Call& call) {
    if (!call.arguments.empty())
        return list(call, first_items(call, to_count(call.arguments[0], "attempt to take negative size")));
    const std::vector<Object> items = first_items(call, 1);
    return items.empty() ? Object() : items[0];
}

Object enumerable_take(const Call& call) {
    return list(call, first_items(call, to_count(call.arguments[0], "attempt to take negative size")));
}

Object enumerable_drop(const Call& call) {
    const std::size_t count = to_count(call.arguments[0], "attempt to drop negative size");
    std::size_t seen = 0;
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        if (seen++ >= count) items.push_back(item);
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_take_while(const Call& call) {
    if (!call.block) return enumerator(call, "take_while");
    std::vector<Object> items;
    walk(call, call.self, [&](const Object& item) {
        if (!yield_item(call, item).truthy()) return false;
        items.push_back(item);
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_drop_while(const Call& call) {
    if (!call.block) return enumerator(call, "drop_while");
    std::vector<Object> items;
    bool dropping = true;
    walk(call, call.self, [&](const Object& item) {
        if (dropping) dropping = yield(call, item).truthy();
        if (!dropping) items.push_back(item);
        return true;
    });
    return list(call, std::move(items));
}

Object enumerable_each_slice(const Call& call) {
    const std::int64_t size = to_integer(call.arguments[0]);
    if (size <= 0) raise_argument("invalid slice size");
    if (!call.block) return enumerator(call, "each_slice");
    std::vector<Object> slice;
    walk(call, call.self, [&](const Object& item) {
        slice.push_back(item);
        if (slice.size() == static_cast<std::size_t>(size)) {
            const Object made = list(call, std::move(slice));
            slice.clear();
            yield(call, made);
        }
        return true;
    });
    if (!slice.empty()) yield(call, list(call, std::move(slice)));
    return call.self;
}

Object enumerable_each_cons(const Call& call) {
    const std::int64_t size = to_integer(call.arguments[0]);
    if (size <= 0) raise_argument("invalid size");
    if (!call.block) return enumerator(call, "each_cons");
    std::vector<Object> last;
    walk(call, call.self, [&](const Object& item) {
        if (last.size() == static_cast<std::size_t>(size)) last.erase(last.begin());
        last.push_back(item);
        if (last.size() == static_cast<std::size_t>(size)) yield(call, list(call, last));
        return true;
    });
    return call.self;
}

/// Methods that only look at what they are called for.
bool is_question(std::string_view name) {
    static constexpr std::string_view names[] = {
        "[]",    "between?", "class",  "downcase",    "empty?", "end_with?", "even?",  "first", "include?",
        "is_a?", "last",     "length", "negative?",   "nil?",   "odd?",      "ord",    "pred",  "positive?",
        "size",  "succ",     "to_f",   "start_with?", "to_i",   "to_s",      "upcase", "zero?"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Whether a piece of code has no effect that anybody can see, judged by its text: it compares and
/// calculates.
bool is_calculation(const Code& code) {
    const auto none_or = [](const CodePtr& part) { return !part || is_calculation(*part); };
    switch (code.op) {
        case Op::Nil:
        case Op::True:
        case Op::False:
        case Op::Integer:
        case Op::Float:
        case Op::String:
        case Op::Symbol:
        case Op::Local:
            return true;
        case Op::And:
        case Op::Or:
        case Op::Not:
        case Op::If:
        case Op::Body:
            break;
        case Op::Operator:
            if (code.text == "=~" || code.text == "!~") return false;
            break;
        case Op::Call:
            if (!code.first || code.block || code.pass || !is_question(code.text)) return false;
            break;
        default:
            return false;
    }
    return code.operation != Operation::Append && none_or(code.first) && none_or(code.second) &&
           none_or(code.third) && std::all_of(code.parts.begin(), code.parts.end(), none_or);
}

/// Ruby cuts when the pieces are asked for: here a block must not do anything else, which would come too
/// early.
void need_calculation(const Call& call, const char* method) {
    need_block(call, method);
    const Closure& block = *call.block;
    if (block.code ? !is_calculation(*block.code->body) : !is_question(block.method))
        not_native(std::string(method) + " with a block that does more than to compare");
}

/// What the block raises would be raised when the pieces are asked for.
Object cutting(const Call& call, const Object& first, const Object* second) {
    try {
        return second ? yield(call, first, *second) : yield(call, first);
    } catch (const Raised&) {
        not_native("an exception while pieces are cut");
    }
}

Object pieces_enumerator(const Call& call, std::vector<Object> pieces) {
    return call.machine.heap().enumerator({list(call, std::move(pieces)), "each", {}});
}

/// Cuts between neighbours for which the block answers `cut`.
template <bool cut>
Object enumerable_cut_between(const Call& call) {
    need_calculation(call, "chunk_while");
    std::vector<Object> pieces;
    std::vector<Object> piece;
    walk(call, call.self, [&](const Object& item) {
        if (!piece.empty() && cutting(call, piece.back(), &item).truthy() == cut) {
            pieces.push_back(list(call, std::move(piece)));
            piece.clear();
        }
        piece.push_back(item);
        return true;
    });
    if (!piece.empty()) pieces.push_back(list(call, std::move(piece)));
    return pieces_enumerator(call, std::move(pieces));
}

Object enumerable_chunk(const Call& call) {
    need_calculation(call, "chunk");
    std::vector<Object> pieces;
    Object key;
    walk(call, call.self, [&](const Object& item) {
        const Object next = cutting(call, item, nullptr);
        if (next.is_nil() || next.is(Kind::Symbol)) not_native("chunk with nil or symbols");
        if (pieces.empty() || !equal(key, next)) pieces.push_back(pair(call, next, list(call, {})));
        call.machine.heap().grown(sizeof(Object));
        pieces.back().array().items[1].array().items.push_back(item);
        key = next;
        return true;
    });
    return pieces_enumerator(call, std::move(pieces));
}

constexpr Method enumerable_cutting_table[] = {
    {"chunk", 0, 0, enumerable_chunk},         {"chunk_while", 0, 0, enumerable_cut_between<false>},
    {"drop", 1, 1, enumerable_drop},           {"drop_while", 0, 0, enumerable_drop_while},
    {"each_cons", 1, 1, enumerable_each_cons}, {"each_slice", 1, 1, enumerable_each_slice},
    {"first", 0, 1, enumerable_first},         {"slice_when", 0, 0, enumerable_cut_between<true>},
    {"take", 1, 1, enumerable_take},           {"take_while", 0, 0, enumerable_take_while},
};

}  // namespace

Table enumerable_cutting_methods() { return enumerable_cutting_table; }

}  // namespace volley::ruby::methods
