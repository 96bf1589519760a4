#include "planner/apply/agentless/agentless.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "apply/facts/client_version.hpp"
#include "apply/report/apply_report.hpp"
#include "planner/apply/agentless/agent_program.hpp"
#include "planner/apply/agentless/agent_session.hpp"
#include "planner/apply/agentless/captured_text.hpp"
#include "planner/apply/agentless/content/fact_code.hpp"
#include "planner/apply/agentless/prepared_order.hpp"
#include "planner/apply/agentless/resource_answers.hpp"
#include "planner/apply/puppet_agent.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "support/version.hpp"
#include "tasks/library.hpp"
#include "transports/coroutines/start.hpp"
#include "transports/transport.hpp"

namespace volley::planner {
namespace {

constexpr JsonLimits answer_limits{.depth = 100, .values = 1'000'000, .bytes = std::size_t{64} << 20U};
constexpr JsonLimits report_limits{.depth = 100, .values = 20'000'000, .bytes = std::size_t{512} << 20U};

/// What stands after a mark on its line; nullopt when there is no such line.
std::optional<std::string> after_mark(const std::string& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    return scrub_utf8(trim(std::string_view(text).substr(at + mark.size(), end - at - mark.size())));
}

/// Lets the agent end by itself for as long as it lives.
class InterruptedGently {
public:
    InterruptedGently(TargetAccess& access, std::function<bool()> ask_to_end) : access_(access) {
        access_.on_interrupt(std::move(ask_to_end));
    }
    ~InterruptedGently() { access_.on_interrupt({}); }
    InterruptedGently(const InterruptedGently&) = delete;
    InterruptedGently& operator=(const InterruptedGently&) = delete;

private:
    TargetAccess& access_;
};

/// Whether the agent says of its own run that it did not come to the end of the catalog.
bool ended_early(const Json& report) {
    return report.is_object() && report.value("transaction_completed", Json()) == Json(false);
}

Json interrupted_apply(const AgentSession& session) {
    const std::string progress = session.progress();
    return {{"kind", "volley/interrupted"},
            {"msg", "Interrupted " + (progress.empty() ? "before it changed anything" : progress) +
                        "; run the command again for this target (see --rerun failure)"},
            {"details", Json::object()}};
}

/// Why the puppet-agent was asked, where it could not answer.
void add_reason(Json& answer, const std::string& why) {
    const auto error = answer.find("_error");
    if (!why.empty() && error != answer.end() && error->is_object())
        (*error)["msg"] = error->value("msg", std::string()) + " (it was asked because " + why + ")";
}

std::shared_ptr<const tasks::TaskDefinition> facts_task() {
    const std::filesystem::path folder = tasks::bundled_modules_folder() / "facts/tasks";
    return tasks::make_built_in_task(
        "facts", "facts",
        {{folder / "posix.sh", "shell", {}}, {folder / "powershell.ps1", "powershell", {}}});
}

/// The facts in an answer of the agent. Throws Error.
Json checked_facts(Json facts, const std::string& target) {
    if (!facts.is_object())
        throw Error("bolt/apply-error", "The facts that the agent on " + target + " sent are not an object");
    return facts;
}

}  // namespace

transports::Task<std::string> why_no_agent(TargetAccess& access) {
    if (access.target().transport_spec().uses_proxy_target) co_return "its transport has no shell there";
    auto asking = access.shell_traits();
    transports::ShellTraits traits = co_await std::move(asking);
    co_return std::move(traits.no_sessions);
}

ApplyMethod apply_method(std::string_view word) {
    if (word == "agentless") return ApplyMethod::Agentless;
    return word == "auto" ? ApplyMethod::Auto : ApplyMethod::PuppetAgent;
}

Installs AgentlessApplier::installs() const noexcept {
    if (method_ == ApplyMethod::Agentless) return Installs::Nothing;
    return method_ == ApplyMethod::Auto ? Installs::WhatIsAskedFor : Installs::PuppetAgent;
}

AgentlessApplier::AgentlessApplier(transports::Runtime& runtime, ApplyMethod method,
                                   std::unique_ptr<Applier> puppet, std::shared_ptr<const Json> settings)
    : runtime_(runtime),
      method_(method),
      puppet_(std::move(puppet)),
      settings_(settings ? std::move(settings) : std::make_shared<const Json>(Json::object())),
      sources_(std::make_shared<FetchedSources>()) {
    if (method_ == ApplyMethod::PuppetAgent) return;
    // While the first connection is made; who needs the programs hears then why they cannot be read.
    boost::asio::post(runtime_.workers(), [] {
        try {
            static_cast<void>(agent_programs());
        } catch (const std::exception&) {
        }
    });
}

transports::Task<bool> AgentlessApplier::store(TargetAccess& access, std::string machine,
                                               std::string& why) const {
    const std::size_t blank = machine.find(' ');
    const auto& programs = agent_programs();
    const auto found = programs.find(blank == std::string::npos ? machine : machine.substr(blank + 1));
    if (found == programs.end() || !machine.starts_with("Linux ")) {
        why = "this Volley has no agent for " + machine;
        co_return false;
    }
    access.now_doing("sending the agent");
    log(LogLevel::Info, "planner", "Sending the agent for " + machine + " to " + access.target().safe_name());
    auto read = [&program = found->second] { return std::string_view(content_of(program)); };
    auto reading = runtime_.blocking(std::move(read));
    transports::TextInput input(co_await std::move(reading));
    CapturedText answer;
    std::string command = store_command(found->second);
    auto storing = access.run_session(std::move(command), input, answer);
    co_await std::move(storing);
    if (after_mark(answer.text, stored_mark)) co_return true;
    const auto refused = after_mark(answer.text, refused_mark);
    why = "the agent could not be stored there: " + (refused ? *refused : scrub_utf8(trim(answer.text)));
    co_return false;
}

std::string AgentlessApplier::start_command_for(const std::string& target) const {
    const auto known = started_.find(target);
    return known == started_.end() ? start_command() : start_command(known->second);
}

transports::Task<std::shared_ptr<AgentSession>> AgentlessApplier::run_agent(TargetAccess& access,
                                                                            MakeSession again,
                                                                            std::string& why) const {
    for (bool stored = false;;) {
        std::shared_ptr<AgentSession> session = again();
        // A question is small; a catalog may be large, and is sent when the agent is known to be there.
        if (session->is_question() || started_.contains(access.target().name())) session->order_in_advance();
        auto running = access.run_session(start_command_for(access.target().name()), *session, *session);
        co_await std::move(running);
        if (session->program()) started_[access.target().name()] = *session->program();
        if (session->report() || session->dismissed()) co_return session;
        if (!session->started() && after_mark(session->before(), changed_mark) &&
            started_.erase(access.target().name()) > 0)
            continue;  // it is verified now, and sent again if it has to be
        const auto missing = after_mark(session->before(), missing_mark);
        if (session->started() || !missing) {
            const std::string words =
                scrub_utf8(trim(session->started() || !session->complaint().empty() ? session->complaint()
                                                                                    : session->before()));
            if (session->refused() && session->is_question()) throw Error("bolt/apply-error", words);
            if (session->refused() && session->stopped()) throw Error("volley/interrupted", words);
            const std::string progress = session->progress();
            std::string what = " ended without a report";
            if (session->refused()) what = progress.empty() ? " could not apply the catalog" : " stopped";
            throw Error("bolt/apply-error", "The agent on " + access.target().name() + what +
                                                (progress.empty() ? "" : " " + progress) +
                                                (words.empty() ? "" : ": " + words));
        }
        if (stored) {
            why = "the agent that was stored there cannot be started";
            co_return nullptr;
        }
        auto storing = store(access, *missing, why);
        stored = co_await std::move(storing);
        if (!stored) co_return nullptr;
    }
}

transports::Task<std::shared_ptr<AgentSession>> AgentlessApplier::run_applying_agent(TargetAccess& access,
                                                                                     MakeSession again,
                                                                                     std::string& why) const {
    std::weak_ptr<AgentSession> latest;
    MakeSession make = [&latest, again = std::move(again)] {
        auto session = again();
        latest = session;
        return session;
    };
    const InterruptedGently gently(access, [&latest] {
        const auto session = latest.lock();
        return session && session->stop();
    });
    auto running = run_agent(access, std::move(make), why);
    co_return co_await std::move(running);
}

transports::Task<Json> AgentlessApplier::value_of(TargetAccess& access,
                                                  std::shared_ptr<AgentSession> session) const {
    // Reports of thousands of resources are many megabytes: they are not copied.
    auto read = [text = session->take_report()] { return parse_json(text, report_limits); };
    auto reading = runtime_.blocking(std::move(read));
    Json report = co_await std::move(reading);
    const bool interrupted = session->stopped() && ended_early(report);
    Json value = apply_result_value(std::move(report), access.target().name());
    if (interrupted) value["_error"] = interrupted_apply(*session);
    co_return value;
}

transports::Task<Json> AgentlessApplier::apply_by_agent(TargetAccess& access, PreparedOrder prepared,
                                                        std::string& why) const {
    access.now_doing("applying its catalog");
    MakeSession again = [&] {
        auto session = std::make_shared<AgentSession>(prepared.order.catalog, prepared.order.settings,
                                                      program_version, access.live_output());
        session->fetch_later_with(fetch_later(runtime_, sources_, prepared.late));
        return session;
    };
    auto running = run_applying_agent(access, std::move(again), why);
    std::shared_ptr<AgentSession> session = co_await std::move(running);
    if (!session) co_return nullptr;
    auto reading = value_of(access, std::move(session));
    co_return co_await std::move(reading);
}

namespace {

/// What Puppet's own agent adds to the facts of a machine: modules ask for its version.
void add_client_facts(Json& facts, const std::string& target) {
    const auto networking = facts.find("networking");
    const bool has_name = networking != facts.end() && networking->is_object() &&
                          networking->contains("fqdn") && networking->at("fqdn").is_string();
    const auto add = [&facts](const char* name, Json value) {
        if (!facts.contains(name)) facts[name] = std::move(value);
    };
    add("clientcert", has_name ? lower(networking->at("fqdn").get<std::string>()) : target);
    add("clientversion", std::string(puppet_version));
    add("clientnoop", false);
    add("puppetversion", std::string(puppet_version));
}

/// What the agent said while it looked for an answer.
void log_messages(const AgentSession& session, const inventory::Target& target) {
    for (const AgentMessage& message : session.messages())
        log(message.level, "planner", target.safe_name() + ": " + message.text);
}

}  // namespace

transports::Task<Json> AgentlessApplier::answer_of_agent(TargetAccess& access, AgentQuestion question,
                                                         std::string& why) const {
    auto prepare = [] { return agent_programs().size(); };
    auto preparing = runtime_.blocking(std::move(prepare));
    static_cast<void>(co_await std::move(preparing));
    access.now_doing(question.about == AgentQuestion::About::Facts ? "gathering its facts"
                                                                   : "reading its resources");
    MakeSession again = [&question] { return std::make_shared<AgentSession>(question, program_version); };
    auto running = run_agent(access, std::move(again), why);
    const std::shared_ptr<AgentSession> session = co_await std::move(running);
    if (!session) co_return nullptr;
    log_messages(*session, access.target());
    auto read = [text = *session->report()] { return parse_json(text, answer_limits); };
    auto reading = runtime_.blocking(std::move(read));
    co_return co_await std::move(reading);
}

transports::Task<Json> AgentlessApplier::ask(TargetAccess& access, AgentQuestion question) const {
    const std::string name = access.target().name();
    auto trying = why_no_agent(access);
    std::string why = co_await std::move(trying);
    Json answer;
    if (why.empty()) {
        auto asking = answer_of_agent(access, std::move(question), why);
        answer = co_await std::move(asking);
    }
    if (answer.is_null() && !why.empty())
        throw Error("bolt/apply-error", "The agent cannot run on " + name + ": " + why);
    co_return answer;
}

transports::Task<Json> AgentlessApplier::facts_of_agent(TargetAccess& access, std::vector<DeliveredFile> code,
                                                        std::string& why) const {
    auto prepare = [code = std::move(code)] { return catalog_facts_question(code); };
    auto preparing = runtime_.blocking(std::move(prepare));
    AgentQuestion question = co_await std::move(preparing);
    auto asking = answer_of_agent(access, std::move(question), why);
    Json facts = co_await std::move(asking);
    if (facts.is_null() && !why.empty()) co_return nullptr;
    facts = checked_facts(std::move(facts), access.target().name());
    add_client_facts(facts, access.target().name());
    co_return facts;
}

transports::Task<Json> AgentlessApplier::apply_if_possible(TargetAccess& access,
                                                           std::shared_ptr<const CompiledCatalog> catalog,
                                                           bool noop, std::string& why) const {
    auto trying = why_no_agent(access);
    why = co_await std::move(trying);
    if (!why.empty()) co_return nullptr;
    access.now_doing("preparing its catalog");
    auto prepare = [this, catalog = std::move(catalog), noop] {
        return prepare_order(catalog, *sources_, *settings_, noop);
    };
    auto preparing = runtime_.blocking(std::move(prepare));
    PreparedOrder prepared = co_await std::move(preparing);
    why = std::move(prepared.why);
    if (!prepared.order.catalog) co_return nullptr;
    auto applying = apply_by_agent(access, std::move(prepared), why);
    co_return co_await std::move(applying);
}

struct AgentlessApplier::Meanwhile {
    std::shared_ptr<const CompiledCatalog> catalog;
    std::shared_ptr<const std::vector<LateSource>> late = std::make_shared<const std::vector<LateSource>>();
    std::string why;  ///< the agent cannot apply the catalog
    std::exception_ptr failure;
};

transports::Task<void> AgentlessApplier::make_order(std::string facts, std::string target,
                                                    CompileWithFacts compile, bool noop,
                                                    std::shared_ptr<Meanwhile> meanwhile,
                                                    std::function<void(AgentOrder)> ordered) const {
    AgentOrder order;
    try {
        auto read = [text = std::move(facts)] { return parse_json(text, answer_limits); };
        auto reading = runtime_.blocking(std::move(read));
        Json found = checked_facts(co_await std::move(reading), target);
        add_client_facts(found, target);
        auto compiling = compile(std::move(found));
        meanwhile->catalog = co_await std::move(compiling);
        auto prepare = [this, catalog = meanwhile->catalog, noop] {
            return prepare_order(catalog, *sources_, *settings_, noop);
        };
        auto preparing = runtime_.blocking(std::move(prepare));
        PreparedOrder prepared = co_await std::move(preparing);
        meanwhile->why = std::move(prepared.why);
        meanwhile->late = std::move(prepared.late);
        order = std::move(prepared.order);
    } catch (...) {
        meanwhile->failure = std::current_exception();
    }
    ordered(std::move(order));
}

transports::Task<Json> AgentlessApplier::gather_and_apply_by_agent(
    TargetAccess& access, std::vector<DeliveredFile> code, CompileWithFacts compile, bool noop,
    std::shared_ptr<const CompiledCatalog>& catalog, std::string& why) const {
    auto prepare = [code = std::move(code)] {
        static_cast<void>(agent_programs());
        return catalog_facts_question(code, true);
    };
    auto preparing = runtime_.blocking(std::move(prepare));
    const AgentQuestion question = co_await std::move(preparing);
    access.now_doing("gathering its facts");
    const auto meanwhile = std::make_shared<Meanwhile>();
    // What the session calls is called while it runs, and `access` and these variables are there as long.
    MakeSession again = [&] {
        auto session = std::make_shared<AgentSession>(question, program_version);
        session->fetch_later_with([this, meanwhile](const std::string& path, const auto& done) {
            fetch_later(runtime_, sources_, meanwhile->late)(path, done);
        });
        auto make = [&, asked = session.get()](std::string facts, const AgentSession::Ordered& ordered) {
            log_messages(*asked, access.target());
            access.now_doing("compiling its catalog");
            auto done = [ordered, doing = &access](AgentOrder order) {
                const bool applies = order.catalog != nullptr;
                if (ordered(std::move(order)) && applies) doing->now_doing("applying its catalog");
            };
            auto making = make_order(std::move(facts), access.target().name(), compile, noop, meanwhile,
                                     std::move(done));
            transports::start(runtime_.loop().get_executor(), std::move(making));
        };
        session->then_apply(std::move(make), access.live_output());
        return session;
    };
    auto running = run_applying_agent(access, std::move(again), why);
    std::shared_ptr<AgentSession> session = co_await std::move(running);
    if (meanwhile->failure) std::rethrow_exception(meanwhile->failure);
    catalog = meanwhile->catalog;
    if (!session) co_return nullptr;
    if (session->dismissed()) {
        why = meanwhile->why;
        co_return nullptr;
    }
    auto reading = value_of(access, std::move(session));
    co_return co_await std::move(reading);
}

transports::Task<Result> AgentlessApplier::gather_and_apply(TargetAccess& access,
                                                            std::vector<DeliveredFile> code,
                                                            CompileWithFacts compile, bool noop) const {
    const std::string name = access.target().name();
    std::shared_ptr<const CompiledCatalog> catalog;
    Json value;
    std::string why;
    if (method_ != ApplyMethod::PuppetAgent) {
        auto trying = why_no_agent(access);
        why = co_await std::move(trying);
    }
    if (method_ != ApplyMethod::PuppetAgent && why.empty()) {
        auto working = gather_and_apply_by_agent(access, code, compile, noop, catalog, why);
        value = co_await std::move(working);
    }
    if (!catalog) {
        auto asking = facts_without_agent(access, std::move(code), why);
        Json facts = co_await std::move(asking);
        if (facts.contains("_error"))
            co_return Result::of_value(name, "task", std::string(PuppetAgentApplier::facts_task),
                                       std::move(facts));
        access.now_doing("compiling its catalog");
        auto compiling = compile(std::move(facts));
        catalog = co_await std::move(compiling);
    }
    if (value.is_null()) {
        auto applying = apply_without_agent(access, catalog, noop, std::move(why));
        value = co_await std::move(applying);
    }
    co_return Result::of_apply(name, std::move(value), catalog->document);
}

transports::Task<Json> AgentlessApplier::apply_by_agent_only(TargetAccess& access,
                                                             std::shared_ptr<const CompiledCatalog> catalog,
                                                             bool noop) const {
    std::string why;
    auto applying = apply_if_possible(access, std::move(catalog), noop, why);
    Json answer = co_await std::move(applying);
    if (answer.is_null())
        throw Error("bolt/apply-error", "The agent cannot change " + access.target().name() + ": " + why);
    co_return answer;
}

transports::Task<Json> AgentlessApplier::apply_without_agent(TargetAccess& access,
                                                             std::shared_ptr<const CompiledCatalog> catalog,
                                                             bool noop, std::string why) const {
    if (method_ == ApplyMethod::Agentless)
        throw Error(
            "bolt/apply-error",
            "The catalog of " + access.target().name() + " cannot be applied agentless: " + why +
                ". Set apply-method to auto or puppet-agent to let the target's puppet-agent apply it");
    if (method_ == ApplyMethod::Auto)
        log(LogLevel::Info, "planner",
            "The puppet-agent of " + access.target().safe_name() + " applies its catalog: " + why);
    auto applying = puppet_->apply(access, std::move(catalog), noop);
    Json answer = co_await std::move(applying);
    add_reason(answer, why);
    co_return answer;
}

transports::Task<Json> AgentlessApplier::apply(TargetAccess& access,
                                               std::shared_ptr<const CompiledCatalog> catalog,
                                               bool noop) const {
    std::string why;
    if (method_ != ApplyMethod::PuppetAgent) {
        auto applying = apply_if_possible(access, catalog, noop, why);
        Json answer = co_await std::move(applying);
        if (!answer.is_null()) co_return answer;
    }
    auto applying = apply_without_agent(access, std::move(catalog), noop, std::move(why));
    co_return co_await std::move(applying);
}

transports::Task<Json> AgentlessApplier::facts_without_agent(TargetAccess& access,
                                                             std::vector<DeliveredFile> code,
                                                             std::string why) const {
    if (method_ != ApplyMethod::Agentless) {
        auto asking = puppet_->facts(access, std::move(code));
        Json found = co_await std::move(asking);
        if (method_ == ApplyMethod::PuppetAgent || !found.contains("_error")) co_return found;
    }
    if (!why.empty())
        log(LogLevel::Info, "planner",
            "The facts of " + access.target().safe_name() + " come from the task facts: " + why);
    auto running = access.run_task(facts_task(), {}, false);
    co_return co_await std::move(running);
}

transports::Task<Json> AgentlessApplier::facts(TargetAccess& access, std::vector<DeliveredFile> code) const {
    std::string why;
    if (method_ != ApplyMethod::PuppetAgent) {
        auto trying = why_no_agent(access);
        why = co_await std::move(trying);
        if (why.empty()) {
            auto asking = facts_of_agent(access, code, why);
            Json found = co_await std::move(asking);
            if (!found.is_null()) co_return found;
        }
    }
    auto asking = facts_without_agent(access, std::move(code), std::move(why));
    co_return co_await std::move(asking);
}

transports::Task<Json> AgentlessApplier::resources(TargetAccess& access, std::vector<std::string> wanted,
                                                   std::vector<DeliveredFile> code) const {
    const std::string name = access.target().name();
    std::string why;
    if (method_ != ApplyMethod::PuppetAgent) {
        std::vector<WantedResource> parsed;
        for (const std::string& reference : wanted) parsed.push_back(wanted_resource(reference));
        auto trying = why_no_agent(access);
        why = co_await std::move(trying);
        if (why.empty()) why = types_not_shown(parsed);
        if (why.empty()) {
            AgentQuestion question = resources_question(parsed);
            auto asking = answer_of_agent(access, std::move(question), why);
            Json found = co_await std::move(asking);
            if (why.empty() || !found.is_null())
                co_return as_query_result(checked_resources(std::move(found), name));
        }
        if (method_ == ApplyMethod::Agentless)
            throw Error("bolt/apply-error", "The resources of " + name + " cannot be read agentless: " + why +
                                                ". Set apply-method to auto or puppet-agent to let the "
                                                "target's puppet-agent read them");
    }
    auto asking = puppet_->resources(access, std::move(wanted), std::move(code));
    Json found = co_await std::move(asking);
    add_reason(found, why);
    co_return found;
}

}  // namespace volley::planner
