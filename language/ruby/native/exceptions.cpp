#include <algorithm>
#include <array>

#include "language/ruby/native/run.hpp"

namespace volley::ruby {
namespace {

using ErrorKind = Object::Kind;

struct ExceptionClass {
    std::string_view name;
    std::string_view parent;
};

/// Ruby's exceptions that code names, and those of Puppet and the libraries.
constexpr std::array<ExceptionClass, 47> exception_classes{{
    {"Exception", ""},
    {"StandardError", "Exception"},
    {"ScriptError", "Exception"},
    {"NotImplementedError", "ScriptError"},
    {"LoadError", "ScriptError"},
    {"SyntaxError", "ScriptError"},
    {"SecurityError", "Exception"},
    {"NoMemoryError", "Exception"},
    {"SystemExit", "Exception"},
    {"SystemStackError", "Exception"},
    {"SignalException", "Exception"},
    {"Interrupt", "SignalException"},
    {"ArgumentError", "StandardError"},
    {"UncaughtThrowError", "ArgumentError"},
    {"EncodingError", "StandardError"},
    {"FiberError", "StandardError"},
    {"IOError", "StandardError"},
    {"EOFError", "IOError"},
    {"IndexError", "StandardError"},
    {"KeyError", "IndexError"},
    {"StopIteration", "IndexError"},
    {"LocalJumpError", "StandardError"},
    {"NameError", "StandardError"},
    {"NoMethodError", "NameError"},
    {"RangeError", "StandardError"},
    {"FloatDomainError", "RangeError"},
    {"RegexpError", "StandardError"},
    {"RuntimeError", "StandardError"},
    {"FrozenError", "RuntimeError"},
    {"SystemCallError", "StandardError"},
    {"Errno::ENOENT", "SystemCallError"},
    {"Errno::EACCES", "SystemCallError"},
    {"ThreadError", "StandardError"},
    {"TypeError", "StandardError"},
    {"ZeroDivisionError", "StandardError"},
    {"JSON::JSONError", "StandardError"},
    {"JSON::ParserError", "JSON::JSONError"},
    {"JSON::GeneratorError", "JSON::JSONError"},
    {"Puppet::Error", "RuntimeError"},
    {"Puppet::DevError", "Puppet::Error"},
    {"Puppet::ParseError", "Puppet::Error"},
    {"IPAddr::Error", "ArgumentError"},
    {"IPAddr::InvalidAddressError", "IPAddr::Error"},
    {"IPAddr::AddressFamilyError", "IPAddr::Error"},
    {"IPAddr::InvalidPrefixError", "IPAddr::InvalidAddressError"},
    {"URI::Error", "StandardError"},
    {"URI::InvalidURIError", "URI::Error"},
}};

const ExceptionClass* find_exception(std::string_view name) {
    const auto* const found = std::find_if(exception_classes.begin(), exception_classes.end(),
                                           [&](const ExceptionClass& one) { return one.name == name; });
    return found == exception_classes.end() ? nullptr : found;
}

}  // namespace

bool is_exception_class(std::string_view name) { return find_exception(name) != nullptr; }

std::optional<bool> is_exception_of(std::string_view type, std::string_view ancestor) {
    if (type == ancestor) return true;
    const ExceptionClass* one = find_exception(type);
    if (!one || !find_exception(ancestor)) return std::nullopt;
    for (; one; one = find_exception(one->parent)) {
        if (one->name == ancestor) return true;
    }
    return false;
}

/// An exception as an object of the program.
class Run::Raising final : public HostObject {
public:
    explicit Raising(Raised what) : raised(std::move(what)) {}
    std::string_view class_name() const override { return raised.type; }
    Object call(Machine& machine, std::string_view method, std::span<const Object> arguments,
                const Closure*) override {
        if (arguments.empty() && (method == "message" || method == "to_s"))
            return machine.heap().string(raised.message);
        if (arguments.empty() && method == "class") return machine.heap().module(raised.type);
        if (arguments.empty() && method == "nil?") return Object(false);
        if (arguments.size() == 1 && (method == "is_a?" || method == "kind_of?") &&
            arguments[0].is(ErrorKind::Module)) {
            if (const auto fits = is_exception_of(raised.type, arguments[0].name())) return Object(*fits);
        }
        throw NotNative{raised.type + "#" + std::string(method)};
    }
    const Raised raised;
};

Object Run::exception_object(const Raised& raised) { return heap_.host(std::make_shared<Raising>(raised)); }

Object Run::guarded(const Code& code, ActiveFrame& frame) {
    ActiveFrame* const here = frame_;
    const int depth = depth_;
    const auto back = [&] {
        frame_ = here;
        depth_ = depth;
    };
    const auto with_rescue = [&]() -> Object {
        try {
            const Object result = evaluate(*code.second, frame);
            if (!code.third || jump_ != Jump::None) return result;
        } catch (const Raised& raised) {
            back();
            return rescued(code, raised, frame);
        }
        return evaluate(*code.third, frame);
    };
    if (!code.first) return with_rescue();
    Object result;
    try {
        result = with_rescue();
    } catch (const NotNative&) {
        throw;
    } catch (...) {
        back();
        evaluate(*code.first, frame);
        throw;
    }
    const Jump jump = std::exchange(jump_, Jump::None);
    const Object value = jump_value_;
    evaluate(*code.first, frame);
    jump_ = jump;
    jump_value_ = value;
    return result;
}

/// Inside of the handler of an exception; throws it again when no clause takes it.
Object Run::rescued(const Code& code, const Raised& raised, ActiveFrame& frame) {
    for (const CodePtr& clause : code.parts) {
        if (!rescues(*clause, raised, frame)) continue;
        // $! is what it was before also when the clause raises or leaves.
        struct Restore {
            Object& error;
            Object outside;
            ~Restore() { error = outside; }
        };
        const Restore restore{error_, error_};
        error_ = exception_object(raised);
        if (clause->first) evaluate(*clause->first, frame);
        return evaluate(*clause->second, frame);
    }
    throw;
}

bool Run::rescues(const Code& clause, const Raised& raised, ActiveFrame& frame) {
    if (clause.op != Op::Rescue) throw NotNative{clause.text, clause.line};
    const auto fits = [&](const Object& wanted) {
        if (!wanted.is(ErrorKind::Module)) throw NotNative{"rescue of such an object", clause.line};
        const auto known = is_exception_of(raised.type, wanted.name());
        if (!known) throw NotNative{"the exception " + wanted.name(), clause.line};
        return *known;
    };
    if (clause.parts.empty()) {
        const auto known = is_exception_of(raised.type, "StandardError");
        if (!known) throw NotNative{"the exception " + raised.type, clause.line};
        return *known;
    }
    for (const CodePtr& part : clause.parts) {
        const Object wanted = evaluate(*part, frame);
        if (part->op != Op::Splat) {
            if (fits(wanted)) return true;
            continue;
        }
        const std::vector<Object> all = wanted.array().items;
        if (std::any_of(all.begin(), all.end(), fits)) return true;
    }
    return false;
}

void Run::raise(const Code& code, ActiveFrame& frame) {
    Arguments arguments;
    arguments_of(code, frame, arguments);
    line_ = code.line;
    if (code.keywords || arguments.size() > 2) throw NotNative{"raise with so many arguments", code.line};
    if (arguments.empty()) {
        if (error_.is_nil()) throw Raised{"RuntimeError", "unhandled exception"};
        throw static_cast<const Raising&>(error_.host()).raised;
    }
    const Object& what = arguments[0];
    if (what.is(ErrorKind::String) && arguments.size() == 1) throw Raised{"RuntimeError", what.string().text};
    if (what.is(ErrorKind::Module) && is_exception_class(what.name())) {
        Raised raised{what.name(), what.name()};
        if (arguments.size() == 2) {
            raised.message.clear();
            append_text(raised.message, arguments[1]);
        }
        throw raised;
    }
    const auto* known = what.is(ErrorKind::Host) ? dynamic_cast<const Raising*>(&what.host()) : nullptr;
    if (!known || arguments.size() > 1) throw NotNative{"raise of such an object", code.line};
    throw known->raised;
}

Object Run::catch_tag(const Code& code, ActiveFrame& frame) {
    Arguments arguments;
    arguments_of(code, frame, arguments);
    if (arguments.size() != 1) throw NotNative{"catch without a name", code.line};
    const Closure& block = make_closure({.code = code.block.get(), .frame = &frame});
    ActiveFrame* const here = frame_;
    const int depth = depth_;
    tags_.push_back(arguments[0]);
    const std::size_t tags = tags_.size();
    const auto back = [&] {
        tags_.resize(tags - 1);
        frame_ = here;
        depth_ = depth;
    };
    try {
        const Object result = yield(block, arguments);
        back();
        return result;
    } catch (const Thrown& thrown) {
        back();
        if (!thrown.tag.identical(arguments[0])) throw;
        return thrown.value;
    } catch (const BreakThrown& thrown) {
        back();
        if (thrown.closure != &block) throw;
        return thrown.value;
    } catch (...) {
        back();
        throw;
    }
}

void Run::throw_tag(const Code& code, ActiveFrame& frame) {
    Arguments arguments;
    arguments_of(code, frame, arguments);
    if (arguments.empty() || arguments.size() > 2) throw NotNative{"such a throw", code.line};
    const bool caught = std::any_of(tags_.begin(), tags_.end(),
                                    [&](const Object& tag) { return tag.identical(arguments[0]); });
    if (!caught) throw Raised{"UncaughtThrowError", "uncaught throw " + inspect(arguments[0])};
    throw Thrown{arguments[0], arguments.size() == 2 ? arguments[1] : Object()};
}

}  // namespace volley::ruby
