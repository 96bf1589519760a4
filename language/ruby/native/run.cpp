#include "language/ruby/native/run.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/execution_state.hpp"

namespace volley::ruby {
namespace {

using RunKind = Object::Kind;

}  // namespace

Object Self::call_foreign(Machine& machine, const Object& object, std::string_view method,
                          std::span<const Object> arguments) {
    static_cast<void>(machine);
    static_cast<void>(object);
    static_cast<void>(arguments);
    throw NotNative{"the method " + std::string(method) + " of a Puppet object"};
}

Run::Run(const Program& program, Self& self, Heap& heap)
    : program_(program), self_(self), heap_(heap), most_steps_(execution_state().most_visits) {
    if (program.obstacle) throw NotNative(*program.obstacle);
    literals_.resize(program.literals);
    constants_.resize(program.constants.size());
    constants_known_ = program.constants.size();
    instances_.resize(program.instances.size());
    instances_known_.resize(program.instances.size());
}

Run::~Run() = default;

void Run::too_many_steps() const { throw NotNative{"code that runs for so long", line_}; }

template <class Steps>
Object Run::outermost(const Steps& steps) {
    ActiveFrame& frame = new_frame(program_.top);
    frame.home = &frame;
    frame_ = &frame;
    try {
        return steps(frame);
    } catch (const BreakThrown&) {
        throw NotNative{"break that leaves nothing", line_};
    } catch (const ReturnThrown&) {
        throw NotNative{"return that leaves nothing", line_};
    } catch (const NextThrown&) {
        throw NotNative{"next that leaves nothing", line_};
    } catch (const Thrown&) {
        throw NotNative{"throw that nobody catches", line_};
    }
}

Object Run::run() {
    return outermost([this](ActiveFrame& frame) { return evaluate(*program_.top.body, frame); });
}

Object Run::call_method(std::string_view name, std::span<const Object> arguments) {
    const BlockCode* code = program_.method(name);
    if (!code) throw NotNative{"the method " + std::string(name), 0};
    return outermost([&](ActiveFrame&) { return invoke_method(*code, arguments, nullptr); });
}

void Run::load_constants() {
    std::vector<const Constant*> all(program_.constants.size());
    for (const auto& [name, one] : program_.constants) all[one.place] = &one;
    outermost([&](ActiveFrame&) {
        for (const Constant* one : all) constant(*one);
        return Object();
    });
}

void Run::matched(const Object& match) {
    if (frame_) frame_->home->match = match;
}

Object Run::evaluate(const Code& code, ActiveFrame& frame) {
    switch (code.op) {
        case Op::Nil:
            return {};
        case Op::True:
            return Object(true);
        case Op::False:
            return Object(false);
        case Op::Integer:
            return Object(code.integer);
        case Op::String:
            return heap_.string(code.text, program_.frozen_literals ? Change::Frozen : Change::Allowed);
        case Op::Symbol: {
            Object& known = literals_[code.literal];
            if (known.is_nil()) known = heap_.symbol(code.text);
            return known;
        }
        case Op::Local: {
            const ActiveFrame* holder = &frame;
            for (std::uint32_t i = code.depth; i > 0; --i) holder = holder->outer;
            return holder->locals[code.slot];
        }
        case Op::SetLocal: {
            const Object value = evaluate(*code.first, frame);
            ActiveFrame* holder = &frame;
            for (std::uint32_t i = code.depth; i > 0; --i) holder = holder->outer;
            return holder->locals[code.slot] = value;
        }
        case Op::Instance:
            return instance(code.slot);
        case Op::Operator:
            return operation(code, frame);
        case Op::Call:
            return call(code, frame);
        case Op::If: {
            const Code* branch = evaluate(*code.first, frame).truthy() ? code.second.get() : code.third.get();
            return branch ? evaluate(*branch, frame) : Object();
        }
        case Op::And: {
            const Object left = evaluate(*code.first, frame);
            return left.truthy() ? evaluate(*code.second, frame) : left;
        }
        case Op::Or: {
            const Object left = evaluate(*code.first, frame);
            return left.truthy() ? left : evaluate(*code.second, frame);
        }
        case Op::Not: {
            const Object value = evaluate(*code.first, frame);
            return Object(!value.truthy());
        }
        case Op::Body:
            return body(code, frame);
        case Op::Given:
            return given_;
        default:
            return evaluate_more(code, frame);
    }
}

Object Run::evaluate_more(const Code& code, ActiveFrame& frame) {
    switch (code.op) {
        case Op::Self:
            return Object(static_cast<HostObject&>(self_));
        case Op::Float:
            return Object(code.number);
        case Op::Interpolated:
        case Op::SymbolOf:
        case Op::PatternOf:
            return interpolated(code, frame);
        case Op::Pattern:
            return Object(*code.pattern);
        case Op::Array:
            return array(code, frame);
        case Op::Hash:
            return hash(code, frame);
        case Op::Range: {
            const Object first = evaluate(*code.first, frame);
            const Object last = code.second ? evaluate(*code.second, frame) : Object();
            if (!first.is_nil() && !last.is_nil() && !compare(first, last))
                throw Raised{"ArgumentError", "bad value for range"};
            return heap_.range(first, last, code.flag);
        }
        case Op::SetInstance: {
            const Object value = evaluate(*code.first, frame);
            return instance(code.slot) = value;
        }
        case Op::Match:
            return captured(code, frame);
        case Op::Error:
            return error_;
        case Op::Module:
            return module(code);
        case Op::Yield: {
            const Closure* block = frame.home->block;
            if (!block) throw Raised{"LocalJumpError", "no block given (yield)"};
            Arguments arguments;
            arguments_of(code, frame, arguments);
            return yield(*block, arguments);
        }
        case Op::While:
            return loop(code, frame);
        case Op::For:
            return for_each(code, frame);
        case Op::Case:
            return case_of(code, frame);
        case Op::Begin:
            return guarded(code, frame);
        case Op::Next:
        case Op::Break:
        case Op::Return:
            return jump(code, frame);
        case Op::Lambda:
            return Object(make_closure({.code = code.block.get(), .frame = &frame, .lambda = code.flag}));
        case Op::Assign:
            return assign(code, frame);
        case Op::SetIndex: {
            const Object held = given_;
            const Object self = evaluate(*code.first, frame);
            Arguments arguments;
            arguments_of(code, frame, arguments);
            given_ = held;
            arguments.push_back(evaluate(*code.second, frame));
            const Object value = arguments.back();
            send(self, "[]=", arguments);
            return value;
        }
        case Op::Update:
        case Op::UpdateIndex:
            return update(code, frame);
        case Op::Defined: {
            const Object& value = instance(code.slot);
            return value.is_nil() ? Object() : heap_.string("instance-variable");
        }
        case Op::BlockGiven:
            return Object(frame.home->block != nullptr);
        case Op::Raise:
            raise(code, frame);
        case Op::Catch:
            return catch_tag(code, frame);
        case Op::Throw:
            throw_tag(code, frame);
        case Op::Loop:
            return call_block_here(code, frame);
        case Op::Splat: {
            const Object value = evaluate(*code.first, frame);
            return heap_.array(taken_apart(value));
        }
        default:
            break;
    }
    throw NotNative{code.text, code.line};
}

Object Run::body(const Code& code, ActiveFrame& frame) {
    Object result;
    for (const CodePtr& part : code.parts) {
        result = evaluate(*part, frame);
        if (jump_ != Jump::None) return result;
    }
    return result;
}

Object Run::loop(const Code& code, ActiveFrame& frame) {
    const bool until = code.integer == 1;
    bool checked = code.flag;
    for (;;) {
        step();
        if (!checked && evaluate(*code.first, frame).truthy() == until) return {};
        checked = false;
        evaluate(*code.second, frame);
        if (jump_ == Jump::None) continue;
        if (jump_ == Jump::Return) return {};
        const bool leave = jump_ == Jump::Break;
        jump_ = Jump::None;
        if (leave) return jump_value_;
    }
}

Object Run::for_each(const Code& code, ActiveFrame& frame) {
    const Object list = evaluate(*code.second, frame);
    const Object items = list.is(RunKind::Array) ? list : send(list, "to_a", {});
    if (!items.is(RunKind::Array)) throw NotNative{"for over such an object", code.line};
    for (std::size_t i = 0; i < items.array().items.size(); ++i) {
        step();
        given_ = items.array().items[i];
        evaluate(*code.first, frame);
        evaluate(*code.third, frame);
        if (jump_ == Jump::None) continue;
        if (jump_ == Jump::Return) return {};
        const bool leave = jump_ == Jump::Break;
        jump_ = Jump::None;
        if (leave) return jump_value_;
    }
    return list;
}

Object Run::case_of(const Code& code, ActiveFrame& frame) {
    const Object subject = code.first ? evaluate(*code.first, frame) : Object();
    for (const CodePtr& when : code.parts) {
        for (const CodePtr& wanted : when->parts) {
            const bool fit = code.first ? fits(*wanted, subject, frame) : evaluate(*wanted, frame).truthy();
            if (!code.first && wanted->op == Op::Splat)
                throw NotNative{"a list in a case of nothing", code.line};
            if (fit) return evaluate(*when->second, frame);
        }
    }
    return code.third ? evaluate(*code.third, frame) : Object();
}

/// wanted === subject
bool Run::fits(const Code& wanted, const Object& subject, ActiveFrame& frame) {
    const Object value = evaluate(wanted, frame);
    const auto one = [&](const Object& each) {
        switch (each.kind()) {
            case RunKind::String:
            case RunKind::Symbol:
            case RunKind::Integer:
            case RunKind::Nil:
            case RunKind::True:
            case RunKind::False:
                return equal(each, subject);
            default:
                return send(each, "===", std::span(&subject, 1)).truthy();
        }
    };
    if (wanted.op != Op::Splat) return one(value);
    const std::vector<Object> items = value.array().items;
    return std::any_of(items.begin(), items.end(), one);
}

void Run::append_text(std::string& to, const Object& value) {
    switch (value.kind()) {
        case RunKind::String:
            to += value.string().text;
            return;
        case RunKind::Symbol:
            to += value.name();
            return;
        case RunKind::Nil:
            return;
        default: {
            const Object text = send(value, "to_s", {});
            if (!text.is(RunKind::String)) throw NotNative{"an object without a text", line_};
            to += text.string().text;
        }
    }
}

Object Run::interpolated(const Code& code, ActiveFrame& frame) {
    std::string text;
    for (const CodePtr& part : code.parts) {
        if (part->op == Op::String) {
            text += part->text;
            continue;
        }
        const Object value = evaluate(*part, frame);
        if (code.op == Op::PatternOf && value.is(RunKind::Pattern))
            text += value.pattern().to_text();
        else
            append_text(text, value);
    }
    if (code.op == Op::Interpolated) return heap_.string(std::move(text));
    if (code.op == Op::SymbolOf) return heap_.symbol(text);
    try {
        return heap_.pattern(Regexp::compile(text, static_cast<unsigned>(code.integer)));
    } catch (const LanguageError&) {
        throw NotNative{"the pattern /" + text + "/", code.line};
    }
}

Object Run::array(const Code& code, ActiveFrame& frame) {
    std::vector<Object> items;
    items.reserve(code.parts.size());
    for (const CodePtr& part : code.parts) {
        const Object value = evaluate(*part, frame);
        if (part->op == Op::Splat)
            items.insert(items.end(), value.array().items.begin(), value.array().items.end());
        else
            items.push_back(value);
    }
    return heap_.array(std::move(items));
}

Object Run::hash(const Code& code, ActiveFrame& frame) {
    const Object made = heap_.hash();
    for (std::size_t i = 0; i + 1 < code.parts.size(); i += 2) {
        if (code.parts[i]) {
            const Object key = evaluate(*code.parts[i], frame);
            // Ruby drops the earlier one of two equal literals, place and all.
            if (made.hash().find(key)) throw NotNative{"a hash with a key twice", code.line};
            made.hash().set(key, evaluate(*code.parts[i + 1], frame));
            continue;
        }
        const Object merged = evaluate(*code.parts[i + 1], frame);
        if (!merged.is(RunKind::Hash)) throw NotNative{"** of such an object", code.line};
        for (const Hash::Entry& entry : merged.hash().entries) made.hash().set(entry.key, entry.value);
    }
    return made;
}

/// "next", "break" and "return". Most have only statements around them, which look at jump_.
Object Run::jump(const Code& code, ActiveFrame& frame) {
    const Object value = code.first ? evaluate(*code.first, frame) : Object();
    if (code.flag) {
        jump_ = code.op == Op::Next ? Jump::Next : code.op == Op::Break ? Jump::Break : Jump::Return;
        return jump_value_ = value;
    }
    if (code.op == Op::Next) throw NextThrown{&frame, value};
    if (code.op == Op::Break) throw BreakThrown{frame.closure, value};
    throw ReturnThrown{&frame, value};
}

/// A multiple assignment: its value is what is assigned, as a list.
Object Run::assign(const Code& code, ActiveFrame& frame) {
    const Object value = evaluate(*code.first, frame);
    const std::vector<Object> items = value.is(RunKind::Array) ? value.array().items : std::vector{value};
    const std::size_t targets = code.parts.size();
    std::size_t next = 0;
    for (std::size_t i = 0; i < targets; ++i) {
        const Code& target = *code.parts[i];
        if (target.op != Op::Splat) {
            given_ = next < items.size() ? items[next] : Object();
            ++next;
            evaluate(target, frame);
            continue;
        }
        const std::size_t following = targets - i - 1;
        const std::size_t end = std::max(next, items.size() > following ? items.size() - following : 0);
        std::vector<Object> rest(items.begin() + static_cast<std::ptrdiff_t>(std::min(next, items.size())),
                                 items.begin() + static_cast<std::ptrdiff_t>(std::min(end, items.size())));
        next = end;
        given_ = heap_.array(std::move(rest));
        evaluate(*target.first, frame);
    }
    return value;
}

Object Run::update(const Code& code, ActiveFrame& frame) {
    const bool index = code.op == Op::UpdateIndex;
    const Object self = evaluate(*code.first, frame);  // of a variable: its value
    Arguments arguments;
    if (index) arguments_of(code, frame, arguments);
    const Object before = index ? send(self, "[]", arguments) : self;
    if (code.text == "||" && before.truthy()) return before;
    if (code.text == "&&" && !before.truthy()) return before;
    Object value = evaluate(*code.second, frame);
    if (code.text != "||" && code.text != "&&") value = send(before, code.text, std::span(&value, 1));
    if (index) {
        arguments.push_back(value);
        send(self, "[]=", arguments);
    } else {
        given_ = value;
        evaluate(*code.parts[0], frame);
    }
    return value;
}

Object Run::module(const Code& code) {
    const auto own = program_.constants.find(code.text);
    if (own != program_.constants.end()) return constant(own->second);
    Object& known = literals_[code.literal];
    if (!known.is_nil()) return known;
    std::string_view name = code.text;
    if (name.starts_with("::")) name.remove_prefix(2);
    if (is_known_module(name) || is_exception_class(name)) return known = heap_.module(name);
    if (const auto given = self_.constant(*this, name)) return *given;
    throw NotNative{"the constant " + code.text, code.line};
}

Object& Run::instance(std::uint32_t slot) {
    if (!instances_known_[slot]) {
        instances_[slot] = self_.instance_variable(*this, program_.instances[slot]);
        instances_known_[slot] = true;
    }
    return instances_[slot];
}

/// $~ and $1.
Object Run::captured(const Code& code, const ActiveFrame& frame) {
    const Object& match = frame.home->match;
    if (code.integer < 0 || match.is_nil()) return match;
    const auto group = static_cast<std::size_t>(code.integer);
    const auto& groups = match.match().found.groups;
    if (group >= groups.size() || groups[group].begin < 0) return {};
    return heap_.string(std::string(match.match().found.group(match.match().subject, group)));
}

}  // namespace volley::ruby
