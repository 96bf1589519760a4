#include "tests/fuzz/mutators/program_mutator.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace volley::testing {
namespace {

/// Constructs of the language, each whole.
constexpr auto constructs = std::to_array<std::string_view>({
    " if $x { 1 } else { 2 } ",
    " unless $x { 1 } ",
    " case $x { 1, /a/: { 2 } Integer: { 3 } default: { 4 } } ",
    " ($x ? { /b/ => 1, default => 2 }) ",
    " [1, 2].each |$i, $v| { notice($v) } ",
    " {a => 1}.map |$k, $v| { [$k, $v] } ",
    " [3, 1].reduce(0) |$m, $v| { $m + $v } ",
    " $x.then |$v| { $v } ",
    " with(1) |$a, $b = $a, *$c| { $c } ",
    "\nfunction f(Integer $a = 1, *$r) >> Any { $a }\n",
    "\ntype T = Variant[Integer, Array[T]]\n",
    "\ntype O = Object[{attributes => {a => Integer, b => {type => String, value => 'x'}}}]\n",
    "\nclass c(String $p = 'd') { notify { $p: } }\n",
    "\nclass d inherits c { Notify['d'] { message => 'm' } }\n",
    "\ndefine e($p = $title) { notify { $p: } }\n",
    "\nnode default { include c }\n",
    "\nnotify { ['a', 'b']: message => 'm', tag => ['t', 'u'] }\n",
    "\n@notify { 'v': }\n",
    "\n@@file { '/x': ensure => file, mode => '0644', * => {owner => 'o'}; '/y': ; default: mode => '1' }\n",
    "\nFile { mode => '0600' }\n",
    "\nNotify <| title == 'v' and tag != 't' |> { message => 'n' }\n",
    "\nFile <<| |>>\n",
    " Notify['a'] -> Notify['b'] ~> Class['c'] ",
    " Notify['a']['message'] ",
    " realize(Notify['v']) ",
    " create_resources('notify', {'r' => {'message' => 'x'}}) ",
    " inline_epp('<%= $x %><%- -%> t', {x => 1}) ",
    " epp('m/t.epp') ",
    " lookup('k', {default_value => 1, merge => 'deep'}) ",
    " regsubst('abc', '(b)', '<\\1>', 'G') ",
    " sprintf('%05.2f|%-5s|%<a>d', 1) ",
    " Integer('0x1f', 16) ",
    " String([1, {a => undef}], {Array => {format => '%(a', separator => ';'}}) ",
    " Timestamp('2020-01-01') - Timespan({hours => 1}) ",
    " SemVer('1.2.3') =~ SemVerRange('>=1 <2') ",
    " Sensitive('s').unwrap ",
    " Binary('YWJj') ",
    " $facts['os']['name'] ",
    " \"a${x['k'].upcase}b $y[0] \\u{1F600}\" ",
    " @(\"E\"/tn)\n  a ${x}\\n\n  | E\n",
    " @(E:json)\n  {\"a\": 1}\n  |- E\n",
    " Struct[{Optional[a] => Enum['x', 'y'], NotUndef[b] => Tuple[Integer, 1, 3]}] ",
    " Callable[[Integer, Optional[String], Callable], Any] ",
    " Pattern[/^a+$/, /b/i] ",
    " Deferred('upcase', ['x']) ",
    " [*$x, *[1]] ",
    " $x[1, -1] ",
    " !($x and $y or $z) ",
    " ($a, $b) = [1, 2] ",
    " {a => $a} = {a => 1} ",
    " <% if $x { %> t <%= $x -%> <% } -%> ",
    " <%- | String $p = 'x' | -%>\n",
    " <%# c %> <%% %%> ",
    " 9223372036854775807 ",
    " -9223372036854775808 ",
    " 1.7976931348623157e308 ",
    " 017 ",
    " '' ",
    " undef ",
    " default ",
    " {} ",
    " [] ",
    " return(1) ",
    " break() ",
    " next(1) ",
    " fail('x') ",
    " $settings::environment ",
});

constexpr auto wrappers = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"[", "]"},
    {"(", ")"},
    {"{ a => ", " }"},
    {" if true { ", " } "},
    {" \"${", "}\" "},
    {" type(", ") "},
    {" String(", ") "},
    {" [1].map |$x| { ", " } "},
    {"-", ""},
    {"!", ""},
    {"*", ""},
    {"Optional[", "]"},
    {"\nclass w { ", " }\n"},
    {"\ndefine w() { ", " }\n"},
    {"\nnotify { 'w': message => ", " }\n"},
});

constexpr std::size_t most_tokens = 4000;  // of which changes know; the rest stays as it is

bool is_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == ':' || byte == '$' || byte >= 0x80;
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// How long the token at the text's begin is.
std::size_t token_length(std::string_view text) {
    const auto run = [text](auto&& belongs) {
        return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
    };
    if (is_word(text[0])) return run(is_word);
    if (is_blank(text[0])) return run(is_blank);
    if (text[0] == '\'') {
        const std::size_t end = text.find('\'', 1);
        return end == std::string_view::npos ? 1 : end + 1;
    }
    for (const std::string_view op : {"<<|", "|>>", "<|", "|>", "=>", "+>", "->", "~>", "<-", "<~", "==",
                                      "!=",  "=~",  "!~", "<=", ">=", "<<", ">>", "@@", "<%", "%>", "${"}) {
        if (text.starts_with(op)) return op.size();
    }
    return 1;
}

char closing(const std::string& token) {
    if (token == "(") return ')';
    if (token == "[") return ']';
    return token == "{" || token == "${" ? '}' : '\0';
}

}  // namespace

ProgramMutator::Tokens ProgramMutator::tokens_of(std::string_view text) {
    Tokens tokens;
    while (!text.empty()) {
        const std::size_t length = tokens.size() < most_tokens ? token_length(text) : text.size();
        tokens.emplace_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return tokens;
}

std::size_t ProgramMutator::pick(std::size_t count) {
    return count == 0 ? 0 : static_cast<std::size_t>(random_()) % count;
}

ProgramMutator::Range ProgramMutator::group(const Tokens& tokens) {
    std::size_t begin = pick(tokens.size());
    for (std::size_t i = begin; i < tokens.size() && i < begin + 30; ++i) {
        const char close = closing(tokens[i]);
        if (!close) continue;
        int depth = 0;
        for (std::size_t j = i; j < tokens.size(); ++j) {
            if (closing(tokens[j]) == close) ++depth;
            if (tokens[j].size() == 1 && tokens[j][0] == close && --depth == 0) return {i, j + 1};
        }
    }
    return {begin, std::min(begin + 1, tokens.size())};
}

ProgramMutator::Tokens ProgramMutator::part(const Tokens& tokens, Range range) const {
    const auto at = [&tokens](std::size_t index) {
        return tokens.begin() + static_cast<std::ptrdiff_t>(index);
    };
    return {at(range.begin), at(range.end)};
}

void ProgramMutator::replace(Tokens& tokens, Range range, const Tokens& with) const {
    const auto at = [&tokens](std::size_t index) {
        return tokens.begin() + static_cast<std::ptrdiff_t>(index);
    };
    const auto gap = tokens.erase(at(range.begin), at(range.end));
    tokens.insert(gap, with.begin(), with.end());
}

void ProgramMutator::change(Tokens& tokens) {
    const Tokens construct{std::string(constructs[pick(constructs.size())])};
    const Range here = group(tokens);
    const std::size_t where = pick(tokens.size() + 1);
    switch (pick(8)) {
        case 0:
            return replace(tokens, here, {});
        case 1:
            return replace(tokens, {where, where}, part(tokens, here));
        case 2:
            return replace(tokens, here, part(tokens, group(tokens)));
        case 3:
            return replace(tokens, here, construct);
        case 4:
            return replace(tokens, {where, where}, construct);
        case 5: {
            const auto& [before, after] = wrappers[pick(wrappers.size())];
            Tokens wrapped = part(tokens, here);
            wrapped.emplace(wrapped.begin(), before);
            wrapped.emplace_back(after);
            return replace(tokens, here, wrapped);
        }
        case 6:
            if (tokens.size() > 1) std::swap(tokens[pick(tokens.size())], tokens[pick(tokens.size())]);
            return;
        default:
            if (!tokens.empty()) tokens[pick(tokens.size())] = tokens[pick(tokens.size())];
    }
}

std::string ProgramMutator::mutate(std::string_view text) {
    Tokens tokens = tokens_of(text);
    for (std::size_t changes = 1 + pick(4); changes > 0; --changes) change(tokens);
    std::string result;
    for (const std::string& token : tokens) result += token;
    return result;
}

std::string ProgramMutator::cross(std::string_view text, std::string_view other) {
    Tokens tokens = tokens_of(text);
    const Tokens others = tokens_of(other);
    const Tokens taken = part(others, group(others));
    if (pick(2) == 0) {
        replace(tokens, group(tokens), taken);
    } else {
        const std::size_t where = pick(tokens.size() + 1);
        replace(tokens, {where, where}, taken);
    }
    std::string result;
    for (const std::string& token : tokens) result += token;
    return result;
}

}  // namespace volley::testing

// libFuzzer's interface. Half of the changes are its own, of bytes and of words of the dictionary.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

std::size_t store(const std::string& text, std::uint8_t* out, std::size_t most) {
    const std::size_t size = std::min(text.size(), most);
    if (size > 0) std::memcpy(out, text.data(), size);
    return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    return store(volley::testing::ProgramMutator(seed).mutate(text_of(data, size)), data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t most, unsigned seed) {
    volley::testing::ProgramMutator mutator(seed);
    return store(mutator.cross(text_of(data, size), text_of(other, other_size)), out, most);
}
