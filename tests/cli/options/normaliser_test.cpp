#include "cli/options/normaliser.hpp"

#include <catch2/catch.hpp>

#include "support/error.hpp"

namespace volley::cli {
namespace {

using Words = std::vector<std::string>;

OptionInfo option(std::string name, char letter = '\0', std::string value_name = {}, bool negatable = false) {
    OptionInfo info;
    info.name = std::move(name);
    info.letter = letter;
    info.value_name = std::move(value_name);
    info.negatable = negatable;
    return info;
}

Normalised normalised_from(const Words& arguments) {
    const std::vector<OptionInfo> options{
        option("targets", 't', "TARGETS"),
        option("transport", '\0', "NAME"),
        option("password", 'p', "PASSWORD"),
        option("password-prompt"),
        option("ssl", '\0', {}, true),
        option("ssl-verify", '\0', {}, true),
        option("ssh-command", '\0', "EXEC"),
        option("verbose", 'v', {}, true),
        option("help", 'h'),
        option("detail"),
    };
    return normalise(arguments, options);
}

std::string normaliser_complaint(const Words& arguments) {
    try {
        normalised_from(arguments);
    } catch (const Error& error) {
        CHECK(error.info().kind() == "bolt/cli-error");
        return error.what();
    }
    return "no error";
}

TEST_CASE("CLI-022 options stand before, between and after words, and -- ends them", "[cli]") {
    const Normalised result =
        normalised_from({"-t", "a", "command", "--detail", "run", "true", "--", "--detail", "-x"});
    CHECK(result.options == Words{"--targets", "a", "--detail"});
    CHECK(result.words == Words{"command", "run", "true", "--detail", "-x"});
}

TEST_CASE("CLI-022 values come as --opt=value, -tVALUE or the next word, whatever it is", "[cli]") {
    struct Row {
        Words given;
        Words options;
    };
    const Row rows[] = {
        {{"--targets=a=b"}, {"--targets", "a=b"}},
        {{"--targets="}, {"--targets", ""}},
        {{"-ta,b"}, {"--targets", "a,b"}},
        {{"-t=a"}, {"--targets", "=a"}},
        {{"-t", "-"}, {"--targets", "-"}},
        {{"-t", "--detail"}, {"--targets", "--detail"}},
        {{"--targets", "--"}, {"--targets", "--"}},
        {{"-vt", "a"}, {"--verbose", "--targets", "a"}},
        {{"-vhta"}, {"--verbose", "--help", "--targets", "a"}},
        {{"--no-verbose"}, {"--no-verbose"}},
    };
    for (const Row& row : rows) {
        INFO(row.given.front());
        CHECK(normalised_from(row.given).options == row.options);
        CHECK(normalised_from(row.given).words.empty());
    }
}

TEST_CASE("CLI-022 a lone dash is a word", "[cli]") {
    CHECK(normalised_from({"command", "run", "-"}).words == Words{"command", "run", "-"});
}

TEST_CASE("CLI-023 clear beginnings of long options are enough", "[cli]") {
    CHECK(normalised_from({"--targ", "a"}).options == Words{"--targets", "a"});
    CHECK(normalised_from({"--DET"}).options == Words{"--detail"});
    CHECK(normalised_from({"--no-verb"}).options == Words{"--no-verbose"});
    CHECK(normalised_from({"-d"}).options == Words{"--detail"});
    SECTION("the shortest wins when it begins all the others") {
        CHECK(normalised_from({"--pass", "x"}).options == Words{"--password", "x"});
        CHECK(normalised_from({"--ssl"}).options == Words{"--ssl"});
        CHECK(normalised_from({"--no-ss"}).options == Words{"--no-ssl"});
    }
    SECTION("else it is ambiguous") {
        CHECK(normaliser_complaint({"--t", "a"}) ==
              "Unknown argument '--t': it could mean --targets, --transport");
        CHECK_THAT(normaliser_complaint({"--ss"}), Catch::StartsWith("Unknown argument '--ss'"));
    }
}

TEST_CASE("CLI-025 each mistake names the option and never its value", "[cli]") {
    CHECK(normaliser_complaint({"--user=root"}) == "Unknown argument '--user'");
    CHECK(normaliser_complaint({"--detial"}) == "Unknown argument '--detial'. Did you mean '--detail'?");
    CHECK(normaliser_complaint({"-xsecret"}) == "Unknown argument '-x'");
    CHECK(normaliser_complaint({"-t"}) == "Option '-t' needs a parameter");
    CHECK(normaliser_complaint({"--password"}) == "Option '--password' needs a parameter");
    CHECK(normaliser_complaint({"--detail=secret"}) == "Option '--detail' does not take a value");
}

}  // namespace
}  // namespace volley::cli
