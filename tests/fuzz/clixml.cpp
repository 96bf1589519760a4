// Serialized objects of PowerShell of any bytes: values or an error; and any text survives being written and
// read.
#include "transports/winrm/psrp/clixml.hpp"

#include <cstdlib>
#include <string>

#include "support/text.hpp"
#include "transports/winrm/psrp/protocol_error.hpp"
#include "transports/winrm/psrp/record_text.hpp"

using namespace volley::transports::winrm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const ClixmlDocument document = ClixmlDocument::parse(text);
        static_cast<void>(object_text(document.root()));
        static_cast<void>(error_record_text(document.root()));
        static_cast<void>(document.root().integer());
        static_cast<void>(document.root().entry("PSVersion"));
    } catch (const ProtocolError& error) {
        if (*error.what() == '\0') std::abort();
    }
    ClixmlWriter xml;
    xml.string("", text);
    const std::string back = ClixmlDocument::parse(xml.take()).root().text;
    if (volley::is_utf8(text) && back != text) std::abort();
    if (!volley::is_utf8(back)) std::abort();
    return 0;
}
