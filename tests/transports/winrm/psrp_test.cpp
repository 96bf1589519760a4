#include "transports/winrm/psrp/psrp.hpp"

#include <catch2/catch.hpp>

#include "tests/transports/process/loop.hpp"
#include "transports/winrm/psrp/record_text.hpp"

using namespace volley::transports::winrm;
using volley::testing::Collector;

namespace {

/// The server's messages, as bytes: as long as they are for the client.
class ServerSide {
public:
    explicit ServerSide(const RunspacePool& pool) : pool_(pool.id()) {}

    std::string message(MessageType type, const Guid& pipeline, std::string data, std::size_t most = 1000) {
        std::string bytes = encode_message(Message{type, pool_, pipeline, "\xEF\xBB\xBF" + std::move(data)});
        bytes[0] = 1;
        std::string fragments;
        for (const std::string& fragment : fragmenter_.cut(bytes, most)) fragments += fragment;
        return fragments;
    }
    std::string pool_state(int number) {
        return message(
            MessageType::RunspacePoolState, Guid(),
            "<Obj RefId=\"0\"><MS><I32 N=\"RunspaceState\">" + std::to_string(number) + "</I32></MS></Obj>");
    }
    std::string state(const Pipeline& pipeline, int number, const std::string& error = {}) {
        return message(MessageType::PipelineState, pipeline.id(),
                       "<Obj RefId=\"0\"><MS><I32 N=\"PipelineState\">" + std::to_string(number) + "</I32>" +
                           error + "</MS></Obj>");
    }
    std::string output(const Pipeline& pipeline, std::string data) {
        return message(MessageType::PipelineOutput, pipeline.id(), std::move(data));
    }
    std::string host_call(const Pipeline& pipeline, long call, int method, const std::string& values) {
        return message(MessageType::PipelineHostCall, pipeline.id(),
                       "<Obj RefId=\"0\"><MS><I64 N=\"ci\">" + std::to_string(call) +
                           "</I64><Obj N=\"mi\" RefId=\"1\"><ToString>Call</ToString><I32>" +
                           std::to_string(method) + "</I32></Obj><Obj N=\"mp\" RefId=\"2\"><LST>" + values +
                           "</LST></Obj></MS></Obj>");
    }

private:
    Guid pool_;
    Fragmenter fragmenter_;
};

std::string error_record(const std::string& name, const std::string& id) {
    return "<Obj" + name +
           " RefId=\"5\"><ToString>broken</ToString><MS><Obj N=\"Exception\" RefId=\"6\"><Props><S "
           "N=\"Message\">broken</S></Props></Obj><S N=\"FullyQualifiedErrorId\">" +
           id +
           "</S><S N=\"ErrorCategory_Message\">Stopped: (:)</S><Obj N=\"InvocationInfo\" "
           "RefId=\"7\"><Props><S "
           "N=\"Line\">do it</S><S N=\"MyCommand\">tool.exe</S><S N=\"PositionMessage\">At line:1 "
           "char:1</S></Props></Obj></MS></Obj>";
}

PipelineSpec simple_spec() {
    PipelineSpec spec;
    PipelineCommand command;
    command.text = "Get-Date";
    spec.commands.push_back(std::move(command));
    return spec;
}

}  // namespace

TEST_CASE("a GUID has .NET's byte order on the wire", "[winrm]") {
    const auto guid = Guid::parse("00112233-4455-6677-8899-aabbccddeeff");
    REQUIRE(guid);
    CHECK(guid->text() == "00112233-4455-6677-8899-AABBCCDDEEFF");
    CHECK(guid->bytes() ==
          std::string("\x33\x22\x11\x00\x55\x44\x77\x66\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16));
    CHECK(Guid::from_bytes(guid->bytes()) == *guid);
    CHECK_FALSE(Guid::parse("00112233-4455-6677-8899-aabbccddeef"));
    CHECK_FALSE(Guid::parse("00112233x4455-6677-8899-aabbccddeeff"));
    CHECK_FALSE(Guid::parse("g0112233-4455-6677-8899-aabbccddeeff"));
}

TEST_CASE("a message is joined whatever its fragments' size", "[winrm]") {
    std::string message;
    for (int at = 0; at < 300; ++at) message += static_cast<char>(at);
    for (std::size_t most = fragment_header_size + 1; most < 400; ++most) {
        Fragmenter fragmenter;
        Defragmenter defragmenter;
        std::vector<std::string> joined;
        for (const std::string& fragment : fragmenter.cut(message, most)) {
            REQUIRE(fragment.size() <= most);
            for (std::string& each : defragmenter.take(fragment)) joined.push_back(std::move(each));
        }
        REQUIRE(joined == std::vector<std::string>{message});
    }
}

TEST_CASE("fragments of several messages may be mixed", "[winrm]") {
    Fragmenter fragmenter;
    const auto first = fragmenter.cut("aabb", fragment_header_size + 2);
    const auto second = fragmenter.cut("ccdd", fragment_header_size + 2);
    Defragmenter defragmenter;
    CHECK(defragmenter.take(first[0] + second[0]).empty());
    CHECK(defragmenter.take(second[1] + first[1]) == std::vector<std::string>{"ccdd", "aabb"});
}

TEST_CASE("wrong fragments end the session with a reason", "[winrm]") {
    Fragmenter fragmenter;
    const auto parts = fragmenter.cut("aabbcc", fragment_header_size + 2);
    const auto error = [](const std::string& bytes) {
        Defragmenter defragmenter;
        try {
            static_cast<void>(defragmenter.take(bytes));
        } catch (const ProtocolError& problem) {
            return std::string(problem.what());
        }
        return std::string();
    };
    CHECK(error(parts[0].substr(0, 10)).find("ends within its header") != std::string::npos);
    CHECK(error(parts[0].substr(0, 22)).find("has only 1") != std::string::npos);
    CHECK(error(parts[1]).find("out of order") != std::string::npos);
    CHECK(error(parts[0] + parts[2]).find("out of order") != std::string::npos);
    CHECK(error(parts[0] + parts[0]).find("out of order") != std::string::npos);
    std::string no_start = parts[0];
    no_start[16] = 0;
    CHECK(error(no_start).find("first fragment") != std::string::npos);
    std::string begun;
    for (std::size_t count = 0; count <= Defragmenter::open_limit; ++count)
        begun += fragmenter.cut("aabb", fragment_header_size + 2)[0];
    CHECK(error(begun).find("begun and not ended") != std::string::npos);
    Defragmenter endless;
    Fragmenter big;
    const std::string lot(Defragmenter::message_limit + 1, 'x');
    CHECK_THROWS_WITH(
        [&] {
            for (const std::string& part : big.cut(lot, 8UL * 1024 * 1024))
                static_cast<void>(endless.take(part));
        }(),
        Catch::Contains("longer than 64 MiB"));
}

TEST_CASE("a pool opens with the two messages of the protocol and knows the server's version", "[winrm]") {
    RunspacePool pool;
    Defragmenter server;
    const auto sent = server.take(pool.open());
    REQUIRE(sent.size() == 2);
    CHECK(sent[0].substr(0, 8) == std::string("\x02\0\0\0\x02\0\x01\0", 8));
    CHECK(sent[0].substr(8, 16) == pool.id().bytes());
    CHECK(sent[0].substr(24, 16) == std::string(16, '\0'));
    CHECK(ClixmlDocument::parse(sent[0].substr(40)).root().member("protocolversion")->text == "2.3");
    const ClixmlDocument init = ClixmlDocument::parse(sent[1].substr(40));
    CHECK(init.root().member("MaxRunspaces")->integer() == 1);
    CHECK(init.root().member("HostInfo")->member("_isHostUINull")->text == "false");

    ServerSide from_server(pool);
    pool.receive(from_server.message(MessageType::ApplicationPrivateData, Guid(),
                                     "<Obj RefId=\"0\"><MS><Obj N=\"ApplicationPrivateData\" "
                                     "RefId=\"1\"><DCT><En><S N=\"Key\">PSVersionTable</S>"
                                     "<Obj N=\"Value\" RefId=\"2\"><DCT><En><S "
                                     "N=\"Key\">PSVersion</S><Version N=\"Value\">5.1.1</Version></En>"
                                     "</DCT></Obj></En></DCT></Obj></MS></Obj>"));
    CHECK(pool.state() == PoolState::Opening);
    pool.receive(from_server.pool_state(2));
    CHECK(pool.state() == PoolState::Opened);
    CHECK(pool.version() == "5.1.1");
}

TEST_CASE("a pool that breaks has the server's reason", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    pool.receive(server.message(MessageType::RunspacePoolState, Guid(),
                                "<Obj RefId=\"0\"><MS><I32 N=\"RunspaceState\">5</I32>" +
                                    error_record(" N=\"ExceptionAsErrorRecord\"", "x") + "</MS></Obj>"));
    CHECK(pool.state() == PoolState::Broken);
    CHECK(pool.reason() == "broken");
}

TEST_CASE("a pipeline's output is lines, errors are text as Bolt has it", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    Collector seen;
    Pipeline pipeline(pool, simple_spec(), seen);
    Defragmenter sent;
    std::vector<std::string> messages;
    for (const std::string& fragment : pipeline.start(200))
        for (std::string& each : sent.take(fragment)) messages.push_back(std::move(each));
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].substr(24, 16) == pipeline.id().bytes());
    const ClixmlDocument created = ClixmlDocument::parse(messages[0].substr(40));
    CHECK(created.root().member("NoInput")->text == "true");
    const ClixmlValue* commands = created.root().member("PowerShell")->member("Cmds");
    REQUIRE(commands->items.size() == 1);
    CHECK(commands->items[0]->member("Cmd")->text == "Get-Date");

    pool.receive(server.output(pipeline, "<S>one</S>"));
    pool.receive(server.output(pipeline, "<S>two_x000D__x000A_</S>"));
    pool.receive(server.output(pipeline, "<S></S>"));
    pool.receive(server.host_call(pipeline, -100, 16, "<S>host</S>"));
    pool.receive(server.host_call(pipeline, -100, 14, "<I32>7</I32><I32>0</I32><S>part</S>"));
    pool.receive(server.host_call(pipeline, -100, 15, ""));
    pool.receive(server.host_call(pipeline, -100, 22, "<S>careful</S>"));
    pool.receive(server.host_call(pipeline, -100, 18, "<S>bad</S>"));
    pool.receive(server.message(MessageType::WarningRecord, pipeline.id(), "<Obj/>"));
    pool.receive(server.message(MessageType::ErrorRecord, pipeline.id(), error_record("", "Other,Thing")));
    CHECK(seen.out() == "one\r\ntwo\r\n\r\nhost\r\npart\r\nWarning: careful\r\n");
    CHECK(seen.err() ==
          "bad\r\nbroken\nAt line:1 char:1\n    + CategoryInfo          : Stopped: (:)\n    + "
          "FullyQualifiedErrorId : "
          "Other,Thing\n");
    CHECK_FALSE(pipeline.ended());
    pool.receive(server.host_call(pipeline, -100, 6, "<I32>-5</I32>"));
    pool.receive(server.state(pipeline, 4));
    CHECK(pipeline.ended());
    CHECK(pipeline.state() == PipelineState::Completed);
    CHECK(pipeline.exit_code() == -5);
}

TEST_CASE("each kind of error record has Bolt's form", "[winrm]") {
    const auto text = [](const std::string& id) {
        return error_record_text(ClixmlDocument::parse(error_record("", id)).root());
    };
    const std::string tail = "\n    + CategoryInfo          : Stopped: (:)\n    + FullyQualifiedErrorId : ";
    CHECK(text("Microsoft.PowerShell.Commands.WriteErrorException") ==
          "do it : broken" + tail + "Microsoft.PowerShell.Commands.WriteErrorException\n");
    CHECK(text("NativeCommandError") == "tool.exe : broken" + tail + "NativeCommandError\n");
    CHECK(text("NativeCommandErrorMessage") == "broken\n");
    CHECK(ending_error_text(ClixmlDocument::parse(error_record("", "x")).root()) == "broken" + tail + "x\n");
}

TEST_CASE("a pipeline that an exception ends has failed, with the exception on stderr", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    Collector seen;
    Pipeline pipeline(pool, simple_spec(), seen);
    pool.receive(server.state(pipeline, 5, error_record(" N=\"ExceptionAsErrorRecord\"", "x")));
    CHECK(pipeline.state() == PipelineState::Failed);
    CHECK_FALSE(pipeline.exit_code());
    CHECK(seen.err().substr(0, 7) == "broken\n");
}

TEST_CASE("nothing is printed for an object without data, which is $null", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    Collector seen;
    Pipeline pipeline(pool, simple_spec(), seen);
    pool.receive(server.output(pipeline, "<S>one</S>") + server.output(pipeline, "") +
                 server.output(pipeline, "<S>two</S>"));
    CHECK(seen.out() == "one\r\ntwo\r\n");
}

TEST_CASE("byte arrays come as bytes where that is wanted", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    Collector seen;
    PipelineSpec spec = simple_spec();
    spec.output = PipelineOutput::Bytes;
    spec.takes_input = true;
    Pipeline pipeline(pool, spec, seen);
    pool.receive(server.output(pipeline, "<BA>AAEC</BA>"));
    pool.receive(server.output(pipeline, "<Obj RefId=\"0\"><BA>/w==</BA></Obj>"));
    CHECK(seen.out() == std::string("\0\x01\x02\xff", 4));
    CHECK_THROWS_AS(pool.receive(server.output(pipeline, "<BA>?</BA>")), ProtocolError);

    Defragmenter sent;
    const auto input = sent.take(pipeline.input("\x01", 1000).front());
    REQUIRE(input.size() == 1);
    CHECK(input[0].substr(40) == "<BA>AQ==</BA>");
    CHECK(sent.take(pipeline.end_of_input()).front().size() == 40);
}

TEST_CASE("a question that nobody can answer is refused at once", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    Collector seen;
    Pipeline pipeline(pool, simple_spec(), seen);
    pool.receive(server.host_call(pipeline, 7, 11, ""));
    const std::vector<std::string> answers = pipeline.take_answers();
    REQUIRE(answers.size() == 1);
    Defragmenter sent;
    const ClixmlDocument answer = ClixmlDocument::parse(sent.take(answers[0]).front().substr(40));
    CHECK(answer.root().member("ci")->integer() == 7);
    CHECK(answer.root().member("mi")->integer() == 11);
    CHECK(error_message(*answer.root().member("me")) ==
          "The script asked for input (Call), and there is nobody to answer");
    CHECK(pipeline.take_answers().empty());
    // One whose answer nobody waits for gets none.
    pool.receive(server.host_call(pipeline, -100, 49, ""));
    CHECK(pipeline.take_answers().empty());
}

TEST_CASE("messages of a pipeline that is gone are ignored, broken ones are not", "[winrm]") {
    RunspacePool pool;
    ServerSide server(pool);
    Collector seen;
    std::string late;
    {
        Pipeline pipeline(pool, simple_spec(), seen);
        late = server.output(pipeline, "<S>late</S>");
        CHECK_THROWS_AS(pool.receive(server.host_call(pipeline, -100, 6, "")), ProtocolError);
        CHECK_THROWS_AS(pool.receive(server.host_call(pipeline, -100, 6, "<I64>99999999999</I64>")),
                        ProtocolError);
        CHECK_THROWS_AS(pool.receive(server.message(MessageType::PipelineState, pipeline.id(), "<S>x</S>")),
                        ProtocolError);
    }
    pool.receive(late);
    CHECK(seen.out().empty());
    CHECK_THROWS_AS(decode_message("short"), ProtocolError);
}
