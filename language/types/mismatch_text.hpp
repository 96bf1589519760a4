#pragma once

#include <span>
#include <string>
#include <vector>

#include "language/types/mismatch.hpp"

/// The parts of a mismatch and the sentences they make. Private to mismatch*.cpp and explain.cpp.
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
    bool entries = false;                 // Size: of a hash
    std::vector<std::string> known = {};  // ExtraneousKey, InvalidParameter: the names that are right
};

/// Puppet: messages that are the same as Puppet's. Plain: for people (explain.hpp).
enum class Wording { Puppet, Plain };

/// Where `actual` parts from `expected`; empty when it does not.
std::vector<Mismatch> find_mismatches(const TypePtr& expected, const TypePtr& actual, const Path& path,
                                      Wording wording);
/// What is wrong with each signature.
std::vector<std::vector<Mismatch>> compare_signatures(std::span<const Signature> signatures,
                                                      const TypePtr& arguments, Wording wording);
/// Whether the value is of the right kind as it is, or wrong only in parts deeper than `depth` elements of a
/// path.
bool is_near_miss(const std::vector<Mismatch>& found, std::size_t depth);

/// Puppet's sentence, with a space before it: place() and predicate().
std::string format(const Mismatch& mismatch);
/// " parameter 'x' index 0"
std::string place(const Path& path);
/// " expects an Integer value, got String"
std::string predicate(const Mismatch& mismatch);
/// The mismatch with one element less in its path.
Mismatch without_element(const Mismatch& mismatch, std::size_t index);
/// What several alternatives have in common, said once, when they fail at the same place for the same reason.
std::vector<Mismatch> merge_mismatches(std::size_t varying, Mismatch::Kind sizes,
                                       const std::vector<std::vector<Mismatch>>& alternatives);
/// "String $a, Integer $b?": the parameters of a signature.
std::string signature_text(const Signature& signature, Wording wording = Wording::Puppet);

}  // namespace volley
