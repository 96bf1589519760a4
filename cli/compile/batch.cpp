#include "cli/compile/batch.hpp"

#include <nlohmann/json.hpp>

#include "cli/compile/inputs.hpp"
#include "cli/compile/json_input.hpp"
#include "cli/compile/report.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/standard_input.hpp"

namespace volley::cli {
namespace {

Json answer_request(const Json& line, bool ruby) {
    std::vector<LogEntry> logs;
    LanguageOutcome outcome;
    LanguageRequest::Mode mode = LanguageRequest::Mode::Eval;
    try {
        LanguageRequest request = make_batch_request(line);
        request.settings.ruby = ruby;
        mode = request.mode;
        outcome = run_language_request(request, [&logs](const LogEntry& entry) {
            if (is_for_users(entry)) logs.push_back(entry);
        });
        return outcome_to_json(mode, outcome, logs);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {  // the request, or a value that has no JSON
        outcome.failure = LanguageFailure{plain_message(error), {}, {}};
        return outcome_to_json(mode, outcome, logs);
    }
}

Json refuse_request(const std::string& reason) {
    LanguageOutcome outcome;
    outcome.failure = LanguageFailure{reason, {}, {}};
    return outcome_to_json(LanguageRequest::Mode::Eval, outcome, {});
}

std::string answer_line(const std::string& text, bool ruby) {
    std::string fault = "it is not an object";
    const Json line = try_parse_json(text, fault, value_json_limits);
    Json answer = Json::object();
    const bool request = line.is_object();
    answer["id"] = request && line.contains("id") ? line["id"] : Json(nullptr);
    answer.update(request ? answer_request(line, ruby)
                          : refuse_request("The request is not valid JSON: " + fault));
    return compact_json(answer);
}

}  // namespace

int answer_batch(Console& console, bool ruby) {
    InputLines lines;
    while (const auto line = lines.next()) {
        console.write_line(answer_line(*line, ruby));
        console.flush();
    }
    return 0;
}

}  // namespace volley::cli
