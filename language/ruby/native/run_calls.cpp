#include <algorithm>

#include "language/execution_state.hpp"
#include "language/ruby/native/run.hpp"

namespace volley::ruby {
namespace {

using CallKind = Object::Kind;

}  // namespace

const Closure& Run::make_closure(const Closure& closure) {
    heap_.grown(sizeof(Closure));
    return closures_.emplace_back(closure);
}

void Run::arguments_of(const Code& code, ActiveFrame& frame, Arguments& into) {
    for (const CodePtr& part : code.parts) {
        const Object value = evaluate(*part, frame);
        if (part->op == Op::Splat) {
            for (const Object& item : value.array().items) into.push_back(item);
        } else if (code.keywords && part == code.parts.back() && value.hash().entries.empty()) {
            continue;  // **{} is nothing
        } else {
            into.push_back(value);
        }
    }
}

/// The block of a call: written there, or passed on with "&".
const Closure* Run::block_of(const Code& code, ActiveFrame& frame) {
    if (code.block) return &make_closure({.code = code.block.get(), .frame = &frame});
    if (!code.pass) return nullptr;
    const Object given = evaluate(*code.pass, frame);
    if (given.is_nil()) return nullptr;
    if (given.is(CallKind::Proc)) return &given.closure();
    if (given.is(CallKind::Symbol)) return &make_closure({.lambda = true, .method = given.name()});
    throw NotNative{"such a block", code.line};
}

Object Run::call(const Code& code, ActiveFrame& frame) {
    step();
    if (stack_is_low()) throw NotNative{"code that calls itself so deeply", code.line};
    Object self;
    if (code.first) {
        self = evaluate(*code.first, frame);
        if (code.flag && self.is_nil()) return self;
    }
    Arguments arguments;
    arguments_of(code, frame, arguments);
    const Closure* const block = block_of(code, frame);
    line_ = code.line;
    if (!code.block) return call_with(code, code.first ? &self : nullptr, frame, arguments, block);
    ActiveFrame* const here = frame_;
    const int depth = depth_;
    try {
        return call_with(code, code.first ? &self : nullptr, frame, arguments, block);
    } catch (const BreakThrown& thrown) {
        if (thrown.closure != block) throw;
        frame_ = here;
        depth_ = depth;
        return thrown.value;
    }
}

Object Run::call_with(const Code& code, const Object* self, ActiveFrame& frame,
                      std::span<const Object> arguments, const Closure* block) {
    static_cast<void>(frame);
    try {
        return self ? send(*self, code.text, arguments, block) : call_own(code, arguments, block);
    } catch (NotNative& reason) {
        if (reason.line == 0) reason.line = code.line;
        throw;
    }
}

/// A call without a receiver: of a method of the program, of Kernel, of self.
Object Run::call_own(const Code& code, std::span<const Object> arguments, const Closure* block) {
    if (const BlockCode* own = program_.own_methods[code.slot]) return invoke_method(*own, arguments, block);
    if (const Method* method = find_kernel_function(code.text))
        return invoke(*method, {*this, Object(static_cast<HostObject&>(self_)), arguments, block});
    return self_.call(*this, code.text, arguments, block);
}

Object Run::send(const Object& self, std::string_view method, std::span<const Object> arguments,
                 const Closure* block) {
    if ((method == "send" || method == "public_send" || method == "__send__") && !arguments.empty()) {
        const Object& name = arguments[0];
        if (name.is(CallKind::String))
            return send(self, std::string(name.string().text), arguments.subspan(1), block);
        if (name.is(CallKind::Symbol)) return send(self, name.name(), arguments.subspan(1), block);
        throw NotNative{"such a method name"};
    }
    switch (self.kind()) {
        case CallKind::Host:
            if (&self.host() == &self_) {
                if (const BlockCode* own = program_.method(method))
                    return invoke_method(*own, arguments, block);
            }
            return self.host().call(*this, method, arguments, block);
        case CallKind::Module:
            return call_module(self, method, arguments, block);
        case CallKind::Proc:
            return call_proc(self, method, arguments, block);
        case CallKind::Foreign:
            return self_.call_foreign(*this, self, method, arguments);
        default:
            break;
    }
    const Method* found = find_method(self, method);
    if (!found) return missing(self, method);
    return invoke(*found, {*this, self, arguments, block});
}

/// What an object answers to that has no such method here. Libraries add some to every class: to_json,
/// to_yaml.
Object Run::missing(const Object& self, std::string_view method) {
    const std::string name(method);
    const bool data = self.kind() <= CallKind::Hash;
    if (data && !name.starts_with("to_") && !has_method(self, method) && !has_private_method(method)) {
        const std::string type(class_name(self));
        const std::string shown = inspect(self);
        throw Raised{"NoMethodError", "undefined method `" + name + "' for " + shown + ":" + type};
    }
    throw NotNative{std::string(class_name(self)) + "#" + name};
}

Object Run::call_module(const Object& self, std::string_view method, std::span<const Object> arguments,
                        const Closure* block) {
    const std::string& name = self.name();
    if (const Method* found = find_module_method(name, method))
        return invoke(*found, {*this, self, arguments, block});
    if (method == "new" && is_exception_class(name)) {
        Raised raised{name, name};
        if (arguments.size() > 1) throw NotNative{"an exception with more than a message"};
        if (arguments.size() == 1) raised.message = {}, append_text(raised.message, arguments[0]);
        return exception_object(raised);
    }
    if (auto result = self_.call_module(*this, name, method, arguments)) return *result;
    if (is_exception_class(name) && (method == "===" || method == "==")) {
        if (arguments.size() != 1) throw NotNative{name + "." + std::string(method)};
        if (method == "==") return Object(equal(self, arguments[0]));
        if (!arguments[0].is(CallKind::Host)) return Object(false);
        const auto fits = is_exception_of(arguments[0].host().class_name(), name);
        if (!fits) throw NotNative{name + ".==="};
        return Object(*fits);
    }
    const Method* found = find_method(self, method);
    if (!found) throw NotNative{name + "." + std::string(method)};
    return invoke(*found, {*this, self, arguments, block});
}

Object Run::call_proc(const Object& self, std::string_view method, std::span<const Object> arguments,
                      const Closure* block) {
    const Closure& closure = self.closure();
    if (method == "call" || method == "()" || method == "yield" || method == "[]" || method == "===") {
        if (block) throw NotNative{"a proc that gets a block"};
        return call_closure(closure, arguments, false);
    }
    if (method == "to_proc") return self;
    if (method == "lambda?") return Object(closure.lambda);
    const Method* found = find_method(self, method);
    if (!found) throw NotNative{"Proc#" + std::string(method)};
    return invoke(*found, {*this, self, arguments, block});
}

/// The operators, where they are simple; all others are calls.
Object Run::operation(const Code& code, ActiveFrame& frame) {
    const Object left = evaluate(*code.first, frame);
    step();
    if (code.parts.empty()) {
        if (code.operation == Operation::IsNil && !left.is(CallKind::Host) && !left.is(CallKind::Foreign))
            return Object(left.is_nil());
        if (code.operation == Operation::Text && left.is(CallKind::String)) return left;
        if (code.operation == Operation::IsEmpty && left.is(CallKind::String))
            return Object(left.string().text.empty());
        if (code.operation == Operation::IsEmpty && left.is(CallKind::Array))
            return Object(left.array().items.empty());
        line_ = code.line;
        return call_with(code, &left, frame, {}, nullptr);
    }
    const Code& other = *code.parts[0];
    if (code.operation == Operation::Append && other.op == Op::String && left.is(CallKind::String) &&
        left.string().change == Change::Allowed && left.string().walked == 0) {
        heap_.grown(other.text.size());
        left.string().text += other.text;
        return left;
    }
    const Object right = evaluate(other, frame);
    if (left.is(CallKind::Integer) && right.is(CallKind::Integer)) {
        switch (code.operation) {
            case Operation::Equal:
                return Object(left.integer() == right.integer());
            case Operation::Different:
                return Object(left.integer() != right.integer());
            case Operation::Less:
                return Object(left.integer() < right.integer());
            case Operation::LessEqual:
                return Object(left.integer() <= right.integer());
            case Operation::Greater:
                return Object(left.integer() > right.integer());
            case Operation::GreaterEqual:
                return Object(left.integer() >= right.integer());
            default:
                break;
        }
    }
    line_ = code.line;
    if (code.operation == Operation::Different) {
        const bool simple = !left.is(CallKind::Host) && !left.is(CallKind::Foreign);
        return Object(simple ? !equal(left, right) : !send(left, "==", std::span(&right, 1)).truthy());
    }
    if (code.operation == Operation::Append && left.is(CallKind::String) && right.is(CallKind::String) &&
        left.string().change == Change::Allowed && left.string().walked == 0 &&
        &left.string() != &right.string()) {
        heap_.grown(right.string().text.size());
        left.string().text += right.string().text;
        return left;
    }
    return call_with(code, &left, frame, std::span(&right, 1), nullptr);
}

}  // namespace volley::ruby
