// Containers through the engine's own program.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <stdexcept>

#include "support/json/json_reader.hpp"
#include "transports/containers/exec.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/errors.hpp"
#include "transports/process/error_line.hpp"
#include "transports/process/run.hpp"

namespace volley::transports::containers {

namespace {

namespace asio = boost::asio;

/// For a list of containers. None of the engines' own waits is longer.
constexpr std::chrono::seconds list_deadline{30};
constexpr std::size_t longest_list = 64UL * 1024 * 1024;

std::string filled(std::string text, const ContainerPlace& place) {
    const std::pair<std::string_view, const std::string*> values[] = {
        {"{host}", &place.host}, {"{remote}", &place.remote}, {"{user}", &place.user}, {"{id}", &place.id}};
    for (const auto& [name, value] : values) {
        const std::size_t at = text.find(name);
        if (at != std::string::npos) text.replace(at, name.size(), *value);
    }
    return text;
}

ProcessSettings program_settings(const ContainerEngine& engine, const ContainerPlace& place,
                                 std::vector<std::string> words) {
    for (std::string& word : words) word = filled(std::move(word), place);
    ProcessSettings settings(std::move(words));
    if (engine.service_variable != nullptr && !place.service_url.empty())
        settings.environment.emplace_back(engine.service_variable, place.service_url);
    return settings;
}

std::string why_not_started(const std::string& program, const boost::system::system_error& error) {
    if (error.code() == boost::system::errc::no_such_file_or_directory)
        return fmt::format("The program '{}' was not found", program);
    return fmt::format("Could not run '{}': {}", program, error.code().message());
}

struct Listing final : OutputSink {
    void on_output(Stream stream, std::string_view bytes) override {
        if (stream == Stream::Err) {
            errors.add(bytes);
            return;
        }
        if (out.size() + bytes.size() > longest_list) throw std::runtime_error("The list is too long");
        out += bytes;
    }
    std::string out;
    ErrorLine errors;
};

Task<Listing> listing_of(ProcessSettings settings) {
    NoInput nothing;
    Listing listing;
    const std::string program = settings.argv.front();
    try {
        auto running = run_process(std::move(settings), nothing, listing);
        const ExitStatus status = co_await std::move(running);
        if (status.code != 0) {
            const std::string words = listing.errors.text();
            throw std::runtime_error(
                words.empty() ? fmt::format("{} exited with code {}", program, status.code) : words);
        }
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) throw;
        throw std::runtime_error(why_not_started(program, error));
    }
    co_return listing;
}

TransportError failed_to_connect(const ContainerPlace& place, const std::string& reason) {
    return connect_error(fmt::format("Failed to connect to {}: {}", place.target, reason));
}

/// Passes output on and keeps the beginning of what a command, or the program, says of errors.
class ErrorWatch final : public OutputSink {
public:
    explicit ErrorWatch(OutputSink& sink) : sink_(sink) {}
    void on_output(Stream stream, std::string_view bytes) override {
        constexpr std::size_t enough = 1024;
        if (stream == Stream::Err && errors_.size() < enough) errors_ += bytes.substr(0, enough);
        sink_.on_output(stream, bytes);
    }
    bool says(std::string_view words) const { return errors_.find(words) != std::string::npos; }

private:
    OutputSink& sink_;
    std::string errors_;
};

class ProgramExec final : public ContainerExec {
public:
    ProgramExec(const ContainerEngine& engine, ContainerPlace place)
        : engine_(engine), place_(std::move(place)) {}

    Task<ExitStatus> run(ExecRequest request, Input& input, OutputSink& sink) override {
        ProcessSettings settings = settings_for(request);
        const std::string program = settings.argv.front();
        ErrorWatch errors(sink);
        try {
            auto running = run_process(std::move(settings), input, errors);
            const ExitStatus status = co_await std::move(running);
            // The words may be the command's own: then the container is looked for again, and found.
            alive_ = status.code == 0 || std::ranges::none_of(engine_.gone, [&](std::string_view words) {
                         return errors.says(words);
                     });
            co_return status;
        } catch (const boost::system::system_error& error) {
            if (error.code() == asio::error::operation_aborted) throw;
            throw connect_error(why_not_started(program, error), "EXEC_ERROR");
        }
    }

    bool alive() const noexcept override { return alive_; }

private:
    ProcessSettings settings_for(const ExecRequest& request) const {
        std::vector<std::string> words;
        for (const std::string& word : engine_.exec) {
            if (word == "{mode}") {
                const auto& mode = request.tty ? engine_.terminal : engine_.pipes;
                words.insert(words.end(), mode.begin(), mode.end());
            } else if (word == "{variable}") {
                if (request.variable.empty()) continue;
                for (const std::string& part : engine_.variable)
                    words.push_back(part == "{variable}" ? request.variable : part);
            } else {
                words.push_back(word);
            }
        }
        ProcessSettings settings = program_settings(engine_, place_, std::move(words));
        settings.argv.insert(settings.argv.end(), request.words.begin(), request.words.end());
        return settings;
    }

    const ContainerEngine& engine_;
    ContainerPlace place_;
    bool alive_ = true;
};

}  // namespace

TransportError not_found(const ContainerEngine& engine, const ContainerPlace& place) {
    return failed_to_connect(place, filled(std::string(engine.missing), place));
}

Task<std::string> find_with_program(const ContainerEngine& engine, ContainerPlace place) {
    const auto executor = co_await asio::this_coro::executor;
    std::string reason;
    try {
        auto listing = listing_of(program_settings(engine, place, engine.list));
        const auto listed = co_await within(executor, list_deadline, std::move(listing));
        if (!listed) {
            reason = fmt::format("{} did not answer within {} seconds", engine.list.front(),
                                 list_deadline.count());
        } else {
            std::string id = engine.find(listed->out, place.host);
            if (!id.empty()) co_return id;
            throw not_found(engine, place);
        }
    } catch (const JsonError& error) {
        reason =
            fmt::format("{} printed a list that is not valid JSON: {}", engine.list.front(), error.what());
    } catch (const boost::system::system_error&) {
        throw;
    } catch (const TransportError&) {
        throw;
    } catch (const std::exception& error) {
        reason = error.what();
    }
    throw failed_to_connect(place, reason);
}

std::unique_ptr<ContainerExec> make_program_exec(const ContainerEngine& engine, ContainerPlace place) {
    return std::make_unique<ProgramExec>(engine, std::move(place));
}

}  // namespace volley::transports::containers
