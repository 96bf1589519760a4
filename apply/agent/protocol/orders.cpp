#include "apply/agent/protocol/orders.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/protocol/frames.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"

namespace volley::agent {
namespace {

constexpr double usual_wait = 600;
constexpr double longest_wait = 86400;

bool flag_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

OfferedFile offered_file(const Json& file) {
    OfferedFile offer;
    offer.checksum = text_in(file, "sum");
    if (flag_in(file, "folder")) offer.kind = "directory";
    if (const auto mode = file.find("mode"); mode != file.end() && mode->is_number_unsigned())
        offer.mode = static_cast<unsigned>(mode->get<std::uint64_t>() & 07777U);
    return offer;
}

Inspection inspection_of(const Json& one) {
    if (!one.is_object()) throw ProtocolError("A resource that is wanted is not an object");
    Inspection wanted;
    wanted.type = text_in(one, "type");
    wanted.title = text_in(one, "title");
    if (const auto given = one.find("attributes"); given != one.end() && given->is_object()) {
        bool sensitive = false;
        for (const auto& [name, value] : given->items())
            wanted.attributes.emplace_back(name, value_from_json(value, sensitive));
    }
    return wanted;
}

}  // namespace

Orders::Orders(std::string_view text)
    : json_(std::make_shared<const Json>(text.empty() ? Json::object() : parse_json(text, {.depth = 20}))) {
    if (!json_->is_object()) throw ProtocolError("The settings are not an object");
}

bool Orders::flag(const char* key) const { return flag_in(*json_, key); }

Settings Orders::settings() const {
    Settings settings;
    settings.noop = flag("noop");
    settings.show_diff = flag("show_diff");
    settings.ignore_schedules = flag("ignore_schedules");
    settings.all_default_resources = flag("all_default_resources");
    settings.tags = texts_in(*json_, "tags");
    settings.skip_tags = texts_in(*json_, "skip_tags");
    settings.level = level_named(text_in(*json_, "level")).value_or(Level::Notice);
    settings.state_folder = text_in(*json_, "state");
    return settings;
}

double Orders::lock_wait() const {
    const auto wait = json_->find("lock_wait");
    if (wait == json_->end() || !wait->is_number()) return usual_wait;
    return std::clamp(wait->get<double>(), 0.0, longest_wait);
}

std::vector<std::pair<std::string, OfferedFile>> Orders::offered_files() const {
    std::vector<std::pair<std::string, OfferedFile>> offered;
    const auto files = json_->find("files");
    if (files == json_->end() || !files->is_array()) return offered;
    for (const Json& file : *files) {
        if (file.is_object()) offered.emplace_back(text_in(file, "path"), offered_file(file));
    }
    return offered;
}

FactRequest Orders::facts() const {
    FactRequest request;
    request.names = texts_in(*json_, "names");
    request.legacy = flag("legacy");
    request.stdlib = flag("stdlib");
    return request;
}

bool Orders::catalog_follows() const { return flag("catalog_follows"); }

std::vector<Inspection> Orders::wanted_resources() const {
    const auto wanted = json_->find("wanted");
    if (wanted == json_->end() || !wanted->is_array())
        throw ProtocolError("The order does not say which resources are wanted");
    std::vector<Inspection> inspections;
    for (const Json& one : *wanted) inspections.push_back(inspection_of(one));
    return inspections;
}

}  // namespace volley::agent
