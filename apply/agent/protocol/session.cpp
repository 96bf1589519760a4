#include "apply/agent/protocol/session.hpp"

#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/answer_memory.hpp"
#include "apply/agent/facts/facts.hpp"
#include "apply/agent/facts/modules/module_facts.hpp"
#include "apply/agent/inspection/inspection.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/own_program.hpp"
#include "apply/agent/machine/run_lock.hpp"
#include "apply/agent/machine/unfinished_files.hpp"
#include "apply/agent/protocol/frames.hpp"
#include "apply/agent/protocol/orders.hpp"
#include "apply/agent/transaction/transaction.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "support/version.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t most_catalog = std::size_t{512} << 20U;
constexpr std::size_t most_settings = std::size_t{64} << 20U;
constexpr std::size_t most_message = 2000;
constexpr std::size_t most_fact_code = std::size_t{256} << 20U;

volatile std::sig_atomic_t session_stopped = 0;
void stop_session(int) { session_stopped = 1; }

/// Both directions of the channel.
class Channel {
public:
    Channel(int in, int out) : in_(in), out_(out), reader_(false) {}

    /// Nothing more happens on a channel that is lost.
    void send(std::string_view bytes) {
        while (!lost_ && !bytes.empty()) {
            const ssize_t written = ::write(out_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0 && errno == EAGAIN) {
                pollfd wanted{out_, POLLOUT, 0};
                ::poll(&wanted, 1, -1);
                continue;
            }
            if (written <= 0) lost_ = true;
            if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    void send(FrameType type, std::string_view payload) { send(encode_frame(type, payload)); }

    /// Waits for a frame; nullopt when the other side is gone.
    std::optional<Frame> receive() {
        for (;;) {
            if (auto frame = reader_.next()) return frame;
            if (!read_some(-1)) return std::nullopt;
        }
    }
    /// What is there already.
    std::optional<Frame> glance() {
        if (auto frame = reader_.next()) return frame;
        return read_some(0) ? reader_.next() : std::nullopt;
    }
    bool lost() const noexcept { return lost_; }

private:
    bool read_some(int wait_ms) {
        pollfd wanted{in_, POLLIN, 0};
        const int ready = ::poll(&wanted, 1, wait_ms);
        if (ready <= 0) return wait_ms < 0 && errno == EINTR && session_stopped == 0;
        std::array<char, 65536> buffer;
        const ssize_t length = ::read(in_, buffer.data(), buffer.size());
        if (length < 0 && errno == EINTR) return true;
        if (length <= 0) {
            lost_ = true;
            return false;
        }
        reader_.feed({buffer.data(), static_cast<std::size_t>(length)});
        return true;
    }

    int in_, out_;
    FrameReader reader_;
    bool lost_ = false;
};

/// Asks Volley for content by its checksum.
class ChannelContents final : public ContentSource {
public:
    explicit ChannelContents(Channel& channel) : channel_(channel) {}

    void add(const std::string& path, OfferedFile file) {
        if (files_.emplace(path, std::move(file)).second) in_order_.push_back(path);
    }

    std::optional<OfferedFile> find(const std::string& path) override {
        if (const auto found = files_.find(path); found != files_.end()) return found->second;
        const auto after = files_.lower_bound(path + "/");
        if (after == files_.end() || !after->first.starts_with(path + "/")) return std::nullopt;
        return OfferedFile{"directory", "", 0755};
    }

    std::vector<std::string> below(const std::string& path) override {
        std::vector<std::string> found;
        const std::string prefix = path + "/";
        for (auto at = files_.lower_bound(prefix); at != files_.end() && at->first.starts_with(prefix);
             ++at) {
            const std::string relative = at->first.substr(prefix.size());
            for (std::size_t slash = relative.find('/'); slash != std::string::npos;
                 slash = relative.find('/', slash + 1)) {
                const std::string folder = relative.substr(0, slash);
                if (std::find(found.begin(), found.end(), folder) == found.end()) found.push_back(folder);
            }
            if (std::find(found.begin(), found.end(), relative) == found.end()) found.push_back(relative);
        }
        return found;
    }

    void fetch(const std::string& checksum, const std::function<void(std::string_view)>& take) override {
        channel_.send(FrameType::Want, checksum);
        receive(checksum, take);
    }

    /// Asks for the next ones before the first has come, but not for so many that Volley would have to hold
    /// all of them for a thousand targets.
    std::map<std::string, std::string> fetch_all(const std::vector<std::string>& checksums) {
        constexpr std::size_t window = 32;
        std::map<std::string, std::string> contents;
        std::size_t total = 0, asked = 0;
        for (std::size_t at = 0; at < checksums.size(); ++at) {
            for (; asked < std::min(at + window, checksums.size()); ++asked)
                channel_.send(FrameType::Want, checksums[asked]);
            const std::string& checksum = checksums[at];
            std::string& content = contents[checksum];
            receive(checksum, [&](std::string_view part) {
                total += part.size();
                if (total > most_fact_code) throw ApplyError("the code for facts is larger than 256 MiB");
                content += part;
            });
        }
        return contents;
    }

    std::vector<FactFile> fact_files() const {
        std::vector<FactFile> files;
        for (const std::string& path : in_order_) {
            const OfferedFile& file = files_.at(path);
            if (file.kind != "directory") files.push_back({path, file.checksum, file.mode});
        }
        return files;
    }

private:
    void receive(const std::string& checksum, const std::function<void(std::string_view)>& take) {
        while (auto frame = channel_.receive()) {
            switch (frame->type) {
                case FrameType::Content:
                    take(frame->payload);
                    break;
                case FrameType::ContentEnd:
                    return;
                case FrameType::ContentMissing:
                    // What is fetched only now is named by words, and the reason names it, too.
                    throw ApplyError((checksum.find(' ') == std::string::npos
                                          ? "Volley has no content " + checksum + ": "
                                          : std::string()) +
                                     frame->payload);
                case FrameType::Stop:
                    session_stopped = 1;
                    break;
                default:
                    throw ProtocolError("A message that is not expected came instead of content");
            }
        }
        throw ApplyError("The connection was lost while content was on its way");
    }

    Channel& channel_;
    std::map<std::string, OfferedFile> files_;
    std::vector<std::string> in_order_;
};

class SentLog final : public Listener {
public:
    explicit SentLog(Channel& channel) : channel_(channel) {}

    void logged(const LogLine& line) override {
        const Json json{{"level", level_name(line.level)},
                        {"source", scrub_utf8(line.source)},
                        {"message", scrub_utf8(line.message)},
                        {"time", time_text(line.time)}};
        channel_.send(FrameType::Log, shortened(json));
    }

    void finished(const Resource& resource, const Status& status) override {
        if (!status.changed && !status.out_of_sync && !status.skipped && !status.counts_as_failed()) return;
        const Json json{{"resource", scrub_utf8(resource.reference())},
                        {"changed", status.changed},
                        {"failed", status.counts_as_failed()},
                        {"skipped", status.skipped},
                        {"noop", status.out_of_sync && !status.changed && !status.failed}};
        channel_.send(FrameType::Resource, shortened(json));
    }

    bool stop_wanted() override {
        while (const auto frame = channel_.glance()) {
            if (frame->type == FrameType::Stop) session_stopped = 1;
        }
        return session_stopped != 0 || channel_.lost();
    }

private:
    /// A line that would not fit into a frame stands in the report only.
    static std::string shortened(const Json& json) {
        std::string text = compact_json(json);
        if (text.size() <= most_payload) return text;
        Json brief = json;
        brief["message"] = brief.value("message", std::string()).substr(0, 1000) + "...";
        return compact_json(brief);
    }

    Channel& channel_;
};

/// What Volley wants of the agent; Nothing when it went away before it had said so.
enum class Order { Nothing, Catalog, Facts, Resources };

class Session {
public:
    Session(int in, int out, std::string state_folder)
        : channel_(in, out), log_(channel_), state_folder_(std::move(state_folder)) {}

    int serve() {
        greet();
        try {
            Order order = receive_order();
            if (order == Order::Facts) {
                const bool catalog_follows = send_facts();
                if (channel_.lost()) return 1;
                if (!catalog_follows) return 0;
                settings_text_.clear();
                order = receive_order();
                if (order == Order::Nothing) return 0;  // there is nothing to apply
            }
            switch (order) {
                case Order::Catalog:
                    return apply();
                case Order::Resources:
                    return send_resources();
                case Order::Facts:
                    throw ProtocolError("The facts were asked for already");
                case Order::Nothing:
                    break;
            }
            return 1;
        } catch (const std::exception& error) {
            channel_.send(FrameType::Failure, std::string(error.what()).substr(0, most_payload));
            return 1;
        }
    }

private:
    void greet() {
        utsname machine{};
        ::uname(&machine);
        Json hello{
            {"protocol", protocol_version}, {"version", program_version}, {"machine", machine.machine}};
        const std::string file = own_program();
        std::string stamp = program_stamp(FileStamp::of(parent_of(file)), FileStamp::of(file));
        if (!stamp.empty()) hello["program"] = {{"file", file}, {"stamp", std::move(stamp)}};
        channel_.send("\n" + std::string(protocol_line));
        channel_.send(FrameType::Hello, hello.dump());
    }

    Order receive_order() {
        while (auto frame = channel_.receive()) {
            if (frame->type == FrameType::Settings) {
                settings_text_ += frame->payload;
                if (settings_text_.size() > most_settings)
                    throw ProtocolError("The settings are larger than 64 MiB");
            } else if (frame->type == FrameType::Catalog) {
                catalog_text_ += frame->payload;
                if (catalog_text_.size() > most_catalog)
                    throw ProtocolError("The catalog is larger than 512 MiB");
            } else if (frame->type == FrameType::CatalogEnd) {
                return Order::Catalog;
            } else if ((frame->type == FrameType::FactsOrder || frame->type == FrameType::ResourcesOrder) &&
                       catalog_text_.empty()) {
                settings_text_ += frame->payload;
                return frame->type == FrameType::FactsOrder ? Order::Facts : Order::Resources;
            } else {
                throw ProtocolError("A message that is not expected came instead of the catalog");
            }
        }
        return Order::Nothing;
    }

    /// Whether a catalog follows.
    bool send_facts() {
        const Orders orders(settings_text_);
        FactRequest request = orders.facts();
        ChannelContents contents = offered_contents(orders);
        std::optional<ModuleFacts> modules;
        if (std::vector<FactFile> files = contents.fact_files(); !files.empty() && !state_folder_.empty())
            request.modules = &modules.emplace(
                state_folder_, std::move(files),
                [&contents](const auto& checksums) { return contents.fetch_all(checksums); });
        std::optional<AnswerMemory> memory;
        FactHost host;
        if (!state_folder_.empty()) host.remember_in(memory.emplace(state_folder_));
        const FoundFacts found = find_facts(host, request);
        for (const std::string& warning : found.messages.warnings) send_message(Level::Warning, warning);
        for (const std::string& note : found.messages.notes) send_message(Level::Info, note);
        channel_.send(encode_parts(FrameType::Facts, FrameType::FactsEnd, found.json));
        if (memory) memory->save();
        return orders.catalog_follows();
    }

    ChannelContents offered_contents(const Orders& orders) {
        ChannelContents contents(channel_);
        for (auto& [path, file] : orders.offered_files()) contents.add(path, file);
        return contents;
    }

    void send_message(Level level, const std::string& text) {
        const Json line{{"level", level_name(level)}, {"message", scrub_utf8(text).substr(0, most_message)}};
        channel_.send(FrameType::Log, compact_json(line));
    }

    /// Nothing changes, so that no other run has to be waited for.
    int send_resources() {
        Settings settings;
        settings.level = Level::Warning;
        Json found = Json::array();
        for (const Inspection& wanted : Orders(settings_text_).wanted_resources()) {
            Run run(Catalog(), settings);
            for (Json& resource : inspect_resources(run, wanted)) found.push_back(std::move(resource));
            for (std::size_t number = 0; number < run.line_count(); ++number)
                send_message(Level::Warning, run.line(number).message);
        }
        channel_.send(encode_parts(FrameType::Resources, FrameType::ResourcesEnd, compact_json(found)));
        return channel_.lost() ? 1 : 0;
    }

    int apply() {
        const Orders orders(settings_text_);
        Settings settings = orders.settings();
        if (settings.state_folder.empty()) settings.state_folder = state_folder_;
        ChannelContents contents = offered_contents(orders);
        Run run(read_catalog(catalog_text_), settings, &contents, &log_);
        catalog_text_.clear();
        catalog_text_.shrink_to_fit();
        std::unique_ptr<RunLock> lock;
        if (!settings.state_folder.empty()) {
            lock = std::make_unique<RunLock>(
                settings.state_folder, orders.lock_wait(),
                [&](const std::string& text) { run.log(Level::Notice, text); },
                [&] { return !log_.stop_wanted(); });
            speak_of_last_run(run);
        }
        std::optional<UnfinishedFiles> temporary_files;
        if (!settings.state_folder.empty() && !settings.noop) {
            temporary_files.emplace(settings.state_folder);
            for (const std::string& path : temporary_files->remove_leftovers())
                run.log(Level::Notice, "Removed " + path + ", which a run that was killed left behind");
        }
        Transaction transaction(run);
        try {
            transaction.apply();
        } catch (const std::runtime_error& error) {
            run.log(Level::Err, std::string("Failed to apply catalog: ") + error.what());
        }
        const int code = transaction.exit_code();
        send_report(transaction);
        channel_.send(FrameType::ReportEnd, std::to_string(code));
        if (channel_.lost() && !settings.state_folder.empty())
            keep_report(transaction, unsent_report(settings.state_folder));
        start_last_commands(run);
        return code;
    }

    void send_report(const Transaction& transaction) {
        transaction.write_report([this](std::string_view piece) {
            for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), most_payload)))
                channel_.send(FrameType::Report, piece.substr(0, most_payload));
        });
    }

    static void keep_report(const Transaction& transaction, const std::string& path) {
        ReplacedFile file(path, "", 0600);
        transaction.write_report([&file](std::string_view piece) { file.write(piece); });
        file.complete();
        file.put_into_place();
    }

    static std::string unsent_report(const std::string& folder) { return folder + "/unsent_report.json"; }

    void speak_of_last_run(Run& run) {
        const std::string path = unsent_report(run.settings.state_folder);
        if (!file_exists(path)) return;
        run.log(Level::Warning,
                "The connection was lost during the last run, which ended early; its report is in " + path +
                    ".old");
        if (std::rename(path.c_str(), (path + ".old").c_str()) != 0) throw SystemError(errno, path);
    }

    Channel channel_;
    SentLog log_;
    std::string state_folder_, settings_text_, catalog_text_;
};

}  // namespace

int serve(int in, int out, const std::string& state_folder) {
    std::signal(SIGTERM, stop_session);
    std::signal(SIGINT, stop_session);
    std::signal(SIGHUP, stop_session);
    return Session(in, out, state_folder).serve();
}

}  // namespace volley::agent
