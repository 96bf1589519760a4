#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/project/project.hpp"
#include "support/json/json.hpp"

namespace volley::inventory {

/// What a plugin can be asked to do (PLG-001).
enum class Hook {
    PuppetLibrary,
    ResolveReference,
    SecretEncrypt,
    SecretDecrypt,
    SecretCreateKeys,
    ValidateResolveReference,  ///< of modules: runs before ResolveReference and may refuse (PLG-013)
};
std::string_view hook_name(Hook hook) noexcept;

/// Runs a task on this machine and returns its result, an object. Throws Error when the task failed or its
/// parameters are wrong.
using LocalTask = std::function<Json(const std::string& task, const Json& parameters)>;

/// What a plugin may use while it works.
struct PluginContext {
    const ProcessContext& process;
    const std::filesystem::path& project;  ///< relative paths start here
    const LocalTask& run_task;             ///< may be empty: no tasks can run
};

/// Who has a say in what a plugin answers, and so whether references in it may be followed (SEC-8): a fact, a
/// tag or an HTTP answer that could name a plugin would run programs here.
enum class Answers {
    OfTheUser,   ///< the user's own environment, keys and typing: references in them count, as in Bolt
    OnRequest,   ///< data, unless the reference says `_resolve: true`
    OfMachines,  ///< always data
};

/// A plugin that is part of the program: its name, what it can do, and its doing. `options` are the keys of
/// the reference, on top of what the configuration says for the plugin. Throws Error; a message never shows a
/// secret.
struct PluginSpec {
    struct Ability {
        Hook hook;
        std::string_view description;  ///< one sentence, for `plugin show`
        Json (*call)(const PluginContext& context, const Json& options);
    };
    /// A key of references and of the plugin's configuration, and the type of its value.
    struct Option {
        enum class Type { Any, Text, Integer, Boolean, Hash };
        std::string_view name;
        Type type = Type::Text;
    };
    std::string_view name;
    std::vector<Ability> abilities;
    bool alone = false;  ///< asks the user or runs tasks: one after the other, in order
    Answers answers = Answers::OnRequest;
    std::vector<Option> options = {};            ///< all that there are; empty: not checked here
    std::vector<Option> reference_options = {};  ///< of references, where they are others; empty: `options`
};

/// Every line of registry.def.
const std::vector<const PluginSpec*>& builtin_plugins();

/// The text of a required option. Throws Error bolt/validation-error naming plugin and option.
std::string required_text(std::string_view plugin, const Json& options, const char* option);
/// The text of an option; `fallback` when it is not given.
std::string plugin_text(const Json& options, const char* option, std::string fallback = {});
/// Ruby's idea of truth: there, and neither null nor false.
bool is_given(const Json& options, const char* option);

}  // namespace volley::inventory
