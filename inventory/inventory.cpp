#include "inventory/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <unordered_set>

#include "inventory/config/inventory_schema.hpp"
#include "inventory/groups/validation_error.hpp"
#include "inventory/state.hpp"
#include "inventory/targets/adhoc_targets.hpp"
#include "inventory/targets/name_ranges.hpp"
#include "inventory/targets/patterns.hpp"
#include "inventory/targets/selection.hpp"
#include "inventory/targets/target_list.hpp"
#include "inventory/targets/uri.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/wildcard.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

constexpr const char* environment_name = "BOLT_INVENTORY";

/// Where an inventory comes from (INV-001).
struct Origin {
    std::unique_ptr<const yaml::Document> document;
    std::string name;
    bool exists = true;
};

/// In a folder that is not a project, whose inventory.yaml stays unread (PRJ-003).
void warn_of_unused_file(const ProcessContext& process, const Config& config) {
    const ProjectType type = config.project.type;
    if (!config.inventory_file_is_default || (type != ProjectType::User && type != ProjectType::System))
        return;
    const std::filesystem::path file = process.working_directory / "inventory.yaml";
    std::error_code ignored;
    if (file == config.inventory_file || !std::filesystem::exists(file, ignored)) return;
    log_warning("unused_inventory", "inventory",
                fmt::format("{} is not used, as no bolt-project.yaml is beside it or above: 'volley project "
                            "init' makes this folder a project",
                            file.string()));
}

Origin read_origin(const ProcessContext& process, const Config& config) {
    if (const auto text = process.environment(environment_name)) {
        auto document = yaml::Document::parse(*text, {environment_name, "inventory", "bolt/parse-error"});
        if (!document->root().is_map()) {
            throw Error("bolt/parse-error",
                        fmt::format("Could not parse inventory from ${}: it should be a Hash, not {}",
                                    environment_name, to_string(document->root().kind())));
        }
        log(LogLevel::Debug, "inventory", "Loaded inventory from environment variable BOLT_INVENTORY");
        return {std::move(document), environment_name};
    }
    warn_of_unused_file(process, config);
    const std::string path = config.inventory_file.string();
    std::error_code ignored;
    if (config.inventory_file_is_default && !std::filesystem::exists(config.inventory_file, ignored)) {
        log(LogLevel::Debug, "inventory",
            "Tried to load inventory from " + path + ", but the file does not exist");
        return {yaml::Document::from_json(Json::object(), path), path, false};
    }
    auto document = yaml::Document::read(config.inventory_file, "inventory file");
    if (!document->root().is_map() && !document->root().is_null()) {
        throw Error(
            "bolt/file-error",
            fmt::format("Invalid content for the inventory file {}: it should be a Hash or empty, not {}",
                        document->root().where(), to_string(document->root().kind())),
            Json{{"path", path}});
    }
    log(LogLevel::Debug, "inventory", "Loaded inventory from " + path);
    return {std::move(document), path};
}

/// Only version 2 is known (INV-003).
void check_version(yaml::Node root) {
    const yaml::Node version = root.find("version");
    if (!version || (version.kind() == yaml::Kind::Integer && version.to_json() == 2)) return;
    throw_validation_error(
        fmt::format("Unsupported version {} specified in inventory; only 2 is known", version.text()),
        version, {});
}

bool has_unknown_scheme(std::string_view uri) {
    const std::size_t length = uri.find("://");
    return length != std::string_view::npos && length > 0 &&
           transports::find_transport(uri.substr(0, length)) == nullptr;
}

/// Whether a target may be on a transport that nobody knows; its configuration has the last word: what is
/// remote has schemes of its own.
bool may_have_unknown_transport(const TargetRecord& record) {
    return has_unknown_scheme(record.name) ||
           std::ranges::any_of(record.definitions, [](const Definition& definition) {
               const yaml::Node entry = definition.entry;
               const yaml::Node uri = entry.is_map() ? entry.find("uri") : entry;
               return uri.is_string() && has_unknown_scheme(uri.text());
           });
}

}  // namespace

void check_name(const std::string& name, yaml::Node at) {
    const auto bad = std::ranges::find_if(name, [](char c) {
        return c == ',' || c == ' ' || (c >= '\t' && c <= '\r') || static_cast<unsigned char>(c) >= 0x80;
    });
    if (bad == name.end()) return;
    if (static_cast<unsigned char>(*bad) >= 0x80) {
        throw_validation_error(fmt::format("Target name must be ASCII characters: {}", name), at, {});
    }
    throw_validation_error(fmt::format("Illegal character '{}' in target name '{}'", *bad, name), at, {});
}

Inventory::Inventory(std::unique_ptr<State> state) : state_(std::move(state)) {}
Inventory::~Inventory() = default;

std::unique_ptr<Inventory> Inventory::load(const ProcessContext& process, const Config& config,
                                           std::shared_ptr<Plugins> plugins) {
    Origin origin = read_origin(process, config);
    const yaml::Node root = origin.document->root();
    warn_of_repeated_keys(*origin.document);
    if (root.is_map()) validate(root, inventory_schema(), origin.name);
    check_version(root);
    auto state = std::make_unique<State>(config, std::move(origin.document), std::move(plugins));
    state->source = std::move(origin.name);
    state->source_exists = origin.exists;
    return std::unique_ptr<Inventory>(new Inventory(std::move(state)));
}

std::vector<Target> Inventory::resolve(std::string_view spec, TargetSyntax syntax) {
    return resolve(std::vector<std::string>{std::string(spec)}, syntax);
}

std::vector<Target> Inventory::resolve(const std::vector<std::string>& specs, TargetSyntax syntax,
                                       UnknownNames unknown) {
    return resolve(std::vector<TargetTerm>(specs.begin(), specs.end()), syntax, unknown);
}

std::vector<Target> Inventory::resolve(const std::vector<TargetTerm>& terms, TargetSyntax syntax,
                                       UnknownNames unknown) {
    Selection selection(*state_, syntax, unknown);
    for (const TargetTerm& term : terms) {
        if (const auto* target = std::get_if<Target>(&term))
            selection.add(target->id_);
        else
            selection.add(std::get<std::string>(term));
    }
    std::vector<Target> targets;
    for (const TargetId id : selection.finish()) {
        const TargetRecord& record = state_->tree.record(id);
        check_name(record.name, record.definitions.empty() ? yaml::Node() : record.definitions.front().entry);
        // Reported at once, not only by what runs there.
        if (may_have_unknown_transport(record)) static_cast<void>(state_->data.transport(id));
        targets.push_back(Target(*this, id));
    }
    return targets;
}

std::vector<Target> Inventory::narrow(std::vector<Target> targets, const TargetNarrowing& narrowing) {
    const auto ids_of = [this](const std::vector<std::string>& lists) {
        Selection selection(*state_, TargetSyntax::CommandLine, UnknownNames::Refuse);
        for (const std::string& list : lists) selection.add(list);
        const std::vector<TargetId> ids = selection.finish();
        return std::unordered_set<TargetId>(ids.begin(), ids.end());
    };
    if (!narrowing.limit.empty()) {
        const auto kept = ids_of(narrowing.limit);
        std::erase_if(targets, [&kept](const Target& target) { return !kept.contains(target.id_); });
    }
    if (!narrowing.exclude.empty()) {
        const auto left_out = ids_of(narrowing.exclude);
        std::erase_if(targets, [&left_out](const Target& target) { return left_out.contains(target.id_); });
    }
    if (!narrowing.sample || *narrowing.sample >= targets.size()) return targets;
    std::vector<Target> some;
    std::mt19937_64 random{std::random_device{}()};
    std::ranges::sample(targets, std::back_inserter(some), static_cast<std::ptrdiff_t>(*narrowing.sample),
                        random);
    return some;
}

void Inventory::provide_sets(TargetSets sets) { state_->sets = std::move(sets); }

Target Inventory::target(const std::string& name) {
    if (const auto id = state_->tree.find_target(name)) return Target(*this, *id);
    refuse_operator(name);
    check_name(name);
    parse_uri(name);
    require_adhoc_allowed(*state_, name, UnknownNames::Accept);
    return Target(*this, state_->tree.add_target(name));
}

std::vector<std::string> Inventory::target_names() const {
    std::vector<std::string> names;
    const GroupTree& tree = state_->tree;
    for (const TargetId id : tree.members_of(tree.all())) {
        if (tree.record(id).from_source) names.push_back(tree.record(id).name);
    }
    return names;
}

std::vector<std::string> Inventory::group_names() const {
    std::vector<std::string> names;
    for (const Group* group : state_->tree.groups()) names.push_back(group->name);
    std::ranges::sort(names);
    return names;
}

std::optional<std::string> Inventory::adhoc_hint(const Target& target) const {
    if (state_->tree.record(target.id_).from_source) return std::nullopt;
    return inventory::adhoc_hint(*state_, target.name(), target.host());
}

std::vector<std::string> Inventory::doubts(std::string_view spec, TargetSyntax syntax) const {
    std::vector<std::string> sentences;
    const GroupTree& tree = state_->tree;
    for (std::string_view name : split_terms(spec, syntax)) {
        if (tree.find_group(name) || tree.find_target(name) || tree.find_alias(name)) continue;
        if (is_narrowing(name)) name.remove_prefix(1);
        if (is_set_name(name) || tree.find_group(name) || tree.find_target(name) || tree.find_alias(name))
            continue;
        try {
            refuse_operator(name);
            if (names_in_ranges(name) && !is_bracketed_address(name)) continue;
            if (is_wildcard(name) && !has_scheme(name)) {
                if (matching(tree, name, syntax).empty() && !is_bracketed_address(name))
                    sentences.push_back(fmt::format("Found 0 targets matching wildcard pattern {}", name));
                continue;
            }
            const Uri uri = parse_uri(name);
            if (const auto hint =
                    uri.host == name ? inventory::adhoc_hint(*state_, name, name) : std::nullopt)
                sentences.push_back(*hint);
        } catch (const Error& error) {
            sentences.push_back(error.info().msg());
        }
    }
    return sentences;
}

bool Inventory::defines(const Target& target) const { return state_->tree.record(target.id_).from_source; }
std::string Inventory::source() const { return state_->source; }
bool Inventory::source_exists() const { return state_->source_exists; }

}  // namespace volley::inventory
