#include "language/functions/stdlib/common.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

void stdlib_positions(const std::string& text, std::size_t size, std::vector<std::int64_t>& out) {
    const auto count = static_cast<std::int64_t>(size);
    const auto range = Regexp::compile("^(\\d+)(\\.\\.\\.?|\\-)(\\d+)$")->search(text);
    if (!range) {
        if (!Regexp::compile("^\\d+$")->matches(text)) fail("values_at(): Unknown format of given index");
        const std::int64_t position = loose_integer(Value(text));
        if (position >= count) fail("values_at(): Given index exceeds array size");
        out.push_back(position);
        return;
    }
    const std::int64_t first = loose_integer(Value(range->group(text, 1)));
    const std::int64_t last = loose_integer(Value(range->group(text, 3)));
    if (first > last) fail("values_at(): Stop index in given indices range is smaller than the start index");
    if (last >= count) fail("values_at(): Stop index in given indices range exceeds array size");
    const std::int64_t end = range->group(text, 2) == "..." ? last : last + 1;
    for (std::int64_t position = first; position < end; ++position) out.push_back(position);
}

Value stdlib_values_at(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("values_at(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 2)");
    if (!args[0].is_array()) fail("values_at(): Requires array to work with");
    const std::vector<Value> wanted = flattened(args[1]);
    if (wanted.empty()) fail("values_at(): You must provide at least one positive index to collect");
    const Array& list = args[0].as_array();
    std::vector<std::int64_t> positions;
    for (const Value& one : wanted) stdlib_positions(ruby_to_s(one), list.size(), positions);
    std::vector<Value> result;
    for (const std::int64_t position : positions) {
        const Value& value = list[static_cast<std::size_t>(position)];
        if (!value.is_undef()) result.push_back(value);
    }
    return result;
}

}  // namespace

const Builtin& values_at_function() {
    static const Builtin def{
        .name = "values_at",
        .doc = "Elements of a list by position: numbers, ranges such as 0-2 or 1...3, or a list of these.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_values_at)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
