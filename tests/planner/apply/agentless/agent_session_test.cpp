#include "planner/apply/agentless/agent_session.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/error.hpp"

using namespace volley;
using namespace volley::planner;
using agent::FrameType;

namespace {

std::shared_ptr<const CompiledCatalog> small_catalog() {
    auto catalog = std::make_shared<CompiledCatalog>();
    catalog->document = std::make_shared<const Json>(Json{{"resources", Json::array()}});
    return catalog;
}

/// All that a session has to send now, as frames.
std::vector<agent::Frame> sent(AgentSession& session) {
    agent::FrameReader reader(false);
    std::array<char, 100> buffer{};
    while (const std::size_t length = session.read(buffer)) reader.feed({buffer.data(), length});
    std::vector<agent::Frame> frames;
    while (auto frame = reader.next()) frames.push_back(std::move(*frame));
    return frames;
}

std::string hello(const std::string& version) {
    const Json json{{"protocol", agent::protocol_version}, {"version", version}, {"machine", "x86_64"}};
    return "motd\n" + std::string(agent::protocol_line) + agent::encode_frame(FrameType::Hello, json.dump());
}

void say(AgentSession& session, const std::string& bytes) {
    session.on_output(transports::Stream::Out, bytes);
}

}  // namespace

TEST_CASE("the catalog is sent after the agent's hello, and its report ends the session", "[agentless]") {
    AgentSession session(small_catalog(), R"({"noop":true})", "1.2.3");
    CHECK(sent(session).empty());
    CHECK_FALSE(session.finished());
    say(session, hello("1.2.3"));
    const auto frames = sent(session);
    REQUIRE(frames.size() >= 2);
    CHECK(frames[0].type == FrameType::Settings);
    CHECK(frames[0].payload == R"({"noop":true})");
    CHECK(frames[1].type == FrameType::Catalog);
    CHECK(frames.back().type == FrameType::CatalogEnd);
    say(session, agent::encode_parts(FrameType::Report, FrameType::ReportEnd, "{\"a\": 1}", "0"));
    CHECK(session.finished());
    CHECK(session.report() == "{\"a\": 1}");
}

TEST_CASE("a catalog can be sent before the agent's hello, and is sent once", "[agentless]") {
    AgentSession session(small_catalog(), "{}", "1.2.3");
    session.order_in_advance();
    session.order_in_advance();
    const auto frames = sent(session);
    REQUIRE(frames.size() >= 2);
    CHECK(frames[0].type == FrameType::Settings);
    CHECK(frames.back().type == FrameType::CatalogEnd);
    CHECK_FALSE(session.started());
    say(session, hello("1.2.3"));
    CHECK(session.started());
    CHECK(sent(session).empty());
    say(session, agent::encode_parts(FrameType::Report, FrameType::ReportEnd, "{}", "0"));
    CHECK(session.finished());
}

TEST_CASE("a question that was sent in advance is forgotten where no agent is", "[agentless]") {
    AgentSession session(AgentQuestion(AgentQuestion::About::Facts, "{}"), "1");
    session.order_in_advance();
    CHECK(sent(session).back().type == FrameType::FactsOrder);
    say(session, "VOLLEY-AGENT-MISSING Linux x86_64\n");
    CHECK(session.finished());
    CHECK_FALSE(session.started());
}

TEST_CASE("an agent of another version is not sent anything", "[agentless]") {
    AgentSession session(small_catalog(), "{}", "1.2.3");
    CHECK_THROWS_WITH(say(session, hello("1.2.4")), Catch::Contains("not of the version"));
    CHECK(sent(session).empty());
}

TEST_CASE("only files of the catalog are handed to a target", "[agentless]") {
    AgentSession session(small_catalog(), "{}", "1");
    say(session, hello("1"));
    sent(session);
    say(session, agent::encode_frame(FrameType::Want, "../../etc/shadow"));
    const auto frames = sent(session);
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].type == FrameType::ContentMissing);
}

TEST_CASE("an agent that applies a catalog can be asked to stop, and is heard to the end", "[agentless]") {
    AgentSession session(small_catalog(), "{}", "1");
    CHECK_FALSE(session.stop());  // nobody there to hear it
    say(session, hello("1"));
    int woken = 0;
    session.on_ready([&woken] { ++woken; });
    CHECK(session.stop());
    CHECK(session.stop());
    CHECK(woken == 1);
    const auto frames = sent(session);
    REQUIRE(frames.size() >= 3);
    CHECK(frames[frames.size() - 2].type == FrameType::CatalogEnd);
    CHECK(frames.back().type == FrameType::Stop);
    CHECK_FALSE(session.finished());
    say(session, agent::encode_parts(FrameType::Report, FrameType::ReportEnd, "{}", "4"));
    CHECK(session.finished());
    CHECK(session.stopped());
}

namespace {

/// A session that has asked for facts, and was answered.
struct Answered {
    AgentSession session{AgentQuestion(AgentQuestion::About::Facts, R"({"catalog_follows":true})"), "1"};
    std::string facts;
    AgentSession::Ordered ordered;
    int woken = 0;

    Answered() {
        const auto make = [this](std::string found, AgentSession::Ordered then) {
            facts = std::move(found);
            ordered = std::move(then);
        };
        session.then_apply(make, nullptr);
        session.on_ready([this] { ++woken; });
        session.order_in_advance();
        sent(session);
        say(session, hello("1"));
        say(session, agent::encode_parts(FrameType::Facts, FrameType::FactsEnd, R"({"kernel":"Linux"})"));
    }
};

}  // namespace

TEST_CASE("a catalog that is made of the facts goes to the agent that found them", "[agentless]") {
    Answered answered;
    AgentSession& session = answered.session;
    CHECK(answered.facts == R"({"kernel":"Linux"})");
    CHECK_FALSE(session.finished());
    CHECK_FALSE(session.report());
    CHECK(session.is_question());
    CHECK_FALSE(session.stop());
    CHECK(answered.ordered({small_catalog(), R"({"noop":true})"}));
    CHECK(answered.woken == 1);
    const auto frames = sent(session);
    REQUIRE(frames.size() >= 2);
    CHECK(frames[0].payload == R"({"noop":true})");
    CHECK(frames.back().type == FrameType::CatalogEnd);
    CHECK(session.stop());
    CHECK(sent(session).back().type == FrameType::Stop);
    say(session, agent::encode_parts(FrameType::Report, FrameType::ReportEnd, "{}", "0"));
    CHECK(session.finished());
    CHECK(session.report() == "{}");
    CHECK_FALSE(session.dismissed());
}

TEST_CASE("an agent that waits for a catalog is let go where there is none", "[agentless]") {
    Answered answered;
    CHECK(answered.ordered({}));
    CHECK(answered.woken == 1);
    CHECK(answered.session.finished());
    CHECK(answered.session.dismissed());
    CHECK(sent(answered.session).empty());
}

TEST_CASE("an agent that waits for a catalog may only say that it cannot go on", "[agentless]") {
    Answered answered;
    for (const FrameType type : {FrameType::Log, FrameType::Want, FrameType::Facts, FrameType::FactsEnd,
                                 FrameType::Report, FrameType::ReportEnd}) {
        CHECK_THROWS_WITH(say(answered.session, agent::encode_frame(type, "{}")),
                          Catch::Contains("nobody asked for"));
    }
    say(answered.session, agent::encode_frame(FrameType::Failure, "no more memory"));
    CHECK(answered.session.complaint() == "no more memory");
    CHECK_FALSE(answered.ordered({small_catalog(), "{}"}));
    CHECK(sent(answered.session).empty());
}

TEST_CASE("a catalog that is ready when the session is gone goes nowhere", "[agentless]") {
    AgentSession::Ordered ordered;
    {
        Answered answered;
        ordered = answered.ordered;
    }
    CHECK_FALSE(ordered({small_catalog(), "{}"}));
}

TEST_CASE("a question is cut off", "[agentless]") {
    AgentSession session(AgentQuestion(AgentQuestion::About::Facts, "{}"), "1");
    say(session, hello("1"));
    CHECK_FALSE(session.stop());
}

TEST_CASE("what only Volley sends is refused from a target", "[agentless]") {
    for (const FrameType type :
         {FrameType::Hello, FrameType::Settings, FrameType::Catalog, FrameType::Content, FrameType::Stop}) {
        AgentSession session(small_catalog(), "{}", "1");
        say(session, hello("1"));
        CHECK_THROWS_AS(say(session, agent::encode_frame(type, "{}")), Error);
    }
}

TEST_CASE("a target without an agent is asked nothing more", "[agentless]") {
    AgentSession session(small_catalog(), "{}", "1");
    say(session, "VOLLEY-AGENT-MISSING Linux x86_64\n");
    CHECK(session.finished());
    CHECK_FALSE(session.started());
    CHECK(session.before() == "VOLLEY-AGENT-MISSING Linux x86_64\n");
}
