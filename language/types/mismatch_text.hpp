#pragma once

#include <string>
#include <vector>

#include "language/types/mismatch.hpp"

/// The parts of a mismatch and the sentences they make. Private to mismatch*.cpp.
namespace volley {

struct PathElement {
    enum class Kind { Subject, EntryValue, EntryKey, Parameter, Return, Block, Index, Variant, Signature };
    Kind kind;
    std::string text;
    friend bool operator==(const PathElement&, const PathElement&) = default;
};
using Path = std::vector<PathElement>;

struct Mismatch {
    enum class Kind {
        MissingKey,
        MissingParameter,
        ExtraneousKey,
        InvalidParameter,
        UnexpectedBlock,
        MissingBlock,
        UnresolvedReference,
        Type,
        Pattern,  // counts as Type where kinds of mismatches are merged
        Size,
        Count,
    };
    Kind kind;
    Path path;
    std::string key = {};   // a name
    TypePtr expected = {};  // Type, Pattern: types; Size, Count: ranges
    TypePtr actual = {};
};

/// The sentence, with a space before it.
std::string format(const Mismatch& mismatch);
/// The mismatch with one element less in its path.
Mismatch without_element(const Mismatch& mismatch, std::size_t index);
/// What several alternatives have in common, said once, when they fail at the same place for the same reason.
std::vector<Mismatch> merge_mismatches(std::size_t varying, Mismatch::Kind sizes,
                                       const std::vector<std::vector<Mismatch>>& alternatives);
/// "String $a, Integer $b?": the parameters of a signature.
std::string signature_text(const Signature& signature);

}  // namespace volley
