// Rich data and Pcore streams of any bytes end in a value or in a LanguageError; what was read can be written
// again.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "language/errors.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/serialization/pcore_stream.hpp"

namespace {

template <class Read>
void read_and_write(const Read& read) {
    try {
        const volley::Value value = read();
        static_cast<void>(volley::to_pcore_data(value));
        static_cast<void>(volley::serialize(value, volley::PcoreFormat::MsgPack));
    } catch (const volley::LanguageError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    volley::TypeLoader types;
    const volley::PcoreWorld world{types, nullptr};
    read_and_write([&] { return volley::deserialize(bytes, volley::PcoreFormat::JsonText, world); });
    read_and_write([&] { return volley::deserialize(bytes, volley::PcoreFormat::MsgPack, world); });
    const auto json = volley::Json::parse(bytes, nullptr, false);
    if (!json.is_discarded()) read_and_write([&] { return volley::from_pcore_data(json, world); });
    return 0;
}
