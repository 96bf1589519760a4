#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace volley::testing {

/// Changes programs of the Puppet language along the grain of the language: it drops, doubles, swaps and
/// exchanges whole tokens and whole bracketed groups, and puts in constructs that the language knows. Most of
/// what comes out is a program still, so that what follows the parser is reached. The same seed makes the
/// same change.
class ProgramMutator {
public:
    explicit ProgramMutator(std::uint32_t seed) : random_(seed) {}

    /// The text with one to four changes.
    std::string mutate(std::string_view text);
    /// The text with a part of another one put in or in a group's place.
    std::string cross(std::string_view text, std::string_view other);

private:
    using Tokens = std::vector<std::string>;
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;  // after the last one
    };

    static Tokens tokens_of(std::string_view text);
    std::size_t pick(std::size_t count);
    /// A bracketed group, brackets included, or a single token where there is no bracket near.
    Range group(const Tokens& tokens);
    Tokens part(const Tokens& tokens, Range range) const;
    void replace(Tokens& tokens, Range range, const Tokens& with) const;
    void change(Tokens& tokens);

    std::minstd_rand random_;
};

}  // namespace volley::testing
