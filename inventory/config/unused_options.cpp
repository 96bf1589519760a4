#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "inventory/inventory.hpp"
#include "inventory/state.hpp"
#include "inventory/targets/value_origin.hpp"
#include "support/log.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

constexpr std::size_t targets_named = 3;

/// Why an option of the command line is not used: "inventory.yaml:2:14 says nuops".
struct Winner {
    std::string option;  ///< "--user nuplain"
    std::string reason;
    // clang-tidy takes the 0 of the compiler for a pointer.
    auto operator<=>(const Winner&) const = default;  // NOLINT(modernize-use-nullptr)
};

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string option_text(const std::string& key, const Json& value, bool secret) {
    if (value.is_boolean()) return (value.get<bool>() ? "--" : "--no-") + key;
    return secret || value.is_structured() ? "--" + key : "--" + key + " " + text_of(value);
}

/// The options that one target does not take from the command line.
class Comparison {
public:
    Comparison(Inventory::State& state, TargetId id)
        : state_(state),
          id_(id),
          transport_(state.data.transport(id)),
          spec_(*transports::find_transport(transport_)) {}

    std::vector<Winner> winners() {
        std::vector<Winner> found;
        const auto section = state_.config.transport_sections.find(transport_);
        for (const auto& [key, typed] : state_.config.command_line_options->items()) {
            if (key == "transport") {
                compare(key, typed, Json(transport_), found);
            } else if (section != state_.config.transport_sections.end() && section->second->contains(key)) {
                compare(key, (*section->second)[key], effective(key), found);  // there, paths are absolute
            }
        }
        return found;
    }

private:
    Json effective(const std::string& key) {
        const Uri& uri = state_.data.identity(id_).uri;
        if (key == "user" && uri.user) return *uri.user;
        if (key == "password" && uri.password) return *uri.password;
        const auto options = state_.data.options(id_);
        return options->contains(key) ? (*options)[key] : Json();
    }

    void compare(const std::string& key, const Json& typed, const Json& used, std::vector<Winner>& found) {
        if (typed == used) return;
        const bool secret = is_secret_option(spec_, key);
        const std::string says =
            secret || used.is_structured() ? " has another value" : " says " + text_of(used);
        if (const std::string uri = place_in_uri(key); !uri.empty()) {
            found.push_back({option_text(key, typed, secret), uri + says});
            return;
        }
        std::vector<std::string> path{"config", key};
        if (key != "transport") path.insert(path.begin() + 1, transport_);
        const auto origins = value_origins(state_.tree, id_, path);
        if (!origins.empty())
            found.push_back({option_text(key, typed, secret), origins.front().node.where() + says});
    }

    /// What to call the URI of the target when the value comes from there; empty when it does not.
    std::string place_in_uri(const std::string& key) {
        const TargetData::Identity& identity = state_.data.identity(id_);
        const bool there = key == "transport" ? identity.uri.scheme == transport_
                           : key == "user"    ? identity.uri.user.has_value()
                                              : key == "password" && identity.uri.password.has_value();
        return there ? "the URI " + identity.uri.safe_text : std::string();
    }

    Inventory::State& state_;
    TargetId id_;
    std::string transport_;
    const transports::TransportSpec& spec_;
};

std::string names_of(const std::vector<std::string>& names) {
    const std::size_t shown = std::min(names.size(), targets_named);
    std::string text =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

}  // namespace

void Inventory::warn_of_unused_options(const std::vector<Target>& targets) {
    if (!state_->config.command_line_options) return;
    std::map<Winner, std::vector<std::string>> targets_of;
    for (const Target& target : targets) {
        if (!state_->compared.insert(target.id_).second) continue;
        try {
            for (Winner& winner : Comparison(*state_, target.id_).winners()) {
                targets_of[std::move(winner)].push_back(target.safe_name());
            }
        } catch (const Error&) {
            continue;  // a wrong configuration is the target's own result
        }
    }
    for (const auto& [winner, names] : targets_of) {
        log_warning("cli_overrides", "inventory",
                    fmt::format("{} is not used for {}: {}", winner.option, names_of(names), winner.reason));
    }
}

}  // namespace volley::inventory
