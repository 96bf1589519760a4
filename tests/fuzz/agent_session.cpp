// What a hostile target answers in place of the agent, any bytes in pieces of any size: a report, facts, with
// or without a catalog after them, resources or an error, and nothing is sent that the catalog does not have.
#include "planner/apply/agentless/agent_session.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "support/error.hpp"

using namespace volley;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t step = (data[0] >> 1U) + 1;
    auto catalog = std::make_shared<planner::CompiledCatalog>();
    catalog->document = std::make_shared<const Json>(Json{{"resources", Json::array()}});
    using About = planner::AgentQuestion::About;
    planner::AgentSession about_facts({About::Facts, "{}"}, "1"),
        about_resources({About::Resources, "{}"}, "1");
    planner::AgentSession applying(catalog, "{}", "1");
    planner::AgentSession& session = (data[0] & 0x80U) == 0   ? applying
                                     : (data[0] & 0x40U) != 0 ? about_resources
                                                              : about_facts;
    planner::AgentSession::Ordered ordered;
    if ((data[0] & 0x20U) != 0)
        about_facts.then_apply([&](const std::string&, const auto& then) { ordered = then; }, nullptr);
    std::array<char, 512> buffer{};
    std::size_t sent = 0;
    try {
        // Half of the inputs begin after the hello.
        if ((data[0] & 1U) != 0) {
            const std::string hello = R"({"protocol": 1, "version": "1"})";
            session.on_output(
                transports::Stream::Out,
                std::string(agent::protocol_line) + agent::encode_frame(agent::FrameType::Hello, hello));
        }
        while (!bytes.empty()) {
            session.on_output(transports::Stream::Out, bytes.substr(0, step));
            bytes.remove_prefix(std::min(step, bytes.size()));
            // Ctrl-C, at one place or another.
            if (bytes.size() % 16 == 7) session.stop();
            if (ordered && bytes.size() % 4 == 1) std::exchange(ordered, {})({catalog, "{}"});
            while (const std::size_t length = session.read(buffer)) sent += length;
        }
    } catch (const Error& error) {
        if (*error.what() == '\0') std::abort();
    }
    // The settings and an empty catalog, and for each request of some bytes an answer of some bytes.
    if (sent > 1000 + 64 * size) std::abort();
    if (session.report() && session.report()->size() > size) std::abort();
    return 0;
}
