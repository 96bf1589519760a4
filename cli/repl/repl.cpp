#include "cli/repl/repl.hpp"

#include <string_view>

#include "cli/compile/inputs.hpp"
#include "cli/compile/report.hpp"
#include "cli/compile/run.hpp"
#include "cli/repl/completer.hpp"
#include "cli/repl/input_reader.hpp"
#include "language/compile.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/text/text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr const char* repl_help =
    "Type code of the Puppet language; its value is printed. Variables and functions last until the end.\n"
    "\n"
    "  Tab           completes variables, functions and types\n"
    "  Up, Down      earlier inputs\n"
    "  empty line    ends an input of several lines\n"
    "  Ctrl-C        drops what was typed\n"
    "  help, :help   this text\n"
    "  quit, exit    leave, as Ctrl-D does\n"
    "\n"
    "'volley help eval' lists the options, docs/language/ describes the language.";

/// Everything that lasts from one input to the next.
class Repl {
public:
    Repl(const LanguageRequest& request, Console& console, LanguageReport& report)
        : console_(console),
          host_(request.environment, request.settings,
                [&report](const LogEntry& entry) { report.log(entry); }),
          environment_(host_, request.settings),
          evaluator_(environment_),
          reader_(
              [this](std::string_view text, std::size_t cursor) {
                  return complete_code(text, cursor, *evaluator_.top(), functions_);
              },
              request.settings.tasks) {
        set_top_variables(*evaluator_.top(), request, decoded_variables(request, environment_));
    }

    void run() {
        while (const auto code = reader_.read()) {
            if (asks_for_help(*code)) {
                show_help();
                continue;
            }
            evaluate(*code);
            console_.flush();
        }
    }

private:
    void show_help() {
        console_.write_line(repl_help);
        console_.flush();
    }

    void evaluate(const std::string& code) {
        if (trim(code).empty()) return;
        host_.forget_templates();  // whoever types may have changed them meanwhile
        try {
            const auto program = compile_program(code, environment_);
            for (const ast::Node* node : program->definitions) {
                if (node->kind == ast::NodeKind::Function)
                    functions_.emplace_back(ast::as<ast::Definition>(*node).name);
            }
            console_.write_line(to_program_text(evaluator_.run(program)));
        } catch (const LanguageError& error) {
            console_.write_line("Error: " + error.full_message());
        } catch (const Error& error) {
            console_.write_line(std::string("Error: ") + error.what());
        }
    }

    Console& console_;
    DiskHost host_;
    Environment environment_;
    Evaluator evaluator_;
    std::vector<std::string> functions_;
    InputReader reader_;
};

}  // namespace

int run_repl(const LanguageOptions& options, Console& console, const inventory::ProcessContext& process) {
    LanguageOptions without_code = options;
    without_code.code = {""};  // none is to be read from standard input
    LanguageReport report(console, report_settings(options, process));
    const LanguageRequest request =
        make_language_request(without_code, LanguageRequest::Mode::Script, process);
    console.write_line("The Puppet language of Volley. Tab completes, help explains, Ctrl-D leaves.");
    console.flush();
    Repl(request, console, report).run();
    return 0;
}

}  // namespace volley::cli
