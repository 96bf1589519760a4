#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/functions/builtin.hpp"
#include "language/types/mismatch.hpp"

namespace volley {

class TypeLoader;

/// The parsed signatures of a function's dispatches: chooses the one that takes some arguments.
class SignatureSet {
public:
    /// The texts of `dispatches` are parsed at once; they need not stay. Throws LanguageError for a wrong
    /// type.
    SignatureSet(std::span<const Dispatch> dispatches, TypeLoader& loader);

    /// What messages call the blocks of the dispatches, one name for each.
    void name_blocks(std::span<const std::string> names);

    /// The index of the first dispatch that takes the arguments and the block (which may be null). Throws
    /// EvalError with Puppet's description of what is expected when none does, or one in plain words.
    std::size_t choose(std::string_view function, std::span<const Value> arguments, const Closure* block,
                       bool plain_words = false) const;
    /// What the first dispatch that takes the arguments and no block says that it returns: null when it does
    /// not say, nullopt when none takes them.
    std::optional<TypePtr> result_type(std::span<const Value> arguments) const;
    /// Without those that only explain mismatches.
    std::vector<Signature> signatures() const;

private:
    struct Parsed {
        std::vector<TypePtr> types;
        std::int64_t low = 0;
        std::int64_t high = 0;
        TypePtr block;
        TypePtr returns;
        Signature signature;
        bool explains = false;
        bool accepts(std::span<const Value> arguments, const TypePtr& block_type) const;
    };
    static Parsed parse(const Dispatch& dispatch, TypeLoader& loader);
    std::vector<Parsed> list_;
};

}  // namespace volley
