#include <utility>

#include "language/execution_state.hpp"
#include "language/ruby/native/run.hpp"

namespace volley::ruby {

/// A constant is one object: what changes in it is seen wherever it is used, and when the code runs again.
Object Run::constant(const Constant& asked) {
    if (asked.place >= constants_known_) throw NotNative{"a constant that stands further down", line_};
    if (constants_[asked.place]) return *constants_[asked.place];
    ActiveFrame& frame = new_frame(program_.top);
    frame.home = &frame;
    ActiveFrame* const here = std::exchange(frame_, &frame);
    const std::size_t known = std::exchange(constants_known_, asked.place);
    try {
        const Object value = evaluate(*asked.value, frame);
        borrow(value);
        frame_ = here;
        constants_known_ = known;
        constants_[asked.place] = value;
        return value;
    } catch (const Raised& raised) {
        throw NotNative{"a constant that raises " + raised.type, line_};
    }
}

/// Whoever changes the object, or one that it holds, needs the Ruby that keeps it.
void Run::borrow(const Object& value) {
    using Kind = Object::Kind;
    const auto first_time = [](Change& change) {
        if (change == Change::Borrowed) return false;
        if (change == Change::Allowed) change = Change::Borrowed;
        return true;
    };
    step();
    if (stack_is_low()) throw NotNative{"a constant that holds itself", line_};
    switch (value.kind()) {
        case Kind::String:
            first_time(value.string().change);
            return;
        case Kind::Array:
            if (!first_time(value.array().change)) return;
            for (const Object& item : value.array().items) borrow(item);
            return;
        case Kind::Hash:
            if (!first_time(value.hash().change)) return;
            for (const Hash::Entry& entry : value.hash().entries) borrow(entry.value);
            for (const Hash::Entry& entry : value.hash().entries) borrow(entry.key);
            borrow(value.hash().fallback);
            if (value.hash().fallback_block) borrow(Object(*value.hash().fallback_block));
            return;
        case Kind::Range:
            borrow(value.range().first);
            borrow(value.range().last);
            return;
        case Kind::Enumerator:
            borrow(value.enumerator().receiver);
            for (const Object& argument : value.enumerator().arguments) borrow(argument);
            return;
        case Kind::Proc: {
            const ActiveFrame* const around = value.closure().frame;
            if (around && (around->outer || !around->locals.empty()))
                throw NotNative{"a constant that keeps variables", line_};
            return;
        }
        default:
            return;
    }
}

}  // namespace volley::ruby
