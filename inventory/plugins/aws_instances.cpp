#include "inventory/plugins/aws_instances.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "support/error.hpp"

namespace volley::inventory {
namespace {

constexpr int deepest_aws_element = 32;

/// Elements of an instance whose names in XML are not those of the library.
const std::map<std::string, std::string_view, std::less<>> aws_instance_names{
    {"dnsName", "public_dns_name"},
    {"ipAddress", "public_ip_address"},
    {"instanceState", "state"},
    {"groupSet", "security_groups"},
    {"reason", "state_transition_reason"},
    {"blockDeviceMapping", "block_device_mappings"},
};

constexpr std::string_view aws_numbers[] = {"ami_launch_index",  "code",
                                            "device_index",      "core_count",
                                            "threads_per_core",  "http_put_response_hop_limit",
                                            "network_card_index"};

/// "privateIpAddressesSet" is "private_ip_addresses", "tagSet" is "tags", "vpcId" is "vpc_id".
std::string aws_member_name(std::string_view element) {
    const bool is_set = element.ends_with("Set");
    if (is_set) element.remove_suffix(3);
    std::string name;
    for (const char c : element) {
        if (c >= 'A' && c <= 'Z') {
            if (!name.empty()) name += '_';
            name += static_cast<char>(c - 'A' + 'a');
        } else {
            name += c;
        }
    }
    return is_set && !name.ends_with('s') ? name + "s" : name;
}

Json aws_scalar(std::string_view name, std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    long number = 0;
    const bool wanted = std::ranges::find(aws_numbers, name) != std::end(aws_numbers);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (wanted && problem == std::errc() && end == text.data() + text.size()) return number;
    return std::string(text);
}

bool has_aws_elements(const pugi::xml_node& node) {
    return std::ranges::any_of(
        node.children(), [](const pugi::xml_node& child) { return child.type() == pugi::node_element; });
}

Json aws_tags(const pugi::xml_node& set) {
    Json tags = Json::object();
    for (const pugi::xml_node& item : set.children("item"))
        tags[item.child_value("key")] = item.child_value("value");
    return tags;
}

Json aws_value(const pugi::xml_node& node, int depth);

Json aws_object(const pugi::xml_node& node, int depth) {
    if (depth > deepest_aws_element) throw Error("bolt/http-error", "the answer of EC2 is nested too deeply");
    const bool is_instance = node.child("instanceId") && node.child("instanceState");
    Json object = Json::object();
    for (const pugi::xml_node& child : node.children()) {
        if (child.type() != pugi::node_element) continue;
        const std::string_view element = child.name();
        const auto renamed = is_instance ? aws_instance_names.find(element) : aws_instance_names.end();
        std::string name =
            renamed == aws_instance_names.end() ? aws_member_name(element) : std::string(renamed->second);
        Json value = element == "tagSet" ? aws_tags(child) : aws_value(child, depth + 1);
        if (value.is_null()) continue;
        if (value.is_string()) value = aws_scalar(name, value.get_ref<const std::string&>());
        object[std::move(name)] = std::move(value);
    }
    if (is_instance) object["id"] = object["instance_id"];
    return object;
}

/// A list, an object or a text; null for an empty element.
Json aws_value(const pugi::xml_node& node, int depth) {
    if (!has_aws_elements(node)) {
        const std::string_view text = node.child_value();
        return text.empty() ? Json() : Json(std::string(text));
    }
    if (!node.child("item")) return aws_object(node, depth);
    Json list = Json::array();
    for (const pugi::xml_node& item : node.children("item"))
        list.push_back(has_aws_elements(item) ? aws_object(item, depth + 1) : Json(item.child_value()));
    return list;
}

}  // namespace

std::string read_aws_instances(std::string_view xml, Json& instances) {
    pugi::xml_document document;
    const bool read = static_cast<bool>(document.load_buffer(xml.data(), xml.size()));
    const pugi::xml_node root = document.child("DescribeInstancesResponse");
    if (!read || !root)
        throw Error("bolt/http-error", "the answer of EC2 is not the XML of DescribeInstances");
    for (const pugi::xml_node& reservation : root.child("reservationSet").children("item")) {
        for (const pugi::xml_node& instance : reservation.child("instancesSet").children("item"))
            instances.push_back(aws_object(instance, 1));
    }
    return root.child_value("nextToken");
}

std::string read_aws_error(std::string_view xml) {
    pugi::xml_document document;
    if (!document.load_buffer(xml.data(), xml.size())) return {};
    const pugi::xml_node error = document.child("Response").child("Errors").child("Error");
    if (!error) return {};
    return std::string(error.child_value("Code")) + ": " + error.child_value("Message");
}

}  // namespace volley::inventory
