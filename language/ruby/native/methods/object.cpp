#include <algorithm>
#include <array>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"

/// What every object answers.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

bool object_is_value(Kind kind) {
    return kind == Kind::Nil || kind == Kind::False || kind == Kind::True || kind == Kind::Integer ||
           kind == Kind::Float || kind == Kind::Symbol || kind == Kind::Range;
}

Object object_frozen(const Call& call) {
    const auto of_change = [](Change change) {
        if (change == Change::Borrowed || change == Change::Watched)
            not_native("frozen? of a value of the manifest");
        return Object(change == Change::Frozen);
    };
    switch (call.self.kind()) {
        case Kind::String:
            return of_change(call.self.string().change);
        case Kind::Array:
            return of_change(call.self.array().change);
        case Kind::Hash:
            return of_change(call.self.hash().change);
        default:
            if (object_is_value(call.self.kind())) return Object(true);
            not_native("frozen? of such an object");
    }
}

Object object_freeze(const Call& call) {
    const auto freeze = [](auto& what) {
        if (what.change == Change::Borrowed || what.change == Change::Watched)
            not_native("freeze of a value of the manifest");
        if (what.walked > 0) not_native("freeze of what a block is called for");
        what.change = Change::Frozen;
    };
    switch (call.self.kind()) {
        case Kind::String:
            freeze(call.self.string());
            break;
        case Kind::Array:
            freeze(call.self.array());
            break;
        case Kind::Hash:
            freeze(call.self.hash());
            break;
        default:
            if (!object_is_value(call.self.kind())) not_native("freeze of such an object");
    }
    return call.self;
}

Object copy_of(const Call& call) {
    Heap& heap = call.machine.heap();
    switch (call.self.kind()) {
        case Kind::String:
            return text(call, call.self.string().text);
        case Kind::Array:
            return list(call, call.self.array().items);
        case Kind::Hash: {
            const Hash& from = call.self.hash();
            const Object made = heap.hash();
            heap.grown(from.entries.size() * sizeof(Hash::Entry) * 2);
            made.hash().replace(from.entries);
            made.hash().fallback = from.fallback;
            made.hash().fallback_block = from.fallback_block;
            return made;
        }
        default:
            if (object_is_value(call.self.kind())) return call.self;
            not_native("a copy of such an object");
    }
}

Object object_clone(const Call& call) {
    const Object* const freeze = keyword(call, "freeze");
    expect_arguments(freeze ? 0 : call.arguments.size(), 0, 0);
    if (freeze && !freeze->is_nil()) not_native("clone(freeze: ...)");
    const Object made = copy_of(call);
    Change change = Change::Allowed;
    if (call.self.is(Kind::String)) change = call.self.string().change;
    if (call.self.is(Kind::Array)) change = call.self.array().change;
    if (call.self.is(Kind::Hash)) change = call.self.hash().change;
    if (change == Change::Frozen) {
        if (made.is(Kind::String)) made.string().change = change;
        if (made.is(Kind::Array)) made.array().change = change;
        if (made.is(Kind::Hash)) made.hash().change = change;
    }
    return made;
}

Object object_is_a(const Call& call) {
    if (!call.arguments[0].is(Kind::Module)) raise_type("class or module required");
    return Object(is_a(call.self, call.arguments[0].name()));
}

Object object_instance_of(const Call& call) {
    if (!call.arguments[0].is(Kind::Module)) raise_type("class or module required");
    return Object(class_name(call.self) == call.arguments[0].name());
}

Object object_send(const Call& call) {
    if (call.arguments.empty()) raise_argument("no method name given");
    return call.machine.send(call.self, to_name(call.arguments[0]), call.arguments.subspan(1), call.block);
}

Object object_respond_to(const Call& call) {
    const std::string& name = to_name(call.arguments[0]);
    if (call.self.is(Kind::Host) || call.self.is(Kind::Foreign))
        not_native("respond_to? of an object of Puppet");
    return Object(has_method(call.self, name));
}

Object object_compare(const Call& call) {
    const auto order = compare(call.self, call.arguments[0]);
    return order ? Object(static_cast<std::int64_t>(*order)) : Object();
}

Object object_inspect(const Call& call) {
    const Object made = text(call, inspect(call.self));
    if (call.self.is(Kind::True) || call.self.is(Kind::False))
        made.string().change = Change::Frozen;  // as to_s
    return made;
}
Object object_tap(const Call& call) {
    need_block(call, "tap");
    yield(call, call.self);
    return call.self;
}
Object object_then(const Call& call) {
    need_block(call, "then");
    return yield(call, call.self);
}

constexpr Method object_table[] = {
    {"==", 1, 1, [](const Call& call) { return Object(equal_objects(call, call.self, call.arguments[0])); }},
    {"!=", 1, 1,
     [](const Call& call) { return Object(!call.machine.send(call.self, "==", call.arguments).truthy()); }},
    {"===", 1, 1, [](const Call& call) { return Object(equal_objects(call, call.self, call.arguments[0])); }},
    {"=~", 1, 1, [](const Call&) { return Object(); }},
    {"!~", 1, 1,
     [](const Call& call) { return Object(!call.machine.send(call.self, "=~", call.arguments).truthy()); }},
    {"!", 0, 0, [](const Call& call) { return Object(!call.self.truthy()); }},
    {"<=>", 1, 1, object_compare},
    {"eql?", 1, 1, [](const Call& call) { return Object(same(call.self, call.arguments[0])); }},
    {"equal?", 1, 1, [](const Call& call) { return Object(call.self.identical(call.arguments[0])); }},
    {"class", 0, 0, [](const Call& call) { return call.machine.heap().module(class_name(call.self)); }},
    {"clone", 0, 1, object_clone},
    {"dup", 0, 0, copy_of},
    {"freeze", 0, 0, object_freeze},
    {"frozen?", 0, 0, object_frozen},
    {"inspect", 0, 0, object_inspect},
    {"instance_of?", 1, 1, object_instance_of},
    {"is_a?", 1, 1, object_is_a},
    {"itself", 0, 0, [](const Call& call) { return call.self; }},
    {"kind_of?", 1, 1, object_is_a},
    {"nil?", 0, 0, [](const Call& call) { return Object(call.self.is_nil()); }},
    {"public_send", 0, Method::any, object_send},
    {"respond_to?", 1, 2, object_respond_to},
    {"send", 0, Method::any, object_send},
    {"__send__", 0, Method::any, object_send},
    {"tap", 0, 0, object_tap, false, true},
    {"then", 0, 0, object_then, false, true},
    {"to_s", 0, 0, [](const Call& call) { return text(call, to_text(call.self)); }},
    {"yield_self", 0, 0, object_then, false, true},
};

// Comparable. What it compares has <=> of its own among the built-in classes.

template <class Test>
Object comparable_test(const Call& call, Test test) {
    return Object(test(order(call.self, call.arguments[0])));
}

Object comparable_between(const Call& call) {
    return Object(order(call.self, call.arguments[0]) >= 0 && order(call.self, call.arguments[1]) <= 0);
}

Object comparable_clamp(const Call& call) {
    Object least = call.arguments[0];
    Object most = call.arguments.size() > 1 ? call.arguments[1] : Object();
    if (call.arguments.size() == 1) {
        if (!least.is(Kind::Range))
            raise_type("wrong argument type " + conversion_name(least) + " (expected Range)");
        const Range& range = least.range();
        if (range.exclusive && !range.last.is_nil()) raise_argument("cannot clamp with an exclusive range");
        least = range.first;
        most = range.last;
    }
    if (!least.is_nil() && !most.is_nil() && order(least, most) > 0)
        raise_argument("min argument must be smaller than max argument");
    if (!least.is_nil()) {
        const int against = order(call.self, least);
        if (against == 0) return call.self;
        if (against < 0) return least;
    }
    if (!most.is_nil() && order(call.self, most) > 0) return most;
    return call.self;
}

constexpr Method comparable_table[] = {
    {"<", 1, 1, [](const Call& call) { return comparable_test(call, [](int order) { return order < 0; }); }},
    {"<=", 1, 1,
     [](const Call& call) { return comparable_test(call, [](int order) { return order <= 0; }); }},
    {">", 1, 1, [](const Call& call) { return comparable_test(call, [](int order) { return order > 0; }); }},
    {">=", 1, 1,
     [](const Call& call) { return comparable_test(call, [](int order) { return order >= 0; }); }},
    {"between?", 2, 2, comparable_between},
    {"clamp", 1, 2, comparable_clamp},
};

// nil, true, false

constexpr Method nil_table[] = {
    {"&", 1, 1, [](const Call&) { return Object(false); }},
    {"|", 1, 1, [](const Call& call) { return Object(call.arguments[0].truthy()); }},
    {"to_a", 0, 0, [](const Call& call) { return list(call, {}); }},
    {"to_f", 0, 0, [](const Call&) { return Object(0.0); }},
    {"to_h", 0, 0, [](const Call& call) { return call.machine.heap().hash(); }},
    {"to_i", 0, 0, [](const Call&) { return Object(std::int64_t{0}); }},
    {"to_s", 0, 0, [](const Call& call) { return call.machine.heap().string("", Change::Frozen); }},
};

constexpr Method boolean_table[] = {
    {"&", 1, 1, [](const Call& call) { return Object(call.self.truthy() && call.arguments[0].truthy()); }},
    {"|", 1, 1, [](const Call& call) { return Object(call.self.truthy() || call.arguments[0].truthy()); }},
    {"^", 1, 1, [](const Call& call) { return Object(call.self.truthy() != call.arguments[0].truthy()); }},
    {"to_s", 0, 0,
     [](const Call& call) { return call.machine.heap().string(to_text(call.self), Change::Frozen); }},
};

// Classes and modules

Object module_same_or_below(const Call& call) {
    if (!call.arguments[0].is(Kind::Module)) raise_type("compared with non class/module");
    if (call.self.name() == call.arguments[0].name()) return Object(true);
    not_native("<= of classes");
}

constexpr Method module_table[] = {
    {"===", 1, 1, [](const Call& call) { return Object(is_a(call.arguments[0], call.self.name())); }},
    {"name", 0, 0, [](const Call& call) { return text(call, call.self.name()); }},
    {"<=", 1, 1, module_same_or_below},
};

}  // namespace

Table object_methods() { return object_table; }
Table comparable_methods() { return comparable_table; }
Table nil_methods() { return nil_table; }
Table boolean_methods() { return boolean_table; }
Table module_methods() { return module_table; }

}  // namespace volley::ruby::methods
