#include <algorithm>

#include "language/execution_state.hpp"
#include "language/ruby/native/run.hpp"

namespace volley::ruby {
namespace {

using BlockKind = Object::Kind;
using BoundKind = BlockCode::Parameter::Kind;

/// Ruby's words for how many arguments there may be.
std::string expected_count(const BlockCode& code) {
    const std::size_t least = code.required();
    const std::size_t most = code.most();
    if (least == most) return std::to_string(least);
    return std::to_string(least) + (most == static_cast<std::size_t>(-1) ? "+" : ".." + std::to_string(most));
}

void check_count(const BlockCode& code, std::size_t given) {
    if (given >= code.required() && given <= code.most()) return;
    throw Raised{"ArgumentError", "wrong number of arguments (given " + std::to_string(given) +
                                      ", expected " + expected_count(code) + ")"};
}

/// Puts the machine back where it was, whatever happens.
template <class T>
class Restored {
public:
    Restored(T& place, T during) : place_(place), before_(std::exchange(place, during)) {}
    ~Restored() { place_ = before_; }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;

private:
    T& place_;
    T before_;
};

}  // namespace

ActiveFrame& Run::new_frame(const BlockCode& code) {
    ActiveFrame* frame = nullptr;
    if (free_frames_.empty()) {
        heap_.grown(sizeof(ActiveFrame) + code.slots * sizeof(Object));
        frame = &frames_.emplace_back();
    } else {
        frame = free_frames_.back();
        free_frames_.pop_back();
        *frame = ActiveFrame{};
    }
    frame->locals.resize(code.slots);
    return *frame;
}

/// A frame that no block has kept is used again.
void Run::release(ActiveFrame& frame, const BlockCode& code) {
    if (!code.nests) free_frames_.push_back(&frame);
}

/// The items of what stands after "*" or is taken apart.
std::vector<Object> Run::taken_apart(const Object& value) {
    switch (value.kind()) {
        case BlockKind::Array:
            return value.array().items;
        case BlockKind::Nil:
            return {};
        case BlockKind::Hash:
        case BlockKind::Range:
        case BlockKind::Enumerator:
        case BlockKind::Match: {
            const Object list = send(value, "to_a", {});
            if (!list.is(BlockKind::Array)) throw NotNative{"* of such an object"};
            return list.array().items;
        }
        case BlockKind::Host:
        case BlockKind::Foreign:
            throw NotNative{"* of such an object"};
        default:
            return {value};
    }
}

Object Run::invoke_method(const BlockCode& code, std::span<const Object> arguments, const Closure* block) {
    if (depth_ >= most_depth || stack_is_low()) throw NotNative{"code that calls itself so deeply"};
    check_count(code, arguments.size());
    ActiveFrame& frame = new_frame(code);
    frame.home = &frame;
    frame.block = block;
    const Restored<ActiveFrame*> here(frame_, &frame);
    const Restored<int> depth(depth_, depth_ + 1);
    const Restored<std::uint32_t> line(line_, line_);
    try {
        bind(code, arguments, block, frame);
        Object result = evaluate(*code.body, frame);
        if (jump_ == Jump::Return) {
            jump_ = Jump::None;
            result = jump_value_;
        }
        release(frame, code);
        return result;
    } catch (const ReturnThrown& thrown) {
        if (thrown.frame->home != &frame) throw;
        return thrown.value;
    }
}

Object Run::invoke_block(const Closure& closure, std::span<const Object> arguments, const Closure* block,
                         bool yielded) {
    if (depth_ >= most_depth || stack_is_low()) throw NotNative{"code that calls itself so deeply"};
    const BlockCode& code = *closure.code;
    ActiveFrame& frame = new_frame(code);
    frame.outer = closure.frame;
    frame.home = closure.frame->home;
    frame.closure = &closure;
    const Restored<ActiveFrame*> here(frame_, &frame);
    const Restored<int> depth(depth_, depth_ + 1);
    try {
        bind(code, arguments, block, frame);
        Object result = evaluate(*code.body, frame);
        if (jump_ == Jump::Next) {
            jump_ = Jump::None;
            result = jump_value_;
        }
        release(frame, code);
        return result;
    } catch (const NextThrown& thrown) {
        if (thrown.frame != &frame) throw;
        return thrown.value;
    } catch (const BreakThrown& thrown) {
        if (!closure.lambda || thrown.closure != &closure) throw;
        if (yielded) throw NotNative{"break in a lambda that is a block"};  // as return, below
        return thrown.value;
    } catch (const ReturnThrown& thrown) {
        if (!closure.lambda) throw;
        for (const ActiveFrame* inside = thrown.frame; inside; inside = inside->outer) {
            if (inside != &frame) continue;
            // Ruby then leaves the lambda or the method around it, depending on how the C code yields.
            if (yielded) throw NotNative{"return in a lambda that is a block"};
            return thrown.value;
        }
        throw;
    }
}

Object Run::yield(const Closure& block, std::span<const Object> arguments) {
    return call_closure(block, arguments, true);
}

Object Run::call_closure(const Closure& block, std::span<const Object> arguments, bool yielded) {
    step();
    if (!block.code) {
        if (arguments.empty()) throw Raised{"ArgumentError", "no receiver given"};
        return send(arguments[0], block.method, arguments.subspan(1));
    }
    const bool pair =
        block.code->takes_pairs_apart && arguments.size() == 1 && arguments[0].is(BlockKind::Array);
    if (block.lambda) {
        // A lambda as the block of a method that yields one pair: Ruby has rules of its own for that.
        if (pair) throw NotNative{"a lambda as a block"};
        check_count(*block.code, arguments.size());
        return invoke_block(block, arguments, nullptr, yielded);
    }
    if (!pair) return invoke_block(block, arguments, nullptr);
    const std::vector<Object> items = arguments[0].array().items;
    return invoke_block(block, items, nullptr);
}

/// Sets the parameters; what is missing is nil, what is too much is dropped.
void Run::bind(const BlockCode& code, std::span<const Object> arguments, const Closure* block,
               ActiveFrame& frame) {
    using Parameter = BlockCode::Parameter;
    const std::vector<Parameter>& parameters = code.parameters;
    const std::size_t required = code.required();
    std::size_t optional = arguments.size() > required ? arguments.size() - required : 0;
    std::size_t following = 0;  // required ones after the rest
    for (auto one = parameters.rbegin(); one != parameters.rend(); ++one) {
        if (one->kind == BoundKind::Rest) break;
        if (one->kind == BoundKind::Required || one->kind == BoundKind::Destructured) ++following;
    }
    const bool has_rest = std::any_of(parameters.begin(), parameters.end(),
                                      [](const Parameter& one) { return one.kind == BoundKind::Rest; });
    std::size_t next = 0;
    for (const Parameter& one : parameters) {
        switch (one.kind) {
            case BoundKind::Required:
                frame.locals[one.slot] = next < arguments.size() ? arguments[next] : Object();
                ++next;
                break;
            case BoundKind::Destructured:
                destructure(one.parts, next < arguments.size() ? arguments[next] : Object(), frame);
                ++next;
                break;
            case BoundKind::Optional:
                if (optional > 0 && next < arguments.size()) {
                    frame.locals[one.slot] = arguments[next++];
                    --optional;
                } else {
                    frame.locals[one.slot] = evaluate(*one.initial, frame);
                }
                break;
            case BoundKind::Rest: {
                const std::size_t left = arguments.size() > next ? arguments.size() - next : 0;
                const std::size_t taken = has_rest && left > following ? left - following : 0;
                frame.locals[one.slot] = heap_.array(
                    {arguments.begin() + static_cast<std::ptrdiff_t>(std::min(next, arguments.size())),
                     arguments.begin() +
                         static_cast<std::ptrdiff_t>(std::min(next, arguments.size()) + taken)});
                next += taken;
                break;
            }
            case BoundKind::Block:
                frame.locals[one.slot] = block ? Object(*block) : Object();
                break;
        }
    }
}

/// "(a, *b)": a list is taken apart, anything else is the first.
void Run::destructure(const std::vector<BlockCode::Parameter>& parameters, const Object& value,
                      ActiveFrame& frame) {
    if (value.is(BlockKind::Host) || value.is(BlockKind::Foreign))
        throw NotNative{"an object that is taken apart"};
    const std::vector<Object> items = value.is(BlockKind::Array) ? value.array().items : std::vector{value};
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const BlockCode::Parameter& one = parameters[i];
        if (one.kind == BoundKind::Rest) {
            const std::size_t following = parameters.size() - i - 1;
            const std::size_t from = std::min(next, items.size());
            const std::size_t end = std::max(from, items.size() > following ? items.size() - following : 0);
            frame.locals[one.slot] = heap_.array({items.begin() + static_cast<std::ptrdiff_t>(from),
                                                  items.begin() + static_cast<std::ptrdiff_t>(end)});
            next = end;
            continue;
        }
        const Object item = next < items.size() ? items[next] : Object();
        ++next;
        if (one.kind == BoundKind::Destructured)
            destructure(one.parts, item, frame);
        else if (one.kind == BoundKind::Required)
            frame.locals[one.slot] = item;
        else
            throw NotNative{"such a parameter"};
    }
}

/// loop { ... }
Object Run::call_block_here(const Code& code, ActiveFrame& frame) {
    const Closure& block = make_closure({.code = code.block.get(), .frame = &frame});
    ActiveFrame* const here = frame_;
    const int depth = depth_;
    try {
        for (;;) yield(block, {});
    } catch (const BreakThrown& thrown) {
        if (thrown.closure != &block) throw;
        frame_ = here;
        depth_ = depth;
        return thrown.value;
    } catch (const Raised& raised) {
        // StopIteration ends a loop.
        if (raised.type == "StopIteration") throw NotNative{"StopIteration", code.line};
        throw;
    }
}

}  // namespace volley::ruby
