#include "planner/apply/puppet_agent.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "apply/report/apply_report.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "tasks/library.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view apply_task = "apply_helpers::apply_catalog";
/// A target that lacks files twice in a row would lack them for ever.
constexpr int helper_rounds = 3;
/// Content goes in one message that both sides hold in memory.
constexpr std::uintmax_t delivery_limit = std::uintmax_t{512} * 1024 * 1024;

std::shared_ptr<const tasks::TaskDefinition> helper_task(std::string_view name) {
    const std::filesystem::path folder = tasks::bundled_modules_folder() / "apply_helpers/files";
    // Where PowerShell runs it, the shell finds Puppet's Ruby itself (PS-003, PS-008).
    auto task = tasks::make_built_in_task("apply_helpers", name,
                                          {{folder / "puppet_agent.sh", "shell", {"puppet_agent.rb"}},
                                           {folder / "puppet_agent.rb", "powershell", {}}});
    task->is_private = true;
    task->supports_noop = true;
    task->input_method = "stdin";
    return task;
}

Json described_files(const std::vector<DeliveredFile>& files) {
    Json list = Json::array();
    for (const DeliveredFile& file : files) {
        if (file.folder) {
            list.push_back({{"path", file.path}, {"folder", true}});
            continue;
        }
        Json entry{{"path", file.path}, {"sum", file.sum}, {"size", file.size}, {"mode", file.mode}};
        if (file.code) entry["code"] = true;
        if (!file.here.empty()) entry["here"] = file.here;
        list.push_back(std::move(entry));
    }
    return list;
}

/// The contents of those files, by checksum.
Json contents_of(const std::vector<DeliveredFile>& files, const std::set<std::string>& wanted) {
    Json contents = Json::object();
    std::uintmax_t total = 0;
    for (const DeliveredFile& file : files) {
        if (!wanted.contains(file.sum) || contents.contains(file.sum)) continue;
        total += file.size;
        if (total > delivery_limit) {
            throw Error("bolt/apply-error",
                        "The files for this target are larger than 512 MiB together: let it fetch " +
                            file.path + " from a web server instead");
        }
        contents[file.sum] = base64_encode(read_file(file.local, "file of a module"));
    }
    return contents;
}

tasks::Argument secret_argument(std::string name, Json value) {
    return {std::move(name), std::make_shared<const Json>(std::move(value)), true};
}

std::optional<std::set<std::string>> missing_sums(const Json& answer) {
    const auto missing = answer.find("_missing");
    if (missing == answer.end() || !missing->is_array()) return std::nullopt;
    std::set<std::string> sums;
    for (const Json& sum : *missing) {
        if (sum.is_string()) sums.insert(sum.get<std::string>());
    }
    return sums;
}

/// The same answer; a target without a puppet-agent says what to do.
Json plain_answer(Json answer) {
    if (auto error = missing_puppet_error(answer)) answer["_error"] = std::move(*error);
    return answer;
}

}  // namespace

PuppetAgentApplier::PuppetAgentApplier(transports::Runtime& runtime, std::shared_ptr<const Json> settings)
    : runtime_(runtime),
      settings_(settings ? std::move(settings) : std::make_shared<const Json>(Json::object())) {}

transports::Task<Json> PuppetAgentApplier::ask(TargetAccess& access, std::string_view task,
                                               tasks::Arguments arguments, std::vector<DeliveredFile> files,
                                               bool noop) const {
    const auto definition = helper_task(task);
    arguments.push_back(secret_argument("files", described_files(files)));
    Json contents = Json::object();
    for (int round = 1; round <= helper_rounds; ++round) {
        tasks::Arguments request = arguments;
        request.push_back(secret_argument("content", std::move(contents)));
        Json answer = co_await access.run_task(definition, std::move(request), noop);
        const auto missing = missing_sums(answer);
        if (!missing) co_return answer;
        access.now_doing("sending files");
        auto read = [files, sums = *missing] { return contents_of(files, sums); };
        auto reading = runtime_.blocking(std::move(read));
        contents = co_await std::move(reading);
    }
    throw Error("bolt/apply-error", "Files that were sent did not arrive on " + access.target().name());
}

transports::Task<Json> PuppetAgentApplier::apply(TargetAccess& access,
                                                 std::shared_ptr<const CompiledCatalog> catalog,
                                                 bool noop) const {
    tasks::Arguments arguments;
    arguments.push_back({"catalog", catalog->document, true});
    arguments.push_back({"settings", settings_, false});
    auto asked = ask(access, apply_task, std::move(arguments), catalog->files, noop);
    Json answer = co_await std::move(asked);
    co_return apply_result_value(std::move(answer), access.target().name());
}

transports::Task<Json> PuppetAgentApplier::facts(TargetAccess& access,
                                                 std::vector<DeliveredFile> code) const {
    auto asked = ask(access, facts_task, {}, std::move(code), false);
    co_return plain_answer(co_await std::move(asked));
}

transports::Task<Json> PuppetAgentApplier::resources(TargetAccess& access, std::vector<std::string> wanted,
                                                     std::vector<DeliveredFile> code) const {
    tasks::Arguments arguments;
    arguments.push_back({"resources", std::make_shared<const Json>(std::move(wanted)), false});
    auto asked = ask(access, resources_task, std::move(arguments), std::move(code), false);
    co_return plain_answer(co_await std::move(asked));
}

}  // namespace volley::planner
