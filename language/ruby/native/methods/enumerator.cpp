#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/walk.hpp"

/// What a method returns without its block: each_with_index.map, map.with_index(1).
namespace volley::ruby::methods {
namespace {

/// Stands in for the program while the method of an Enumerator runs: its block gets one more argument.
class ExtendedBlock final : public Machine {
public:
    /// Exactly one of a count that goes up, and an object that is always the same.
    ExtendedBlock(const Call& call, std::optional<std::int64_t> index, Object memo)
        : call_(call), index_(index), memo_(memo) {}

    Heap& heap() override { return call_.machine.heap(); }
    Object yield(const Closure& block, std::span<const Object> arguments) override {
        if (&block != call_.block) return call_.machine.yield(block, arguments);
        const Object item =
            arguments.size() == 1 ? arguments[0] : heap().array({arguments.begin(), arguments.end()});
        const Object given[] = {item, index_ ? Object((*index_)++) : memo_};
        return call_.machine.yield(block, given);
    }
    Object send(const Object& self, std::string_view method, std::span<const Object> arguments,
                const Closure* block) override {
        return call_.machine.send(self, method, arguments, block);
    }
    void matched(const Object& match) override { call_.machine.matched(match); }
    void changes_manifest() override { call_.machine.changes_manifest(); }
    void step(std::size_t count) override { call_.machine.step(count); }

private:
    const Call& call_;
    std::optional<std::int64_t> index_;
    Object memo_;
};

Object run_enumerator(const Call& call, Machine& machine) {
    const Enumerator& enumerator = call.self.enumerator();
    const Method* const method = find_method(enumerator.receiver, enumerator.method);
    if (!method) not_native("an Enumerator of " + enumerator.method);
    return invoke(*method, {machine, enumerator.receiver, enumerator.arguments, call.block});
}

Object enumerator_each(const Call& call) {
    if (!call.arguments.empty()) not_native("each with arguments");
    return call.block ? run_enumerator(call, call.machine) : call.self;
}

Object enumerator_with_index(const Call& call) {
    const bool from_start = call.arguments.empty() || call.arguments[0].is_nil();
    const std::int64_t first = from_start ? 0 : to_integer(call.arguments[0]);
    if (!call.block) return enumerator(call, "with_index");
    ExtendedBlock machine(call, first, {});
    return run_enumerator(call, machine);
}

Object enumerator_with_object(const Call& call) {
    if (!call.block) return enumerator(call, "with_object");
    ExtendedBlock machine(call, std::nullopt, call.arguments[0]);
    run_enumerator(call, machine);
    return call.arguments[0];
}

Object enumerator_size(const Call& call) {
    const Enumerator& own = call.self.enumerator();
    if (!own.arguments.empty() || own.method == "find" || own.method == "find_index" ||
        own.method == "each_line" || own.method == "take_while" || own.method == "drop_while")
        not_native("Enumerator#size");
    return size_object(items_of(call, call.self).size());
}

constexpr Method enumerator_table[] = {
    {"each", 0, Method::any, enumerator_each},          {"each_with_index", 0, 0, enumerator_with_index},
    {"each_with_object", 1, 1, enumerator_with_object}, {"size", 0, 0, enumerator_size},
    {"with_index", 0, 1, enumerator_with_index},        {"with_object", 1, 1, enumerator_with_object},
};

}  // namespace

Table enumerator_methods() { return enumerator_table; }

}  // namespace volley::ruby::methods
