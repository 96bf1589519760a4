#include "planner/action.hpp"

#include <array>

#include "planner/procedure.hpp"

namespace volley::planner {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::string default_description(const Action& action) {
    const auto describe = Overloaded{
        [](const CommandAction& a) { return "command '" + a.command + "'"; },
        [](const ScriptAction& a) { return "script " + a.path.string(); },
        [](const TaskAction& a) { return "task " + a.task->name; },
        [](const UploadAction& a) {
            return "file upload from " + a.source.string() + " to " + a.destination;
        },
        [](const DownloadAction& a) {
            return "file download from " + a.source + " to " + a.destination.string();
        },
        [](const WaitAction&) { return std::string("wait until available"); },
        [](const ProcedureAction& a) { return a.procedure->description(); },
    };
    return std::visit(describe, action.what);
}

}  // namespace

std::string_view action_name(const Action& action) {
    if (const auto* own = std::get_if<ProcedureAction>(&action.what)) return own->procedure->action();
    static constexpr std::array<std::string_view, 6> names{"command", "script",   "task",
                                                           "upload",  "download", "wait_until_available"};
    static_assert(names.size() + 1 == std::variant_size_v<decltype(Action::what)>);
    return names.at(action.what.index());
}

std::string action_object(const Action& action) {
    const auto object = Overloaded{
        [](const CommandAction& a) { return a.command; },
        [](const ScriptAction& a) { return a.path.string(); },
        [](const TaskAction& a) { return a.task->name; },
        [](const UploadAction& a) { return a.source.string(); },
        [](const DownloadAction& a) { return a.source; },
        [&action](const WaitAction&) { return action_description(action); },
        [](const ProcedureAction& a) { return a.procedure->object(); },
    };
    return std::visit(object, action.what);
}

std::string action_description(const Action& action) {
    return action.description ? *action.description : default_description(action);
}

}  // namespace volley::planner
