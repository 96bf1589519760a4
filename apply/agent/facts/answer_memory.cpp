#include "apply/agent/facts/answer_memory.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>

#include "apply/agent/machine/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr std::size_t most_files = 2000;
constexpr JsonLimits memory_limits{.depth = 6, .values = 20'000, .bytes = most_bytes};
constexpr const char* missing = "missing";

std::string time_word(const timespec& time) {
    return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
}

struct Identity {
    std::string text;
    std::time_t changed = 0;  ///< the later of both times
};

/// nullopt when it cannot be known.
std::optional<Identity> identity_of(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0)
        return errno == ENOENT || errno == ENOTDIR ? std::optional(Identity{missing, 0}) : std::nullopt;
    return Identity{std::to_string(found.st_dev) + " " + std::to_string(found.st_ino) + " " +
                        std::to_string(found.st_size) + " " + time_word(found.st_mtim) + " " +
                        time_word(found.st_ctim),
                    std::max(found.st_mtim.tv_sec, found.st_ctim.tv_sec)};
}

std::optional<std::string> text_at(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                       : std::nullopt;
}

}  // namespace

AnswerMemory::AnswerMemory(std::string folder, double settled)
    : folder_(std::move(folder)), settled_(settled) {
    try {
        load();
    } catch (const std::exception&) {
        entries_.clear();
    }
}

void AnswerMemory::load() {
    const auto there = file_stat(path(), false);
    if (!there || there->kind != FileKind::File) return;
    const Json json = parse_json(read_whole(path(), most_bytes), memory_limits);
    if (!json.is_object()) return;
    for (const auto& [name, remembered] : json.items()) {
        if (!remembered.is_object()) continue;
        const auto circumstances = text_at(remembered, "circumstances"),
                   answer = text_at(remembered, "answer");
        const auto files = remembered.find("files");
        if (!circumstances || !answer || files == remembered.end() || !files->is_object()) continue;
        Entry entry{*circumstances, *answer, {}};
        bool complete = !files->empty();
        for (const auto& [file, identity] : files->items()) {
            complete = complete && identity.is_string();
            if (complete) entry.files.emplace(file, identity.get<std::string>());
        }
        if (complete) entries_.emplace(name, std::move(entry));
    }
}

std::optional<std::string> AnswerMemory::recall(const std::string& name,
                                                std::string_view circumstances) const {
    const auto found = entries_.find(name);
    if (found == entries_.end() || found->second.circumstances != circumstances) return std::nullopt;
    for (const auto& [file, identity] : found->second.files) {
        const auto now = identity_of(file);
        if (!now || now->text != identity) return std::nullopt;
    }
    return found->second.answer;
}

void AnswerMemory::keep(const std::string& name, std::string circumstances, std::string answer,
                        const std::vector<std::string>& files) {
    if (files.size() > most_files || answer.size() > most_bytes / 4) return;
    // A text that JSON cannot carry as it is would come back as another one.
    if (scrub_utf8(answer) != answer || scrub_utf8(circumstances) != circumstances) return;
    Entry entry{std::move(circumstances), std::move(answer), {}};
    const std::time_t now = ::time(nullptr);
    for (const std::string& file : files) {
        const auto identity = identity_of(file);
        if (!identity || scrub_utf8(file) != file) return;
        if (identity->text != missing &&
            static_cast<double>(identity->changed) + settled_ > static_cast<double>(now))
            return;
        entry.files.emplace(file, identity->text);
    }
    entries_[name] = std::move(entry);
    is_new_ = true;
}

void AnswerMemory::save() noexcept {
    if (!is_new_) return;
    try {
        Json json = Json::object();
        for (const auto& [name, entry] : entries_)
            json[name] = {
                {"circumstances", entry.circumstances}, {"answer", entry.answer}, {"files", entry.files}};
        make_folders(folder_, 0700);
        replace_content(path(), json.dump(), 0600);
        is_new_ = false;
    } catch (const std::exception&) {
        // A full disk costs the next run some milliseconds.
    }
}

}  // namespace volley::agent
