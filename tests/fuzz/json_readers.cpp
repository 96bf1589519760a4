// Both readers of JSON are one to whoever asks: what the quick one takes is what the other one makes of it.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"

using namespace volley;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Json expected = Json::parse(text, nullptr, false);
    const Json found = try_parse_json(text, {.depth = SIZE_MAX});
    if (expected.is_discarded() != found.is_discarded()) std::abort();
    if (expected.is_discarded()) return 0;
    // Of its text, too: -0.0 and 0.0 are equal.
    if (compact_json(found) != expected.dump()) std::abort();
    return 0;
}
