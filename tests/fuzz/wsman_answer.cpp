// Answers of WS-Management of any bytes: output, a fault in one line, or an error.
#include <cstdlib>
#include <string>

#include "transports/winrm/wsman/wsman.hpp"

using namespace volley::transports::winrm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Envelope request;
    request.message_id = "uuid:1";
    const auto guarded = [](auto read) {
        try {
            read();
        } catch (const WsmanFault& fault) {
            if (fault.reason().find('\n') != std::string::npos) std::abort();
        } catch (const WsmanError& error) {
            if (*error.what() == '\0') std::abort();
        }
    };
    guarded([&] { check_answer(text, request); });
    guarded([&] { static_cast<void>(read_create_answer(text, request)); });
    guarded([&] { static_cast<void>(read_command_answer(text, request)); });
    guarded([&] {
        std::size_t bytes = 0;
        for (const ReceivedStream& stream : read_receive_answer(text, request).streams)
            bytes += stream.bytes.size();
        if (bytes > text.size()) std::abort();
    });
    const auto fault = read_fault(text);
    if (fault && fault->reason().empty()) std::abort();
    return 0;
}
