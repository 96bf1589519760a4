#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/terminal/live/keys.hpp"
#include "cli/terminal/live/live_state.hpp"

namespace volley::cli {

/// What the keys ask for, beside another page.
struct StopRequest {
    std::size_t step = 0;
    std::string target;  ///< empty: everything
};

/// The part of a run that is on the screen: an overview, the targets of one step, or what one target says.
/// Keys lead from one to the other.
class LivePage {
public:
    explicit LivePage(LiveState& state) : state_(state) {}
    /// The lines for a terminal of that many rows and columns. `keys`: whether they can be pressed.
    std::vector<std::string> lines(std::size_t rows, std::size_t columns, bool keys);
    std::optional<StopRequest> press(KeyPress key);

private:
    using Lines = std::vector<std::string>;
    /// A line that can be chosen: of a step, of a target in one, or of a plan or branch.
    struct Place {
        std::size_t step = 0;
        std::string target;  // empty: the step's
        LiveScope::Id scope = {};
        bool operator==(const Place&) const = default;
    };
    enum class View { Overview, Scope, Step, Output, Help };

    void add_overview(Lines& lines, std::size_t space);
    void add_scope(Lines& lines, std::size_t space);
    void add_step(Lines& lines, std::size_t space);
    void add_output(Lines& lines, std::size_t space) const;
    void add_tree(Lines& lines, const LiveScope* root, std::size_t rows);
    void add_targets(Lines& lines, const std::vector<const LiveState::Running*>& targets);
    std::vector<const LiveState::Running*> targets_of_step(std::size_t space) const;
    std::string key_line() const;
    std::string marked(std::string line, const Place& place);
    void move(int by);
    void open();
    void expand();
    void go_to(View view);
    void show_output();
    void back();
    std::optional<StopRequest> answer(KeyPress key);

    LiveState& state_;
    View view_ = View::Overview;
    std::vector<std::pair<View, LiveScope::Id>> before_;  // where `back` leads
    std::size_t columns_ = 0;
    std::size_t step_ = 0;  // on the page of a step
    LiveScope::Id scope_;   // on the page of a plan or branch
    Place shown_;           // whose output
    std::optional<Place> chosen_;
    std::vector<Place> places_;         // that can be chosen, as they were drawn
    std::optional<StopRequest> asked_;  // waits for "y"
};

}  // namespace volley::cli
