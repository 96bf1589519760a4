#include "inventory/targets/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "inventory/groups/validation_error.hpp"
#include "inventory/targets/adhoc_targets.hpp"
#include "inventory/targets/name_ranges.hpp"
#include "inventory/targets/patterns.hpp"
#include "inventory/targets/target_list.hpp"
#include "inventory/targets/uri.hpp"
#include "support/error.hpp"
#include "support/wildcard.hpp"

namespace volley::inventory {
namespace {

/// What the inventory itself calls by that name.
std::optional<std::vector<TargetId>> find_name(const GroupTree& tree, std::string_view name) {
    if (const Group* group = tree.find_group(name)) return tree.members_of(*group);
    if (const auto id = tree.find_target(name)) return std::vector{*id};
    if (const auto id = tree.find_alias(name)) return std::vector{*id};
    return std::nullopt;
}

/// The list may be long, so the error names what is wrong in it, unless that may hold a password.
void check_uri(const std::string& text) {
    try {
        parse_uri(text);
    } catch (const Error& error) {
        if (text.find('@') != std::string::npos) throw;
        throw Error(error.info().kind(), fmt::format("{} ('{}')", error.info().msg(), text));
    }
}

std::vector<TargetId> resolve_unknown(Inventory::State& state, std::string_view name, UnknownNames unknown) {
    std::string text(name);
    check_name(text);
    check_uri(text);
    require_adhoc_allowed(state, name, unknown);
    return {state.tree.add_target(std::move(text))};
}

/// "web[01-03]" where a pattern of Bolt may be meant too, whose brackets hold characters. Compatibility: it
/// is the pattern when that finds every target that the range finds, and the range names others as well.
std::vector<TargetId> resolve_range(Inventory::State& state, std::string_view text,
                                    const std::vector<std::string>& names, TargetSyntax syntax,
                                    UnknownNames unknown) {
    std::vector<TargetId> found;
    std::vector<std::string_view> missing;
    for (const std::string& name : names) {
        if (const auto known = find_name(state.tree, name))
            found.insert(found.end(), known->begin(), known->end());
        else
            missing.push_back(name);
    }
    if (missing.empty()) return found;
    std::vector<TargetId> matches = matching(state.tree, text, syntax);
    const bool pattern = !matches.empty() && std::ranges::all_of(found, [&matches](TargetId id) {
        return std::ranges::find(matches, id) != matches.end();
    });
    if (pattern) return matches;
    found.clear();
    for (const std::string& name : names) {
        const auto known = find_name(state.tree, name);
        const auto ids = known ? *known : resolve_unknown(state, name, unknown);
        found.insert(found.end(), ids.begin(), ids.end());
    }
    return found;
}

std::vector<TargetId> resolve_set(Inventory::State& state, std::string_view name, TargetSyntax syntax) {
    std::vector<TargetId> found;
    for (const std::string& target : state.sets(name)) {
        const auto ids = resolve_name(state, target, syntax, UnknownNames::Accept);
        found.insert(found.end(), ids.begin(), ids.end());
    }
    return found;
}

}  // namespace

std::vector<TargetId> resolve_name(Inventory::State& state, std::string_view name, TargetSyntax syntax,
                                   UnknownNames unknown) {
    if (auto known = find_name(state.tree, name)) return *std::move(known);
    if (state.sets && is_set_name(name)) return resolve_set(state, name, syntax);
    refuse_operator(name);
    if (is_wildcard(name) && !has_scheme(name)) {
        if (const auto names = names_in_ranges(name); names && !is_bracketed_address(name))
            return resolve_range(state, name, *names, syntax, unknown);
        std::vector<TargetId> found = matching(state.tree, name, syntax);
        if (!found.empty()) return found;
        if (!is_bracketed_address(name)) {
            throw Error("bolt.inventory/wildcard-error",
                        fmt::format("Found 0 targets matching wildcard pattern {}", name));
        }
    }
    return resolve_unknown(state, name, unknown);
}

void Selection::add(TargetId id) {
    names_some_ = true;
    if (seen_.insert(id).second) chosen_.push_back(id);
}

void Selection::add(std::string_view list) {
    for (const std::string_view term : split_terms(list, syntax_)) add_term(term);
}

void Selection::add_term(std::string_view term) {
    // A target may be called "-odd" in the inventory.
    if (is_narrowing(term) && !find_name(state_.tree, term)) {
        narrowings_.push_back({std::string(term.substr(1)), term.front() == '&'});
        return;
    }
    names_some_ = true;
    for (const TargetId id : resolve_name(state_, term, syntax_, unknown_)) add(id);
}

std::vector<TargetId> Selection::finish() {
    if (narrowings_.empty()) return std::move(chosen_);
    if (!names_some_) {
        const Narrowing& first = narrowings_.front();
        const char sign = first.keeps ? '&' : '!';
        throw_validation_error(
            fmt::format("'{}{}' is not a target: it only narrows the others of a list, and there are none. "
                        "Name those that are meant first, such as 'all,{}{}'",
                        sign, first.term, sign, first.term),
            {}, {});
    }
    std::ranges::stable_sort(narrowings_, std::greater<>(), &Narrowing::keeps);
    for (const Narrowing& narrowing : narrowings_) {
        // A name that nobody knows is mistyped: it would take away nobody, or everybody.
        const auto ids = resolve_name(state_, narrowing.term, syntax_, UnknownNames::Refuse);
        const std::unordered_set<TargetId> others(ids.begin(), ids.end());
        std::erase_if(chosen_, [&](TargetId id) { return others.contains(id) != narrowing.keeps; });
    }
    return std::move(chosen_);
}

}  // namespace volley::inventory
