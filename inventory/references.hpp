#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "inventory/plugins.hpp"
#include "support/error.hpp"
#include "support/json/json.hpp"

namespace volley::inventory {

/// Keys and positions that lead from a value to a part of it.
using ReferencePath = std::vector<std::string>;

/// Where a part of a value stands, for messages: "inventory.yaml:3:9, key config.ssh.password".
using ReferencePlace = std::function<std::string(const ReferencePath& path)>;

/// Answers that are asked for before they are wanted, many at the same time. A reference that occurs twice is
/// asked once.
class PreparedReferences {
public:
    enum class Depth { Complete, FirstStep };  ///< FirstStep: an answer that is itself a reference stays one

    /// Asks for those of `references` that may overlap (Plugins::may_overlap), when there are several; the
    /// others are left to be asked in their order. Returns when the slowest has answered. Throws nothing: a
    /// failure belongs to the one who wants that answer.
    void prepare(const std::vector<Json>& references, Plugins& plugins, Depth depth);

    bool contains(const Json& reference) const;
    /// The answer to that reference; nullptr when it was not prepared. Throws what the plugin threw.
    const Json* find(const Json& reference) const;

private:
    struct Answer;
    std::unordered_map<std::string, std::shared_ptr<Answer>> answers_;  // by the text of the reference
};

struct ReferenceContext {
    ReferencePlace place;                          ///< may be empty
    const PreparedReferences* prepared = nullptr;  ///< may be null
    bool one_by_one = false;                       ///< none at the same time as another
};

/// Places in configuration that was merged from several files: "the configuration, key KEY.REST".
ReferencePlace config_place(std::string key);

/// Replaces every plugin reference in `value`, inner ones first, until none is left (PLG-003) but in answers
/// that are data (Plugins::answers_with_references). References that do not depend on each other are asked
/// for at the same time, if their plugins allow it. Throws Error bolt/recursive-reference-loop after
/// 100 references that led to the next one, and what the plugins throw, with the place.
Json resolve_references(const Json& value, Plugins& plugins, const ReferenceContext& context = {});

/// The answer to one reference whose own options may hold references; the answer may again be one (PLG-004),
/// unless it is data (Plugins::answers_with_references).
Json resolve_outer_reference(const Json& reference, Plugins& plugins);

/// The outermost references in `value`, in order.
std::vector<Json> outermost_references(const Json& value);

/// The same error, its message followed by the place.
[[noreturn]] void throw_at_place(const Error& error, const std::string& place);

/// The error for references that lead to references without end.
[[noreturn]] void throw_reference_loop();

constexpr int maximum_reference_depth = 100;

}  // namespace volley::inventory
