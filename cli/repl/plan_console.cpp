#include "cli/repl/plan_console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/completion/complete.hpp"
#include "cli/repl/call_place.hpp"
#include "cli/repl/completer.hpp"
#include "cli/repl/input_reader.hpp"
#include "cli/repl/saved_plan.hpp"
#include "cli/run/plan_stage.hpp"
#include "cli/run/recording.hpp"
#include "language/compile.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_run.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr const char* console_help =
    "Type code as in a plan; its value is printed. Variables and functions last until the end, and so do\n"
    "the sessions with targets.\n"
    "\n"
    "  $targets          those of --targets; run_command('uptime', $targets)\n"
    "  :save FILE.pp     writes the inputs that succeeded into a plan\n"
    "  :help, help       this text\n"
    "  quit, exit        leave, as Ctrl-D does\n"
    "\n"
    "  Tab               completes variables, functions and types; in quotes targets, groups, tasks, plans,\n"
    "                    their parameters and values, and files, where the function takes them\n"
    "  Up, Down          earlier inputs\n"
    "  empty line        ends an input of several lines\n"
    "  Ctrl-C            drops what was typed, or ends what runs\n"
    "\n"
    "'volley help --language-functions' lists the functions, docs/console.md has a tour.";

/// Where the text in quotes begins that the cursor is in; npos outside of quotes.
std::size_t open_quote(std::string_view text) {
    std::size_t begin = std::string_view::npos;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote != 0 && text[i] == '\\') {
            ++i;
        } else if (quote != 0 && text[i] == quote) {
            quote = 0;
            begin = std::string_view::npos;
        } else if (quote == 0 && (text[i] == '\'' || text[i] == '"')) {
            quote = text[i];
            begin = i;
        }
    }
    return begin;
}

/// Paths from `base` that begin with what was typed; those of directories end in "/".
std::vector<std::string> files_below(const std::filesystem::path& base, std::string_view typed) {
    const std::string folder(typed.substr(0, typed.rfind('/') + 1));
    const std::string_view part = typed.substr(folder.size());
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(base / folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(part) || (part.empty() && name.starts_with('.'))) continue;
        found.push_back(folder + name + (entry.is_directory(ignored) ? "/" : ""));
    }
    std::ranges::sort(found);
    return found;
}

class PlanConsole {
public:
    PlanConsole(Session& session, const CommandLine& line, PlanStage& stage, planner::PlanRun& run)
        : session_(session),
          stage_(stage),
          run_(run),
          reader_([this](std::string_view text, std::size_t cursor) { return complete(text, cursor); },
                  true) {
        const std::vector<std::string> specs = session.target_specs(line.options.target);
        std::vector<Value> targets;
        if (!specs.empty()) {
            for (const inventory::Target& target : session.targets(line.options.target, specs))
                targets.push_back(run.target_value(target));
        }
        count_ = targets.size();
        run.evaluator().top()->set("targets", Value(std::move(targets)));
    }

    void read_inputs() {
        print(
            fmt::format("Plans of Volley, with {} in $targets. Tab completes, help explains, Ctrl-D leaves.",
                        count_ == 1 ? "1 target" : fmt::format("{} targets", count_)));
        while (const auto input = reader_.read()) {
            if (trim(*input).empty()) continue;
            if (asks_for_help(*input)) {
                print(console_help);
            } else if (input->starts_with(':')) {
                follow(std::string(trim(*input)));
            } else {
                evaluate(*input);
            }
            if (stage_.executor().interrupted()) return;
        }
    }

private:
    Completion complete(std::string_view text, std::size_t cursor) {
        constexpr std::string_view save = ":save ";
        if (text.starts_with(save))
            return {save.size(), files_below(session_.process().working_directory,
                                             text.substr(save.size(), cursor - save.size()))};
        const std::size_t quote = open_quote(text.substr(0, cursor));
        if (quote == std::string_view::npos)
            return complete_code(text, cursor, *run_.evaluator().top(), functions_);
        std::size_t begin = quote + 1;
        std::vector<std::string> names;
        try {
            names = names_after(text.substr(0, quote), text.substr(begin, cursor - begin));
        } catch (const Error&) {  // what cannot be read has no names; using it reports why
        }
        const std::size_t comma = text.substr(0, cursor).rfind(',');  // in a list of targets
        if (comma != std::string_view::npos && comma >= begin) begin = comma + 1;
        const std::string_view word = text.substr(begin, cursor - begin);
        Completion completion{begin, {}};
        std::ranges::copy_if(names, std::back_inserter(completion.candidates),
                             [word](const std::string& name) { return name.starts_with(word); });
        std::ranges::sort(completion.candidates);
        return completion;
    }

    std::vector<std::string> targets() {
        std::vector<std::string> names = session_.inventory().target_names();
        const std::vector<std::string> groups = session_.inventory().group_names();
        names.insert(names.end(), groups.begin(), groups.end());
        return names;
    }

    /// What may stand in quotes after `code`; `typed` is there already.
    std::vector<std::string> names_after(std::string_view code, std::string_view typed) {
        const CallPlace place = call_place(code);
        const bool task = place.function == "run_task" || place.function == "run_task_with";
        const bool plan = place.function == "run_plan";
        if (place.argument == 0 && (place.function == "run_script" || place.function == "upload_file"))
            return files_of_modules(typed);
        if (!task && !plan) return targets();
        std::vector<std::string> names;
        if (place.argument == 0) {
            if (task)
                for (const tasks::TaskSummary& each : session_.library().list_tasks(""))
                    names.push_back(each.name);
            else
                for (const planner::PlanSummary& each : run_.plans().list("")) names.push_back(each.name);
            return names;
        }
        if (task && place.argument == 1) return targets();
        const std::vector<NamedParameter> parameters =
            task ? parameters_of_task(session_.library(), place.first)
                 : parameters_of_plan(run_.plans(), place.first);
        if (!place.key.empty()) return values_of(parameters, place.key);
        if (plan && place.argument == 1) names = targets();
        for (const NamedParameter& each : parameters) names.push_back(each.name);
        return names;
    }

    std::vector<std::string> values_of(const std::vector<NamedParameter>& parameters,
                                       const std::string& name) {
        const auto found = std::ranges::find(parameters, name, &NamedParameter::name);
        if (found == parameters.end()) return {};
        if (found->type.find("TargetSpec") != std::string::npos) return targets();
        return values_of_type(found->type);
    }

    /// "module/path" below its folder `files`, or a path of this machine.
    std::vector<std::string> files_of_modules(std::string_view typed) {
        if (typed.starts_with('/')) return files_below({}, typed);
        const std::size_t slash = typed.find('/');
        std::vector<std::string> names;
        if (slash == std::string_view::npos) {
            for (const std::string& module : session_.library().module_names()) names.push_back(module + "/");
            return names;
        }
        const tasks::Module* module = session_.library().find_module(typed.substr(0, slash));
        if (module == nullptr) return names;
        const std::string begin(typed.substr(0, slash + 1));
        for (const std::string& each : files_below(module->path / "files", typed.substr(slash + 1)))
            names.push_back(begin + each);
        return names;
    }

    void print(std::string_view text) {
        session_.out().print_message(text);
        session_.console().flush();
    }

    /// Words that begin with a colon.
    void follow(const std::string& input) {
        const std::size_t space = std::min(input.find(' '), input.size());
        const std::string file(trim(std::string_view(input).substr(space)));
        if (input.substr(0, space) != ":save") {
            print("Error: There is no '" + input.substr(0, space) + "' here; :help lists what there is");
        } else if (file.empty()) {
            print("Error: :save wants a file, such as plans/deploy.pp");
        } else {
            save(session_.process().working_directory / file);
        }
    }

    void save(const std::filesystem::path& file) {
        try {
            if (std::filesystem::exists(file))
                throw Error("bolt/existing-file-error",
                            "'" + file.string() + "' is there already; choose another name");
            const std::string name = plan_name_of_file(file, session_.config().project);
            write_file_atomically(file, plan_text(name, saved_));
            std::string note = fmt::format("Saved plan '{}' to {}.", name, file.string());
            if (left_out_ > 0)
                note += " Inputs that define functions or types are left out: a plan cannot hold them.";
            print(note);
        } catch (const Error& error) {
            print(std::string("Error: ") + error.what());
        }
    }

    void evaluate(const std::string& code) {
        bool defines = false;
        const planner::PlanOutcome outcome = run_.run_input([&] {
            const auto program = compile_program(code, run_.environment());
            defines = !program->definitions.empty();
            for (const ast::Node* node : program->definitions) {
                if (node->kind == ast::NodeKind::Function)
                    functions_.emplace_back(ast::as<ast::Definition>(*node).name);
            }
            return run_.evaluator().run(program);
        });
        if (outcome.ok() && defines) ++left_out_;
        if (outcome.ok() && !defines) saved_.push_back(code);
        if (!outcome.ok() || !outcome.value.is_undef()) session_.out().print_plan_outcome(outcome);
        session_.console().flush();
    }

    Session& session_;
    PlanStage& stage_;
    planner::PlanRun& run_;
    InputReader reader_;
    std::vector<std::string> functions_;
    std::vector<std::string> saved_;  // inputs that succeeded
    std::size_t left_out_ = 0;
    std::size_t count_ = 0;
};

}  // namespace

int run_plan_console(Session& session, const CommandLine& line) {
    if (!session.process().standard_input_is_terminal || !session.console().is_terminal())
        throw Error("bolt/cli-error",
                    "The console needs a terminal. Code in a file is a plan: 'volley plan run' runs it");
    session.out().begin_plan();
    PlanStage stage(session);
    const auto recorder = record_run(session, line);
    if (recorder) stage.executor().add_listener(*recorder);
    planner::PlanRun run(stage.world(line.options.action.noop, nullptr, recorder.get()));
    PlanConsole(session, line, stage, run).read_inputs();
    run.close_sessions();
    if (recorder) recorder->finish(0);
    stage.close();
    return 0;
}

}  // namespace volley::cli
