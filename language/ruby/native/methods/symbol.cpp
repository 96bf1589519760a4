#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/text/characters.hpp"

/// Symbol: mostly what a String of the same text answers.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

Object symbol_text(const Call& call) { return text(call, call.self.name()); }

/// What the text answers to the same method.
Object ask_text(const Call& call, std::string_view method) {
    return call.machine.send(symbol_text(call), method, call.arguments, call.block);
}

Object symbol_changed(const Call& call, std::string_view method) {
    return call.machine.heap().symbol(ask_text(call, method).string().text);
}

/// Symbols are compared with symbols only.
Object symbol_compared(const Call& call, std::string_view method) {
    if (!call.arguments[0].is(Kind::Symbol)) return {};
    const Object other = text(call, call.arguments[0].name());
    return call.machine.send(symbol_text(call), method, std::span(&other, 1));
}

Object symbol_itself(const Call& call) { return call.self; }

constexpr Method symbol_table[] = {
    {"<=>", 1, 1, [](const Call& call) { return symbol_compared(call, "<=>"); }},
    {"=~", 1, 1, [](const Call& call) { return ask_text(call, "=~"); }},
    {"[]", 1, 2, [](const Call& call) { return ask_text(call, "[]"); }},
    {"capitalize", 0, 2, [](const Call& call) { return symbol_changed(call, "capitalize"); }},
    {"casecmp", 1, 1, [](const Call& call) { return symbol_compared(call, "casecmp"); }},
    {"casecmp?", 1, 1, [](const Call& call) { return symbol_compared(call, "casecmp?"); }},
    {"downcase", 0, 2, [](const Call& call) { return symbol_changed(call, "downcase"); }},
    {"empty?", 0, 0, [](const Call& call) { return Object(call.self.name().empty()); }},
    {"end_with?", 0, Method::any, [](const Call& call) { return ask_text(call, "end_with?"); }},
    {"id2name", 0, 0, symbol_text},
    {"length", 0, 0, [](const Call& call) { return size_object(count_characters(call.self.name())); }},
    {"match", 1, 2, [](const Call& call) { return ask_text(call, "match"); }},
    {"match?", 1, 2, [](const Call& call) { return ask_text(call, "match?"); }},
    {"name", 0, 0,
     [](const Call& call) { return call.machine.heap().string(call.self.name(), Change::Frozen); }},
    {"next", 0, 0, [](const Call& call) { return symbol_changed(call, "succ"); }},
    {"size", 0, 0, [](const Call& call) { return size_object(count_characters(call.self.name())); }},
    {"slice", 1, 2, [](const Call& call) { return ask_text(call, "[]"); }},
    {"start_with?", 0, Method::any, [](const Call& call) { return ask_text(call, "start_with?"); }},
    {"succ", 0, 0, [](const Call& call) { return symbol_changed(call, "succ"); }},
    {"swapcase", 0, 2, [](const Call& call) { return symbol_changed(call, "swapcase"); }},
    {"to_s", 0, 0, symbol_text},
    {"to_sym", 0, 0, symbol_itself},
    {"upcase", 0, 2, [](const Call& call) { return symbol_changed(call, "upcase"); }},
};

}  // namespace

Table symbol_methods() { return symbol_table; }

}  // namespace volley::ruby::methods
