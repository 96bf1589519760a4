#pragma once

#include <string>

#include "inventory/plugins/aws_signature.hpp"
#include "inventory/plugins/plugin.hpp"

namespace volley::inventory {

/// The access key for a reference, from the first of: the file that the option `credentials` names; the
/// options aws_access_key_id and aws_secret_access_key; the environment, unless the option `profile` is
/// given; the profile in AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials), then in AWS_CONFIG_FILE
/// (~/.aws/config); without `profile` the role of the container or instance (aws_role.hpp). Throws Error
/// bolt/validation-error that says where a key was looked for and never shows one.
AwsKeys find_aws_keys(const PluginContext& context, const Json& options);

/// The option `region`, else AWS_REGION, AWS_DEFAULT_REGION, else the profile's. Throws Error
/// bolt/validation-error when none is there or it is not the name of a region.
std::string find_aws_region(const PluginContext& context, const Json& options);

}  // namespace volley::inventory
