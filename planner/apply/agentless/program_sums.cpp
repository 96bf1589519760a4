#include "planner/apply/agentless/program_sums.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "support/crypto/digest.hpp"
#include "support/files.hpp"
#include "support/files/file_stamp.hpp"
#include "support/files/private_file.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t most_programs = 20;  // of several versions of Volley
constexpr JsonLimits cache_limits{.depth = 4, .values = 10 * most_programs, .bytes = std::size_t{64} << 10U};

std::string stamp_text(const FileStamp& stamp) {
    return fmt::format("{}:{}:{}:{}.{}:{}.{}", stamp.device, stamp.inode, stamp.size, stamp.changed.tv_sec,
                       stamp.changed.tv_nsec, stamp.touched.tv_sec, stamp.touched.tv_nsec);
}

/// It becomes a part of commands.
bool is_sum(const Json& value, std::size_t digits) {
    constexpr std::string_view hex = "0123456789abcdef";
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return text.size() == digits && text.find_first_not_of(hex) == std::string::npos;
}

}  // namespace

ProgramSums::ProgramSums(std::filesystem::path folder) {
    if (folder.empty()) return;
    file_ = std::move(folder) / "agent-sums.json";
    try {
        load();
    } catch (const std::exception&) {  // it is made again
        known_.clear();
    }
}

void ProgramSums::load() {
    const UniqueFd file = open_private_file(file_, FileUse::Read, "cache");
    if (!file) return;
    const Json kept = parse_json(read_open_file(file, file_, "cache"), cache_limits);
    if (!kept.is_object()) return;
    for (const auto& [program, entry] : kept.items()) {
        if (entry.is_array() && entry.size() == 3 && entry[0].is_string() && is_sum(entry[1], 64) &&
            (is_sum(entry[2], 128) || is_sum(entry[2], 0)))
            known_[program] = {entry[0].get<std::string>(),
                               {entry[1].get<std::string>(), entry[2].get<std::string>()}};
    }
}

void ProgramSums::save() const {
    Json kept = Json::object();
    for (const auto& [program, known] : known_)
        kept[program] = {known.stamp, known.sums.sha256, known.sums.blake2b};
    write_file_atomically(file_, compact_json(kept), 0600);
}

ProgramSums::Sums ProgramSums::of(const std::filesystem::path& program) {
    const FileStamp stamp = FileStamp::of(program);
    const std::string text = stamp_text(stamp);
    if (const auto found = known_.find(program.string());
        found != known_.end() && stamp.settled && found->second.stamp == text)
        return found->second.sums;
    auto digests = file_digests(program, "agent for targets", {"SHA256", "BLAKE2b512"});
    Sums sums{std::move(digests[0]), std::move(digests[1])};
    if (!file_.empty() && stamp.settled) {
        if (known_.size() >= most_programs) known_.clear();
        known_[program.string()] = {text, sums};
        try {
            save();
        } catch (const std::exception&) {  // a full disk, for one: the next run makes them again
        }
    }
    return sums;
}

}  // namespace volley::planner
