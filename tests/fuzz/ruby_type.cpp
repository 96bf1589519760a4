// Ruby of any bytes: the reader of resource types.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apply/types/ruby/interpreter.hpp"
#include "support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view ruby(reinterpret_cast<const char*>(data), size);
    try {
        volley::ruby_source::Interpreter({}).types_of("/m/lib/puppet/type/x.rb", ruby);
    } catch (const volley::Error&) {  // what cannot be paired is reported
    }
    return 0;
}
