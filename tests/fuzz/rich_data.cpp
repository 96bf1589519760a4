// Rich data and Pcore streams of any bytes end in a value or in a LanguageError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "language/errors.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/serialization/pcore_stream.hpp"

namespace {

/// What can be written has to be read as the same thing again.
template <class Read>
void read_and_write(const volley::PcoreWorld& world, const Read& read) {
    volley::Json data;
    std::string stream;
    try {
        const volley::Value value = read();
        data = volley::to_pcore_data(value);
        stream = volley::serialize(value, volley::PcoreFormat::MsgPack);
    } catch (const volley::LanguageError&) {
        return;
    }
    // A type that has a name of its own is written by that name, which nobody here knows.
    const bool named =
        data.dump(-1, ' ', false, volley::Json::error_handler_t::replace).find("TypeReference") !=
        std::string::npos;
    const volley::Json again = volley::to_pcore_data(volley::from_pcore_data(data, world));
    if (!named && again != data) std::abort();
    volley::deserialize(stream, volley::PcoreFormat::MsgPack, world);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    volley::TypeLoader types;
    const volley::PcoreWorld world{types, nullptr};
    read_and_write(world, [&] { return volley::deserialize(bytes, volley::PcoreFormat::JsonText, world); });
    read_and_write(world, [&] { return volley::deserialize(bytes, volley::PcoreFormat::MsgPack, world); });
    const auto json = volley::Json::parse(bytes, nullptr, false);
    if (!json.is_discarded()) read_and_write(world, [&] { return volley::from_pcore_data(json, world); });
    return 0;
}
