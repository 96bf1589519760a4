#include "inventory/plugins/aws_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "inventory/plugins/aws_role.hpp"
#include "inventory/plugins/cloud.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;
using AwsSettings = std::map<std::string, std::string>;

/// What an INI file says under one heading. Indented lines belong to nested settings, which nobody needs
/// here.
AwsSettings read_aws_section(const fs::path& file, std::string_view heading) {
    AwsSettings settings;
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return settings;
    bool inside = false;
    const std::string text = read_file(file, "AWS credentials file");
    for (const std::string& line : split(text, '\n')) {
        if (line.empty() || line[0] == ' ' || line[0] == '\t' || line[0] == '#' || line[0] == ';') continue;
        const std::string_view content = trim(line);
        if (content.starts_with('[')) {
            inside = content.ends_with(']') && trim(content.substr(1, content.size() - 2)) == heading;
        } else if (const std::size_t equals = content.find('='); inside && equals != std::string_view::npos) {
            settings[std::string(trim(content.substr(0, equals)))] = trim(content.substr(equals + 1));
        }
    }
    return settings;
}

std::string aws_profile_name(const PluginContext& context, const Json& options) {
    const std::string name =
        cloud_setting(context, options, "profile", {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"});
    return name.empty() ? "default" : name;
}

fs::path aws_file(const PluginContext& context, const char* variable, const char* standard) {
    const auto named = context.process.environment(variable);
    return named && !named->empty() ? expand_path(*named, context.process.working_directory)
                                    : context.process.home / ".aws" / standard;
}

AwsSettings aws_config_section(const PluginContext& context, const std::string& profile) {
    return read_aws_section(aws_file(context, "AWS_CONFIG_FILE", "config"),
                            profile == "default" ? profile : "profile " + profile);
}

fs::path aws_credentials_file(const PluginContext& context, const Json& options) {
    const std::string named = plugin_text(options, "credentials");
    if (named.empty()) return aws_file(context, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
    fs::path path = expand_path(named, context.project);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        throw Error("bolt/validation-error", "Cannot load credentials file " + path.string());
    return path;
}

std::string aws_setting(const AwsSettings& settings, const char* name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string() : found->second;
}

/// The key of a profile; without id when the profile has none. Half a key is a mistake.
AwsKeys keys_of_profile(const AwsSettings& settings, const std::string& profile, const fs::path& file) {
    AwsKeys keys{aws_setting(settings, "aws_access_key_id"), aws_setting(settings, "aws_secret_access_key"),
                 aws_setting(settings, "aws_session_token")};
    if (keys.id.empty() == keys.secret.empty()) return keys;
    throw Error("bolt/validation-error",
                fmt::format("Profile '{}' in {} has no {}", profile, file.string(),
                            keys.id.empty() ? "aws_access_key_id" : "aws_secret_access_key"));
}

AwsKeys keys_of_files(const PluginContext& context, const Json& options) {
    const std::string profile = aws_profile_name(context, options);
    const fs::path file = aws_credentials_file(context, options);
    AwsKeys keys = keys_of_profile(read_aws_section(file, profile), profile, file);
    const bool only_this_file = is_given(options, "credentials");
    if (keys.id.empty() && !only_this_file) {
        keys = keys_of_profile(aws_config_section(context, profile), profile,
                               aws_file(context, "AWS_CONFIG_FILE", "config"));
    }
    if (!keys.id.empty()) return keys;
    if (!only_this_file && !is_given(options, "profile")) {
        if (auto role = find_aws_role_keys(context)) return *std::move(role);
    }
    throw Error(
        "bolt/validation-error",
        fmt::format(
            "aws_inventory plugin found no access key: profile '{}' of {} has no aws_access_key_id{}",
            profile, file.string(),
            only_this_file ? "" : ", and neither AWS_ACCESS_KEY_ID nor the option aws_access_key_id is set"));
}

}  // namespace

AwsKeys find_aws_keys(const PluginContext& context, const Json& options) {
    if (is_given(options, "credentials")) return keys_of_files(context, options);
    AwsKeys keys{plugin_text(options, "aws_access_key_id"), plugin_text(options, "aws_secret_access_key"),
                 plugin_text(options, "aws_session_token")};
    if (!keys.id.empty() && !keys.secret.empty()) return keys;
    if (!keys.id.empty() || !keys.secret.empty()) {
        throw Error(
            "bolt/validation-error",
            "aws_inventory plugin: aws_access_key_id and aws_secret_access_key must be specified together");
    }
    if (!is_given(options, "profile")) {
        const auto variable = [&](const char* name) {
            return context.process.environment(name).value_or("");
        };
        keys = {variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                variable("AWS_SESSION_TOKEN")};
        if (!keys.id.empty() && !keys.secret.empty()) return keys;
    }
    return keys_of_files(context, options);
}

std::string find_aws_region(const PluginContext& context, const Json& options) {
    std::string region = cloud_setting(context, options, "region", {"AWS_REGION", "AWS_DEFAULT_REGION"});
    const std::string profile = aws_profile_name(context, options);
    if (region.empty())
        region = aws_setting(read_aws_section(aws_credentials_file(context, options), profile), "region");
    if (region.empty()) region = aws_setting(aws_config_section(context, profile), "region");
    if (region.empty())
        throw Error("bolt/validation-error", "aws_inventory plugin requires that the 'region' is specified");
    // It becomes part of a host's name.
    const bool plain = std::ranges::all_of(
        region, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
    if (!plain)
        throw Error("bolt/validation-error", "aws_inventory plugin: 'region' is not the name of a region");
    return region;
}

}  // namespace volley::inventory
