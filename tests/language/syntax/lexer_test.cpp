#include "language/syntax/lexer/lexer.hpp"

#include <catch2/catch.hpp>

#include "language/errors.hpp"

namespace volley {
namespace {

struct Lexed {
    TokenKind kind;
    std::string_view text;
    bool operator==(const Lexed&) const = default;
};

std::string shown(const std::vector<Lexed>& words) {
    std::string all;
    for (const Lexed& word : words)
        all += std::to_string(static_cast<int>(word.kind)) + " '" + std::string(word.text) + "', ";
    return all;
}

struct LexerCase {
    std::string_view name;
    std::string_view source;
    std::vector<Lexed> want;
    LexerOptions options = {};
};

void check(const std::vector<LexerCase>& rows) {
    for (const LexerCase& row : rows) {
        DYNAMIC_SECTION(row.name) {
            const Source source(std::string(row.source), "");
            Arena arena;
            Lexer lexer(source, arena, row.options);
            std::vector<Lexed> words;
            for (Token token = lexer.next(); token.kind != TokenKind::EndOfInput; token = lexer.next())
                words.push_back({token.kind, token.text});
            INFO(row.source);
            INFO("got  " << shown(words));
            INFO("want " << shown(row.want));
            CHECK(words == row.want);
        }
    }
}

TEST_CASE("words become tokens by their form", "[syntax]") {
    using enum TokenKind;
    check({
        {"a name", "abc", {{Name, "abc"}}},
        {"a qualified name", "a::b", {{Name, "a::b"}}},
        {"an absolute name", "::a", {{Name, "::a"}}},
        {"a class reference", "A::Bc", {{ClassRef, "A::Bc"}}},
        {"a bare word with a dash", "a-b", {{Word, "a-b"}}},
        {"a bare word begins with an underscore", "_a", {{Word, "_a"}}},
        {"a variable", "$a::b", {{Variable, "a::b"}}},
        {"a group", "$10", {{Variable, "10"}}},
        {"true and false", "true false", {{Boolean, "true"}, {Boolean, "false"}}},
        {"keywords",
         "if elsif else unless case",
         {{If, "if"}, {Elsif, "elsif"}, {Else, "else"}, {Unless, "unless"}, {Case, "case"}}},
        {"plan is a name in a manifest", "plan apply", {{Name, "plan"}, {Name, "apply"}}},
        {"plan is a keyword among tasks", "plan apply", {{Plan, "plan"}, {Apply, "apply"}}, {.tasks = true}},
        {"a comment is nothing", "1 # 2\n3", {{Number, "1"}, {Number, "3"}}},
        {"a comment between * is nothing", "1 /* 2\n */ 3", {{Number, "1"}, {Number, "3"}}},
    });
}

TEST_CASE("operators become the longest token that fits", "[syntax]") {
    using enum TokenKind;
    check({
        {"arrows", "-> ~> <- <~", {{InEdge, "->"}, {InEdgeSub, "~>"}, {OutEdge, "<-"}, {OutEdgeSub, "<~"}}},
        {"assignments", "= += -=", {{Equals, "="}, {Appends, "+="}, {Deletes, "-="}}},
        {"comparisons",
         "== != < <= > >=",
         {{IsEqual, "=="},
          {NotEqual, "!="},
          {LessThan, "<"},
          {LessEqual, "<="},
          {GreaterThan, ">"},
          {GreaterEqual, ">="}}},
        {"matches", "=~ !~", {{Match, "=~"}, {NoMatch, "!~"}}},
        {"attributes", "=> +>", {{FArrow, "=>"}, {PArrow, "+>"}}},
        {"shifts", "<< >>", {{LShift, "<<"}, {RShift, ">>"}}},
        {"collectors",
         "<| |> <<| |>>",
         {{LCollect, "<|"}, {RCollect, "|>"}, {LlCollect, "<<|"}, {RrCollect, "|>>"}}},
        {"at signs", "@ @@", {{At, "@"}, {AtAt, "@@"}}},
        {"an index touches what it is of",
         "$a[1]",
         {{Variable, "a"}, {LBrack, "["}, {Number, "1"}, {RBrack, "]"}}},
        {"a list stands alone", "$a [1]", {{Variable, "a"}, {ListStart, "["}, {Number, "1"}, {RBrack, "]"}}},
        {"parentheses know what is before them",
         "f(1)\n(2)",
         {{Name, "f"},
          {LParen, "("},
          {Number, "1"},
          {RParen, ")"},
          {WsLParen, "("},
          {Number, "2"},
          {RParen, ")"}}},
        {"a brace after ? is a selector's", "1 ? {", {{Number, "1"}, {QMark, "?"}, {SelBrace, "{"}}},
        {"a slash after a value divides",
         "1 /2/ 3",
         {{Number, "1"}, {Div, "/"}, {Number, "2"}, {Div, "/"}, {Number, "3"}}},
        {"a slash after an operator begins a pattern",
         "1 =~ /2/",
         {{Number, "1"}, {Match, "=~"}, {Regex, "2"}}},
    });
}

TEST_CASE("double quotes become the pieces between their expressions", "[syntax]") {
    using enum TokenKind;
    check({
        {"without one it is a text", "\"a\\tb\"", {{String, "a\tb"}}},
        {"before, between, after",
         "\"a${b}c${1}d\"",
         {{DqPre, "a"}, {Variable, "b"}, {DqMid, "c"}, {Variable, "1"}, {DqPost, "d"}}},
        {"a variable without braces", "\"$a.b\"", {{DqPre, ""}, {Variable, "a"}, {DqPost, ".b"}}},
        {"an escaped dollar", "\"\\$a\"", {{String, "$a"}}},
        {"single quotes keep them", "'$a ${b}\\n'", {{String, "$a ${b}\\n"}}},
    });
}

TEST_CASE("a template becomes texts and the code in its tags", "[syntax]") {
    using enum TokenKind;
    const LexerOptions epp{.epp = true};
    check({
        {"text only", "a b", {{EppStart, ""}, {RenderString, "a b"}}, epp},
        {"an expression",
         "a<%= 1 %>b",
         {{EppStart, ""},
          {RenderString, "a"},
          {RenderExpr, ""},
          {Number, "1"},
          {EppEnd, "%>"},
          {RenderString, "b"}},
         epp},
        {"trimming",
         "a\n  <%- 1 -%>\nb",
         {{EppStart, ""}, {RenderString, "a\n"}, {Number, "1"}, {RenderString, "b"}},
         epp},
        {"a comment", "a<%# c %>b", {{EppStart, ""}, {RenderString, "ab"}}, epp},
        {"escaped tags", "a<%% b %%>", {{EppStart, ""}, {RenderString, "a<% b %>"}}, epp},
    });
}

TEST_CASE("what cannot be a token is an error with its place", "[syntax]") {
    struct Wrong {
        std::string_view source, want;
    };
    static constexpr Wrong rows[] = {
        {"\n 0x", "2:2 Not a valid hex number 0x"},
        {"1a", "1:1 Illegal number '1a'"},
        {"'a", "1:2 Unclosed quote after"},
        {"\"a", "1:2 Unclosed quote after"},
        {"@(", "1:1 Unclosed parenthesis after '@('"},
        {"@(E)\n text\n", "2:1 Heredoc without end-tagged line"},
        {"A::b", "1:3 Illegal class reference"},
    };
    for (const Wrong& row : rows) {
        INFO(row.source);
        const Source source(std::string(row.source), "");
        Arena arena;
        Lexer lexer(source, arena);
        try {
            while (lexer.next().kind != TokenKind::EndOfInput) continue;
            FAIL_CHECK("no error");
        } catch (const LanguageError& error) {
            const std::string got = std::to_string(error.location().line) + ":" +
                                    std::to_string(error.location().column) + " " + error.what();
            CHECK_THAT(got, Catch::StartsWith(std::string(row.want)));
        }
    }
}

}  // namespace
}  // namespace volley
