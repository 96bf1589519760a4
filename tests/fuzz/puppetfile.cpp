// Puppetfiles of any bytes. What is understood reads back the same from what is written.
#include "planner/module_install/puppetfile.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const std::string written = volley::modules::parse_puppetfile(text, "/p/Puppetfile").to_text(true);
        if (volley::modules::parse_puppetfile(written, "/p/Puppetfile").to_text(true) != written)
            std::abort();
    } catch (const volley::Error&) {  // what cannot be understood is reported
    }
    return 0;
}
