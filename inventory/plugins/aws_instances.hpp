#pragma once

#include <string>
#include <string_view>

#include "support/json/json.hpp"

namespace volley::inventory {

/// Reads the XML of an answer to DescribeInstances: appends its instances to the list `instances` and returns
/// the token of the next page, empty after the last one. Members have the names of AWS's Ruby
/// library, since Bolt's users map these: public_ip_address, public_dns_name, security_groups,
/// placement.availability_zone; `tags` is a hash of the tags. What is empty is left out. Throws Error when it
/// is not such an answer or nests deeper than 32.
std::string read_aws_instances(std::string_view xml, Json& instances);

/// "CODE: MESSAGE" of an error's XML; empty when it is none.
std::string read_aws_error(std::string_view xml);

}  // namespace volley::inventory
