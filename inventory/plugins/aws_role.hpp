#pragma once

#include <optional>

#include "inventory/plugins/aws_signature.hpp"
#include "inventory/plugins/plugin.hpp"

namespace volley::inventory {

/// The temporary access key of the container or the EC2 instance that this program runs in, from the service
/// that AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI names, else from the
/// instance's metadata service, version 2 (AWS_EC2_METADATA_SERVICE_ENDPOINT; not when
/// AWS_EC2_METADATA_DISABLED is true). nullopt when there is no such service within a second, or it knows no
/// role.
std::optional<AwsKeys> find_aws_role_keys(const PluginContext& context);

}  // namespace volley::inventory
