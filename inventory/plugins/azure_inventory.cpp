#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "inventory/plugins/cloud.hpp"
#include "inventory/plugins/mapping.hpp"
#include "support/error.hpp"
#include "support/process/parallel.hpp"
#include "support/text.hpp"

namespace volley::inventory::plugins {
namespace {

/// Who asks, and where; other clouds of Azure (China, government) have other addresses.
struct AzureAccount {
    std::string tenant, client, secret, subscription;
    std::string login_url, management_url;
};

AzureAccount find_azure_account(const PluginContext& context, const Json& options) {
    AzureAccount account;
    std::vector<std::string> missing;
    const auto take = [&](std::string& into, const char* option, std::string_view variable) {
        into = cloud_setting(context, options, option, {variable});
        if (into.empty()) missing.emplace_back(option);
    };
    take(account.tenant, "tenant_id", "AZURE_TENANT_ID");
    take(account.client, "client_id", "AZURE_CLIENT_ID");
    take(account.secret, "client_secret", "AZURE_CLIENT_SECRET");
    take(account.subscription, "subscription_id", "AZURE_SUBSCRIPTION_ID");
    if (!missing.empty()) {
        throw Error(
            "bolt/validation-error",
            fmt::format(
                "azure_inventory plugin: parameters {} must be specified or set as environment variables "
                "(AZURE_TENANT_ID and so on)",
                join(missing, ", ")));
    }
    account.login_url = secured_url("azure_inventory",
                                    plugin_text(options, "login_url", "https://login.microsoftonline.com"));
    account.management_url = secured_url(
        "azure_inventory", plugin_text(options, "management_url", "https://management.azure.com"));
    return account;
}

/// The value of the header Authorization (OAuth 2.0, client credentials).
std::string azure_authorization(const AzureAccount& account) {
    HttpRequest request;
    request.method = "POST";
    request.url = account.login_url + "/" + url_escape(account.tenant) + "/oauth2/token";
    request.headers = {"Content-Type: application/x-www-form-urlencoded"};
    request.body = form_text({{"grant_type", "client_credentials"},
                              {"client_id", account.client},
                              {"client_secret", account.secret},
                              {"resource", account.management_url}});
    try {
        const Json answer = cloud_answer(send_to_cloud(request), "Azure's login");
        return cloud_authorization(answer, "Azure's login");
    } catch (const Error& error) {
        throw Error(error.info().kind(), conceal(error.what(), {account.secret}));
    }
}

Json azure_part(const Json& data, const char* pointer) {
    const Json::json_pointer path(pointer);
    return data.contains(path) ? data[path] : Json();
}

/// All pages of a list. The token goes to the management URL only, wherever nextLink may lead.
std::vector<Json> azure_list(const AzureAccount& account, const std::string& authorization, std::string url) {
    std::vector<Json> all;
    HttpRequest request;
    request.headers = {"Authorization: " + authorization};
    for_each_cloud_page("Azure", std::move(url), [&](const std::string& page) {
        if (!page.starts_with(account.management_url + "/"))
            throw Error("bolt/http-error",
                        "Azure's list continues on another server, to which the token is not sent");
        request.url = page;
        const Json answer = cloud_answer(send_to_cloud(request), "Azure");
        for (const Json& element : azure_part(answer, "/value")) all.push_back(element);
        return plugin_text(answer, "nextLink");
    });
    return all;
}

struct AzureLists {
    std::vector<Json> machines;
    std::map<std::string, Json> interfaces, addresses;  // by id
};

/// Names of Azure do not differ by case, and its answers mix cases.
std::map<std::string, Json> azure_by_id(std::vector<Json> elements) {
    std::map<std::string, Json> all;
    for (Json& element : elements) {
        std::string id = lower(plugin_text(element, "id"));
        all.emplace(std::move(id), std::move(element));
    }
    return all;
}

AzureLists ask_azure(const AzureAccount& account, const Json& options) {
    const std::string group = plugin_text(options, "resource_group");
    const std::string scale_set = plugin_text(options, "scale_set");
    const std::string base = account.management_url + "/subscriptions/" + url_escape(account.subscription) +
                             (group.empty() ? "" : "/resourceGroups/" + url_escape(group)) + "/providers/";
    const std::string set = base + "Microsoft.Compute/virtualMachineScaleSets/" + url_escape(scale_set);
    const std::array<std::string, 3> urls =
        scale_set.empty() ? std::array{base + "Microsoft.Compute/virtualmachines?api-version=2019-07-01",
                                       base + "Microsoft.Network/networkInterfaces?api-version=2019-07-01",
                                       base + "Microsoft.Network/publicIPAddresses?api-version=2019-07-01"}
                          : std::array{set + "/virtualmachines?api-version=2017-03-30",
                                       set + "/networkinterfaces?api-version=2017-03-30",
                                       set + "/publicIPAddresses?api-version=2017-03-30"};
    const std::string authorization = azure_authorization(account);
    std::array<std::vector<Json>, 3> lists;
    parallel_for(3, 3, [&](std::size_t i) { lists[i] = azure_list(account, authorization, urls[i]); });
    return {std::move(lists[0]), azure_by_id(std::move(lists[1])), azure_by_id(std::move(lists[2]))};
}

bool is_wanted_machine(const Json& machine, const Json& options) {
    const std::string location = plugin_text(options, "location");
    if (!location.empty() && plugin_text(machine, "location") != location) return false;
    if (!is_given(options, "tags")) return true;
    // Names of tags do not differ by case, their values do.
    std::map<std::string, Json> present;
    const Json tags = azure_part(machine, "/tags");
    for (const auto& [name, value] : tags.items()) present.emplace(lower(name), value);
    for (const auto& [name, value] : options["tags"].items()) {
        const auto found = present.find(lower(name));
        if (found == present.end() || found->second != value) return false;
    }
    return true;
}

/// The addresses of a machine: its primary interface first.
struct AzureAddresses {
    Json public_address;  // null when there is none
    Json private_address;
};

AzureAddresses azure_addresses(const Json& machine, const AzureLists& lists) {
    const Json known = azure_part(machine, "/properties/networkProfile/networkInterfaces");
    std::vector<Json> references(known.begin(), known.end());
    std::ranges::stable_partition(references, [](const Json& each) {
        return azure_part(each, "/primary") == true || azure_part(each, "/properties/primary") == true;
    });
    AzureAddresses out;
    for (const Json& reference : references) {
        const auto interface = lists.interfaces.find(lower(plugin_text(reference, "id")));
        if (interface == lists.interfaces.end()) continue;
        for (const Json& config : azure_part(interface->second, "/properties/ipConfigurations")) {
            if (out.private_address.is_null())
                out.private_address = azure_part(config, "/properties/privateIPAddress");
            const Json id = azure_part(config, "/properties/publicIPAddress/id");
            const auto address = lists.addresses.find(id.is_string() ? lower(id.get<std::string>()) : "");
            if (out.public_address.is_null() && address != lists.addresses.end())
                out.public_address = address->second;
        }
    }
    return out;
}

/// What a mapping may name: all that Azure says of the machine, and its addresses.
Json azure_instance(const Json& machine, const AzureAddresses& addresses) {
    Json instance = machine;
    instance["private_ip_address"] = addresses.private_address;
    instance["public_ip_address"] = azure_part(addresses.public_address, "/properties/ipAddress");
    instance["public_dns_name"] = azure_part(addresses.public_address, "/properties/dnsSettings/fqdn");
    return instance;
}

/// PLG-038. Without a mapping: machines with a public address, by their full name or else their own.
Json azure_targets(const PluginContext& context, const Json& options) {
    using Type = CloudOption::Type;
    check_cloud_options("azure_inventory", options,
                        {{"tenant_id"},
                         {"client_id"},
                         {"client_secret"},
                         {"subscription_id"},
                         {"location"},
                         {"tags", Type::Hash},
                         {"resource_group"},
                         {"scale_set"},
                         {"login_url"},
                         {"management_url"},
                         {"target_mapping", Type::Hash}});
    if (is_given(options, "scale_set") && !is_given(options, "resource_group"))
        throw Error("bolt/validation-error",
                    "resource_group must be specified in order to filter by scale_set");
    const Json* mapping =
        is_given(options, "target_mapping") ? &target_mapping("azure_inventory", options) : nullptr;
    const AzureLists lists = ask_azure(find_azure_account(context, options), options);
    Json targets = Json::array();
    for (const Json& machine : lists.machines) {
        if (!is_wanted_machine(machine, options)) continue;
        const AzureAddresses addresses = azure_addresses(machine, lists);
        const Json instance = azure_instance(machine, addresses);
        if (mapping) {
            targets.push_back(map_target(*mapping, instance, "machine " + plugin_text(machine, "name")));
        } else if (!addresses.public_address.is_null()) {
            const std::string full_name = plugin_text(instance, "public_dns_name");
            Json target{{"name", full_name.empty() ? plugin_text(machine, "name") : full_name}};
            const std::string uri = plugin_text(instance, "public_ip_address");
            if (!uri.empty()) target["uri"] = uri;
            targets.push_back(std::move(target));
        }
    }
    return targets;
}

}  // namespace

const PluginSpec& azure_inventory_plugin() {
    static const PluginSpec spec{
        "azure_inventory",
        {{Hook::ResolveReference, "Make targets of Azure virtual machines.", azure_targets}},
        false,
        Answers::OfMachines};
    return spec;
}

}  // namespace volley::inventory::plugins
