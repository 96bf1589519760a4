#include "cli/help/help.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "cli/guides/guides.hpp"
#include "cli/guides/page_text.hpp"
#include "cli/help/completions.hpp"
#include "cli/help/language_reference.hpp"
#include "cli/help/manual.hpp"
#include "cli/help/reference.hpp"
#include "cli/help/type_docs.hpp"
#include "cli/options/parser.hpp"
#include "language/types/parse.hpp"
#include "language/types/type.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "tests/source_folder.hpp"

namespace volley::cli {
namespace {

const OptionParser& parser() {
    static const OptionParser the_parser{ParserHost{}};
    return the_parser;
}

std::string help(std::string_view noun = {}, std::string_view action = {}, bool color = false) {
    return help_text(noun, action, parser().options(), color);
}

TEST_CASE("CLI-019 CLI-026 help has its sections, in order", "[cli]") {
    const std::string text = help("command", "run");
    std::size_t last = 0;
    for (const char* heading :
         {"Name\n    command run\n", "\nUsage\n", "\nDescription\n", "\nDocumentation\n", "\nExamples\n",
          "\nCommon options\n", "\nInventory options\n", "\nAuthentication options\n",
          "\nEscalation options\n", "\nRun context options\n", "\nTransport options\n", "\nDisplay options\n",
          "\nGlobal options\n"}) {
        INFO(heading);
        const std::size_t at = text.find(heading);
        REQUIRE(at != std::string::npos);
        CHECK(at >= last);
        last = at;
    }
}

TEST_CASE("CLI-027 help lists a verb's own options and no others", "[cli]") {
    CHECK_THAT(help("command", "run"), Catch::Contains("--env-var") && !Catch::Contains("--noop"));
    CHECK_THAT(help("task", "run"), Catch::Contains("--noop") && Catch::Contains("--params"));
    CHECK_THAT(help("group", "show"), !Catch::Contains("--targets") && Catch::Contains("--log-level"));
}

TEST_CASE("CLI-019 help of a noun lists its actions, of anything else the subcommands", "[cli]") {
    CHECK_THAT(help("file"), Catch::Contains("download    Copy a file or folder from targets") &&
                                 Catch::Contains("upload      Copy a local file"));
    CHECK_THAT(help("nonsense"),
               Catch::Contains("Subcommands") && Catch::Contains("    command      Run a command"));
    CHECK(help("nonsense") == help());
    CHECK_THAT(help("apply", ""), Catch::Contains("--execute") && Catch::Contains("--noop"));
}

TEST_CASE("CLI-026 headings are cyan only when asked for", "[cli]") {
    CHECK_THAT(help("group", "show", true), Catch::StartsWith("\x1b[36mName\x1b[0m\n"));
    CHECK(help("group", "show").find('\x1b') == std::string::npos);
}

TEST_CASE("help fits 80 columns", "[cli]") {
    for (const Verb* verb : verbs()) {
        std::string_view rest;
        const std::string text = help(verb->noun, verb->action);
        rest = text;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            INFO(rest.substr(0, end));
            // Usage and examples are lines to copy; everything else is wrapped.
            if (rest.find("volley ") > end) CHECK(std::min(end, rest.size()) <= 80);
            rest.remove_prefix(end + 1);
        }
    }
}

TEST_CASE("MGT-017 USER-C7 the guides that Bolt has are here, and pages of docs/ besides", "[cli]") {
    std::vector<std::string> topics;
    for (const Guide& guide : guides()) {
        topics.emplace_back(guide.topic);
        std::string_view rest = guide.text;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            INFO(guide.topic << ": " << rest.substr(0, end));
            // Code of a page is to be copied; everything else is wrapped.
            if (!rest.starts_with("    ")) CHECK(std::min(end, rest.size()) <= 80);
            if (end == std::string_view::npos) break;
            rest.remove_prefix(end + 1);
        }
    }
    CHECK(topics == std::vector<std::string>{"apply", "debugging", "hiera", "inventory", "links", "logging",
                                             "module", "modulepath", "plans", "plugins", "project", "ssh",
                                             "targets", "tasks", "transports"});
    for (const Verb* verb : verbs()) {
        if (verb->guide.empty()) continue;
        INFO(verb->noun << ' ' << verb->action);
        CHECK(std::find(topics.begin(), topics.end(), verb->guide) != topics.end());
    }
}

TEST_CASE("USER-C7 a page of docs/ as text: paragraphs wrapped, tables as lists, links by their words",
          "[cli]") {
    const std::string text = page_text(
        "# Title\n\nSome words that\nbelong together, [a link](x.md#y), [the web](https://e.org/).\n\n"
        "    code | stays    as it is\n\n## Part\n- one\n  and more\n- two\n\n"
        "| option | |\n|---|---|\n| `a` | does \\| this |\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | |\n");
    CHECK(text ==
          "Title\n=====\n\nSome words that belong together, a link, the web (https://e.org/).\n\n"
          "    code | stays    as it is\n\nPart\n----\n- one and more\n- two\n\n"
          "  option:\n  `a`\n      does | this\n\n  a, b, c:\n  1\n      b: 2\n");
}

TEST_CASE("CLI-028 completions for three shells ask the program", "[cli]") {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        INFO(shell);
        CHECK_THAT(completions(shell), Catch::Contains("volley") && Catch::Contains(" --complete "));
    }
    CHECK_THROWS_AS(completions("tcsh"), Error);
}

TEST_CASE("the manual page is safe for roff", "[cli]") {
    const std::string page = manual(parser().options(), "1.2.3");
    CHECK_THAT(page, Catch::StartsWith(".TH VOLLEY 1 \"\" \"volley 1.2.3\""));
    CHECK_THAT(page, Catch::Contains(".SS command run\n") && Catch::Contains("\\-\\-[no\\-]tty"));
    CHECK_THAT(page, Catch::Contains("\\(aqsystemctl restart nginx\\(aq"));
}

TEST_CASE("docs/command-line.md says what the program does", "[cli]") {
    const std::filesystem::path file = tests::source_folder() / "docs" / "command-line.md";
    const std::string page = reference_page(parser().options());
    if (std::getenv("VOLLEY_ACCEPT") != nullptr) write_file_atomically(file, page);
    INFO("VOLLEY_ACCEPT=1 cli_tests writes the file anew");
    CHECK((read_file(file, "page") == page));
}

TEST_CASE("docs/language/ says what the declarations say", "[cli]") {
    const std::filesystem::path folder = tests::source_folder() / "docs" / "language";
    const std::pair<const char*, std::string> pages[] = {{"functions.md", language_functions_page()},
                                                         {"types.md", language_types_page()}};
    INFO("VOLLEY_ACCEPT=1 cli_tests writes the files anew");
    for (const auto& [name, page] : pages) {
        INFO(name);
        if (std::getenv("VOLLEY_ACCEPT") != nullptr) write_file_atomically(folder / name, page);
        CHECK((read_file(folder / name, "page") == page));
    }
}

TEST_CASE("every type that the pages name exists", "[cli]") {
    for (const TypeDoc& type : type_docs()) {
        INFO(type.name);
        CHECK(parse_type(type.name)->kind() != TypeKind::Reference);
    }
}

}  // namespace
}  // namespace volley::cli
