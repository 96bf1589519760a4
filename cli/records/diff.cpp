// What `run diff` prints.
#include "apply/catalog/diff.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/text.hpp"
#include "cli/records/recorded_runs.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t most_variants = 5;  // of what differs in numbers only; of more, one is an example

/// The results of one step by target.
using Outcomes = std::map<std::string, planner::Result>;

std::map<std::string, Outcomes> outcomes_by_step(const journal::RunRecord& run) {
    std::map<std::string, Outcomes> found;
    std::map<std::string, std::size_t> seen;
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        const std::size_t again = ++seen[step.description];
        const std::string name = step.description + (again > 1 ? " (" + std::to_string(again) + ")" : "");
        for (const planner::Result& result : step.results)
            found[name].insert_or_assign(result.target(), result);
    }
    return found;
}

/// All that one result says, which is what a line-by-line comparison shows.
std::string compared_text(const planner::Result& result) {
    return "[" + std::string(planner::to_string(result.status())) + "]\n" + result_text(result, own_name) +
           "\n";
}

/// They say the same except for numbers and words with digits.
bool same_but_for_numbers(const planner::Result& one, const planner::Result& other) {
    return result_groups(planner::ResultSet({one, other}), own_name).size() == 1;
}

/// The same text before and the same text after, on these targets.
struct Variant {
    const planner::Result* before;
    const planner::Result* after;
    std::string before_text;
    std::string after_text;
    std::vector<std::string> names;
};

/// Variants that differ from each other in numbers only.
struct Difference {
    bool only_numbers = false;  ///< before and after do, too
    std::vector<Variant> variants;
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const Variant& one : variants) all.insert(all.end(), one.names.begin(), one.names.end());
        std::ranges::sort(all);
        return all;
    }
};

void add(std::vector<Difference>& differences, Variant variant) {
    for (Difference& one : differences) {
        const Variant& first = one.variants.front();
        if (!same_but_for_numbers(*first.before, *variant.before) ||
            !same_but_for_numbers(*first.after, *variant.after))
            continue;
        one.variants.push_back(std::move(variant));
        return;
    }
    Difference one;
    one.only_numbers = same_but_for_numbers(*variant.before, *variant.after);
    one.variants.push_back(std::move(variant));
    differences.push_back(std::move(one));
}

std::vector<Difference> differences_of(const Outcomes& before, const Outcomes& after) {
    std::map<std::pair<std::string, std::string>, Variant> variants;
    for (const auto& [target, result] : after) {
        const auto earlier = before.find(target);
        if (earlier == before.end()) continue;
        const std::string before_text = compared_text(earlier->second);
        const std::string after_text = compared_text(result);
        if (before_text == after_text) continue;
        variants
            .try_emplace({before_text, after_text},
                         Variant{&earlier->second, &result, before_text, after_text, {}})
            .first->second.names.push_back(target);
    }
    std::vector<Difference> found;
    for (auto& [texts, variant] : variants) add(found, std::move(variant));
    for (Difference& one : found) {
        std::ranges::stable_sort(one.variants, std::greater<>(),
                                 [](const Variant& variant) { return variant.names.size(); });
    }
    std::ranges::stable_sort(found, std::less<>(), &Difference::only_numbers);
    return found;
}

std::string diff_lines(const Variant& variant) {
    std::string text;
    for (const std::string& row : line_diff(variant.before_text, variant.after_text))
        text += "    " + printable(row, "\t") + "\n";
    return text;
}

std::string difference_text(const std::string& step, const Difference& difference) {
    const std::string start =
        step + (difference.only_numbers ? ": only numbers differ on " : ": different on ");
    const Variant& first = difference.variants.front();
    if (difference.variants.size() > most_variants)
        return start + place_of(difference.names()) + "; on " + first.names.front() + ":\n" +
               diff_lines(first);
    std::string text;
    for (const Variant& one : difference.variants)
        text += start + place_of(one.names) + "\n" + diff_lines(one);
    return text;
}

Json result_json(const planner::Result& result) {
    return to_json(result_groups(planner::ResultSet({result}), own_name))[0];
}

Json difference_json(const std::vector<Difference>& differences) {
    Json list = Json::array();
    for (const Difference& difference : differences) {
        for (const Variant& one : difference.variants) {
            list.push_back(Json{{"targets", one.names},
                                {"only_numbers", difference.only_numbers},
                                {"before", result_json(*one.before)},
                                {"after", result_json(*one.after)}});
        }
    }
    return list;
}

std::vector<std::string> missing_in(const Outcomes& these, const Outcomes& those) {
    std::vector<std::string> names;
    for (const auto& [target, result] : these) {
        if (!those.contains(target)) names.push_back(target);
    }
    return names;
}

/// What is found step by step.
struct Comparison {
    std::string text;
    Json steps = Json::array();
    std::size_t same = 0;

    void add_step(const std::string& name, const Outcomes& before, const Outcomes& after,
                  const std::string& before_id, const std::string& after_id) {
        const auto gone = missing_in(before, after);
        const auto added = missing_in(after, before);
        const auto differences = differences_of(before, after);
        if (!gone.empty()) text += name + ": only in " + before_id + ": " + place_of(gone) + "\n";
        if (!added.empty()) text += name + ": only in " + after_id + ": " + place_of(added) + "\n";
        std::size_t differing = added.size();
        for (const Difference& one : differences) {
            differing += one.names().size();
            text += difference_text(name, one);
        }
        same += after.size() - differing;
        if (gone.empty() && added.empty() && differences.empty()) return;
        steps.push_back(Json{{"step", name},
                             {"only_before", gone},
                             {"only_after", added},
                             {"different", difference_json(differences)}});
    }
};

}  // namespace

void print_run_diff(Session& session, const journal::RunRecord& before, const journal::RunRecord& after) {
    std::map<std::string, Outcomes> old_steps = outcomes_by_step(before);
    std::map<std::string, Outcomes> new_steps = outcomes_by_step(after);
    for (const auto& [name, unused] : new_steps) old_steps.try_emplace(name);
    Comparison found;
    found.text = "From " + before.id + " (" + run_title(run_head(before)) + ") to " + after.id + " (" +
                 run_title(run_head(after)) + ")\n";
    for (const auto& [name, outcomes] : old_steps)
        found.add_step(name, outcomes, new_steps[name], before.id, after.id);
    found.text += "The same: " + std::to_string(found.same) + (found.same == 1 ? " outcome" : " outcomes");
    session.out().print_document(found.text, Json{{"before", before.id},
                                                  {"after", after.id},
                                                  {"steps", std::move(found.steps)},
                                                  {"same", found.same}});
}

}  // namespace volley::cli
