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
        const UniqueFd file = open_private_file(file_, FileUse::Read, "cache");
        if (!file) return;
        Json kept = parse_json(read_open_file(file, file_, "cache"), cache_limits);
        if (kept.is_object()) known_ = std::move(kept);
    } catch (const std::exception&) {  // it is made again
    }
}

ProgramSums::Sums ProgramSums::of(const std::filesystem::path& program) {
    const FileStamp stamp = FileStamp::of(program);
    const std::string text = stamp_text(stamp);
    if (const auto found = known_.find(program.string()); found != known_.end() && stamp.settled) {
        const Json& kept = *found;
        if (kept.is_array() && kept.size() == 3 && kept[0] == text && is_sum(kept[1], 64) &&
            (is_sum(kept[2], 128) || is_sum(kept[2], 0)))
            return {kept[1].get<std::string>(), kept[2].get<std::string>()};
    }
    auto sums = file_digests(program, "agent for targets", {"SHA256", "BLAKE2b512"});
    if (!file_.empty() && stamp.settled) {
        if (known_.size() >= most_programs) known_ = Json::object();
        known_[program.string()] = {text, sums[0], sums[1]};
        try {
            write_file_atomically(file_, compact_json(known_), 0600);
        } catch (const std::exception&) {  // a full disk, for one: the next run makes them again
        }
    }
    return {std::move(sums[0]), std::move(sums[1])};
}

}  // namespace volley::planner
