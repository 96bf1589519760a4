#include "planner/record/known_secrets.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "planner/record/action_identity.hpp"
#include "planner/results/result.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t shortest_masked = 3;  // shorter texts are in everything

}  // namespace

void KnownSecrets::add(std::string text) {
    if (text.size() < shortest_masked || std::find(secrets_.begin(), secrets_.end(), text) != secrets_.end())
        return;
    const auto place = std::find_if(secrets_.begin(), secrets_.end(),
                                    [&text](const std::string& one) { return one.size() < text.size(); });
    secrets_.insert(place, std::move(text));
}

void KnownSecrets::add(const Value& value) {
    std::vector<std::string> found;
    collect_secrets(value, found);
    for (std::string& text : found) add(std::move(text));
}

void KnownSecrets::add(const Json& value) {
    std::vector<std::string> found;
    collect_secrets(value, found);
    for (std::string& text : found) add(std::move(text));
}

void KnownSecrets::learn(const Action& action) {
    const auto* task = std::get_if<TaskAction>(&action.what);
    if (task == nullptr) return;
    const auto take = [this](const tasks::Arguments& arguments) {
        for (const tasks::Argument& one : arguments) {
            if (one.sensitive) add(*one.value);
        }
    };
    take(task->arguments);
    if (!task->arguments_of) return;
    for (const auto& [target, arguments] : *task->arguments_of) take(arguments);
}

void KnownSecrets::learn(const Result& result) {
    if (result.output() != nullptr || result.action() == "apply") return;
    if (const Json* secret = result.sensitive()) add(*secret);
}

bool KnownSecrets::replace_in(std::string& text) const {
    static constexpr std::string_view instead = "[secret]";
    bool found = false;
    for (const std::string& secret : secrets_) {
        for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
            text.replace(at, secret.size(), instead);
            at += instead.size();
            found = true;
        }
    }
    return found;
}

bool KnownSecrets::found_in(std::string_view text) const {
    return std::any_of(secrets_.begin(), secrets_.end(), [text](const std::string& secret) {
        return ::memmem(text.data(), text.size(), secret.data(), secret.size()) != nullptr;
    });
}

std::string KnownSecrets::masked(std::string text) const {
    replace_in(text);
    return text;
}

bool KnownSecrets::mask(Json& value) const {
    if (secrets_.empty()) return false;
    if (value.is_string()) return replace_in(value.get_ref<std::string&>());
    bool found = false;
    if (value.is_structured()) {
        for (Json& item : value) found = mask(item) || found;
    }
    return found;
}

}  // namespace volley::planner
