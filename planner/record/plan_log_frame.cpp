#include "planner/record/plan_log_frame.hpp"

#include <nlohmann/json.hpp>

#include "support/json/json_reader.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view signature_key = ",\"seal\":\"";
constexpr std::size_t signature_digits = 32;  // half of the 64: 128 bits
constexpr std::string_view frame_end = "\"}";
constexpr std::size_t tail_size = signature_key.size() + signature_digits + frame_end.size();

std::string frame_signature(const ProjectKey& key, std::string_view body) {
    return key.signature(std::string("frame\n") + std::string(body)).substr(0, signature_digits);
}

Json frame_in(const ProjectKey& key, std::string_view line, std::size_t number) {
    const auto damaged = [number](const char* problem) -> PlanLogDamage { return {number, problem}; };
    if (line.size() < tail_size || !line.ends_with(frame_end))
        throw damaged("is not a line of a plan log: it has no signature");
    const std::string_view body = line.substr(0, line.size() - tail_size);
    const std::string_view tail = line.substr(body.size());
    if (!tail.starts_with(signature_key)) throw damaged("is not a line of a plan log: it has no signature");
    if (tail.substr(signature_key.size(), signature_digits) != frame_signature(key, body)) {
        throw damaged(
            "does not match its signature: it was changed, or recorded with the key of another project");
    }
    Json frame = try_parse_json(std::string(body) + "}", wrapped_value_json_limits);
    if (!frame.is_object()) throw damaged("is not a JSON object");
    const auto counted = frame.find("n");
    if (counted == frame.end() || !counted->is_number_unsigned() || counted->get<std::uint64_t>() != number) {
        throw damaged("is not the next line: lines before it are missing");
    }
    return frame;
}

}  // namespace

std::string plan_log_line(const ProjectKey& key, std::uint64_t number, const Json& content) {
    Json frame = Json{{"n", number}};
    for (const auto& [name, value] : content.items()) {
        if (name != "n" && name != "seal") frame[name] = value;
    }
    std::string line = frame.dump(-1, ' ', false, Json::error_handler_t::replace);
    line.pop_back();
    const std::string signature = frame_signature(key, line);
    line += signature_key;
    line += signature;
    line += frame_end;
    line += '\n';
    return line;
}

PlanLogFrames read_plan_log(const ProjectKey& key, std::string_view text) {
    PlanLogFrames found;
    while (true) {
        const std::size_t end = text.find('\n', found.whole_bytes);
        if (end == std::string_view::npos) return found;
        const std::string_view line = text.substr(found.whole_bytes, end - found.whole_bytes);
        found.frames.push_back(frame_in(key, line, found.frames.size() + 1));
        found.whole_bytes = end + 1;
    }
}

}  // namespace volley::planner
