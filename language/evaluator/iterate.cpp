#include "language/evaluator/iterate.hpp"

#include "language/binary.hpp"
#include "language/errors.hpp"
#include "language/types/types.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

bool is_enum(const Type& type) {
    const Type& meaning = type.kind() == TypeKind::Alias ? as<types::AliasType>(type).resolved() : type;
    return meaning.kind() == TypeKind::Enum;
}

TypePtr element_type_of(const Value& source) {
    if (source.is(Kind::Iterator)) return source.as<IteratorObject>().element_type();
    if (source.is(Kind::Integer)) {
        const std::int64_t count = source.as_integer();
        return count > 0 ? types::integer(0, count - 1) : types::simple(TypeKind::Unit);
    }
    const TypePtr iterable = infer_set(source)->iterable_type();
    if (!iterable || iterable->kind() != TypeKind::Iterable) return types::any();
    const TypePtr& element = as<types::WrapperType>(*iterable).type;
    return element ? element : types::any();
}

/// What counts integers goes through them once, whatever it is used for.
bool counts(const Value& source) {
    if (source.is(Kind::Integer)) return true;
    return source.is(Kind::Type) && infer_set(source)->iterable_type() && !is_enum(*source.as_type());
}

/// A collection as it is, with a cursor.
class PlainSequence final : public LazySequence {
public:
    explicit PlainSequence(Value source) : LazySequence(counts(source)), source_(std::move(source)) {}
    TypePtr element_type() const override { return element_type_of(source_); }
    bool hash_style() const override { return source_.is_hash(); }
    std::int64_t counting_step() const override { return counts(source_) ? 1 : 0; }

private:
    bool pass(const Visit& visit) const override {
        bool complete = true;
        iterate(source_, [&](const Value& item) { return complete = visit(item); });
        return complete;
    }
    const Value source_;
};

class StepSequence final : public LazySequence {
public:
    StepSequence(Value source, std::int64_t step)
        : LazySequence(true), source_(std::move(source)), step_(step) {}
    /// Of numbers it ends with the last that is shown.
    TypePtr element_type() const override {
        TypePtr all = element_type_of(source_);
        const std::int64_t step = counting_step();
        if (step == 0 || all->kind() != TypeKind::Integer) return all;
        const auto& range = as<types::RangeType>(*all);
        const std::int64_t rest = (range.to - range.from) % step;
        if (step > 0) return types::integer(range.from, range.to - rest);
        // Compatibility: Ruby's remainder has the sign of the divisor.
        return types::integer(range.from + (rest == 0 ? 0 : -step - rest), range.to);
    }
    std::int64_t counting_step() const override { return source_.as<LazySequence>().counting_step() * step_; }

    /// The cursor is the one of the source. It has passed what is left out before an item is shown.
    bool take(const Visit& visit) const override {
        std::int64_t position = 0;
        Value waiting;
        bool complete = true;
        source_.as<LazySequence>().take([&](const Value& item) {
            if (position == 0) waiting = item;
            if (++position < step_) return true;
            position = 0;
            return complete = visit(waiting);
        });
        return position > 0 ? visit(waiting) : complete;
    }

private:
    bool pass(const Visit& visit) const override { return take(visit); }
    const Value source_;  // an iterator
    const std::int64_t step_;
};

class ReverseSequence final : public LazySequence {
public:
    ReverseSequence(Value source, TypePtr element_type, bool once, std::int64_t step)
        : LazySequence(once),
          source_(std::move(source)),
          element_type_(std::move(element_type)),
          step_(step) {}
    TypePtr element_type() const override { return element_type_; }
    std::int64_t counting_step() const override { return step_; }

private:
    bool pass(const Visit& visit) const override {
        const Value all = iterate_all(source_);
        const auto& items = all.as_array().items();
        for (auto it = items.rbegin(); it != items.rend(); ++it) {
            if (!visit(*it)) return false;
        }
        return true;
    }
    const Value source_;
    const TypePtr element_type_;
    const std::int64_t step_;
};

bool walk_characters(const std::string& text, const std::function<bool(const Value&)>& visit) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = next_character(text, begin);
        if (!visit(Value(text.substr(begin, end - begin)))) break;
        begin = end;
    }
    return true;
}

// Whoever counts further made a mistake, and would wait for hours or run out of memory.
constexpr std::uint64_t most_steps = 100'000'000;

/// The numbers from `first` on, `count` of them.
void walk_numbers(std::int64_t first, std::uint64_t count, const std::function<bool(const Value&)>& visit) {
    for (std::uint64_t step = 0; step < count; ++step) {
        if (step == most_steps)
            throw EvalError("ITERATION_TOO_LONG",
                            "An iteration may have at most " + std::to_string(most_steps) + " steps");
        if (!visit(Value(first + static_cast<std::int64_t>(step)))) return;
    }
}

bool walk_type(const Type& type, const std::function<bool(const Value&)>& visit) {
    const Type& meaning = type.kind() == TypeKind::Alias ? as<types::AliasType>(type).resolved() : type;
    if (meaning.kind() == TypeKind::Enum) {
        for (const std::string& word : as<types::EnumType>(meaning).values) {
            if (!visit(Value(word))) break;
        }
        return true;
    }
    if (meaning.kind() != TypeKind::Integer || !as<types::RangeType>(meaning).finite()) return false;
    const auto& range = as<types::RangeType>(meaning);
    // As unsigned numbers even the widest range has a length.
    const auto last = static_cast<std::uint64_t>(range.to) - static_cast<std::uint64_t>(range.from);
    if (range.from <= range.to) walk_numbers(range.from, last + 1 == 0 ? last : last + 1, visit);
    return true;
}

}  // namespace

bool iterate(const Value& value, const std::function<bool(const Value&)>& visit) {
    switch (value.kind()) {
        case Kind::Array:
            for (const Value& item : value.as_array()) {
                if (!visit(item)) break;
            }
            return true;
        case Kind::Hash:
            for (const auto& entry : value.as_hash()) {
                if (!visit(Value(std::vector<Value>{entry.key, entry.value}))) break;
            }
            return true;
        case Kind::String:
            return walk_characters(value.as_string(), visit);
        case Kind::Integer:
            if (value.as_integer() < 0) return false;
            walk_numbers(0, static_cast<std::uint64_t>(value.as_integer()), visit);
            return true;
        case Kind::Binary:
            for (const char byte : value.as<Binary>().bytes) {
                if (!visit(Value(static_cast<std::int64_t>(static_cast<unsigned char>(byte))))) break;
            }
            return true;
        case Kind::Type:
            return walk_type(*value.as_type(), visit);
        case Kind::Iterator:
            value.as<LazySequence>().walk(visit);
            return true;
        case Kind::Object: {
            const Value items = value.as<ObjectBase>().items();
            return items.is_array() && iterate(items, visit);
        }
        default:
            return false;
    }
}

Value iterate_all(const Value& value) {
    if (value.is_array()) return value;
    std::vector<Value> items;
    const bool walked = iterate(value, [&items](const Value& item) {
        check_list_size(items.size() + 1);
        items.push_back(item);
        return true;
    });
    if (!walked) throw EvalError("", to_string(*infer(value)->generalize()) + " is not something enumerable");
    return items;
}

bool LazySequence::take(const Visit& visit) const {
    std::uint64_t position = 0;
    // A visit may use the same sequence, which moves the cursor on.
    return pass([&](const Value& item) {
        if (position++ < taken_) return true;
        taken_ = position;
        return visit(item);
    });
}

Value step_sequence(const Value& source, std::int64_t step) {
    Value items = source;
    if (!source.is(Kind::Iterator)) items = Value(Kind::Iterator, make_shared_object<PlainSequence>(source));
    if (step == 1) return items;
    return Value(Kind::Iterator, make_shared_object<StepSequence>(std::move(items), step));
}

Value reverse_sequence(const Value& source) {
    // What can be gone through once is emptied here.
    const bool once = source.is(Kind::Iterator) && source.as<LazySequence>().once();
    const bool counted = counts(source);
    const std::int64_t step = source.is(Kind::Iterator) ? -source.as<LazySequence>().counting_step()
                              : counted                 ? -1
                                                        : 0;
    return Value(Kind::Iterator, make_shared_object<ReverseSequence>(once ? iterate_all(source) : source,
                                                                     element_type_of(source), counted, step));
}

}  // namespace volley
