#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "inventory/plugins/aws_instances.hpp"
#include "inventory/plugins/aws_profile.hpp"
#include "inventory/plugins/aws_signature.hpp"
#include "inventory/plugins/cloud.hpp"
#include "inventory/plugins/mapping.hpp"
#include "support/error.hpp"

namespace volley::inventory::plugins {
namespace {

using AwsFields = std::vector<std::pair<std::string, std::string>>;

std::string aws_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The option `filters` as EC2's query interface wants it.
AwsFields aws_filters(const Json& filters) {
    AwsFields fields;
    for (std::size_t i = 0; i < filters.size(); ++i) {
        const Json& filter = filters[i];
        const bool whole = filter.is_object() && filter.value("name", Json()).is_string() &&
                           filter.value("values", Json()).is_array();
        if (!whole) {
            throw Error(
                "bolt/validation-error",
                fmt::format("aws_inventory plugin: filters[{}] must have a 'name' and a list of 'values'",
                            i));
        }
        fields.emplace_back(fmt::format("Filter.{}.Name", i + 1), filter["name"].get<std::string>());
        for (std::size_t j = 0; j < filter["values"].size(); ++j)
            fields.emplace_back(fmt::format("Filter.{}.Value.{}", i + 1, j + 1),
                                aws_text(filter["values"][j]));
    }
    return fields;
}

/// One region's EC2, and the key to it.
class Ec2 {
public:
    Ec2(const PluginContext& context, const Json& options)
        : keys_(find_aws_keys(context, options)), region_(find_aws_region(context, options)) {
        url_ = cloud_setting(context, options, "endpoint", {"AWS_ENDPOINT_URL_EC2", "AWS_ENDPOINT_URL"});
        if (url_.empty())
            url_ = fmt::format("https://ec2.{}.amazonaws.com{}", region_,
                               region_.starts_with("cn-") ? ".cn" : "");
        while (url_.ends_with('/')) url_.pop_back();
    }

    /// One page; returns the token of the next one.
    std::string describe(const AwsFields& fields, Json& instances) const {
        const HttpResponse response = send_to_cloud(signed_request(form_text(fields)));
        if (response.status == 200) return read_aws_instances(response.body, instances);
        std::string reason = read_aws_error(response.body);
        if (reason.empty()) reason = "no reason was given";
        throw Error("bolt/http-error",
                    fmt::format("EC2 in {} answered with status {}: {}", region_, response.status,
                                conceal(std::move(reason), {keys_.secret, keys_.session_token})));
    }

private:
    HttpRequest signed_request(std::string body) const {
        const std::size_t host = url_.find("://");
        const std::size_t start = host == std::string::npos ? 0 : host + 3;
        const std::size_t path = url_.find('/', start);
        AwsRequest request;
        request.path = path == std::string::npos ? "/" : url_.substr(path);
        request.body = std::move(body);
        request.headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
                           {"host", url_.substr(start, path == std::string::npos ? path : path - start)},
                           {"x-amz-date", aws_timestamp(std::chrono::system_clock::now())}};
        if (!keys_.session_token.empty()) request.headers["x-amz-security-token"] = keys_.session_token;
        HttpRequest http;
        http.method = "POST";
        http.url = path == std::string::npos ? url_ + "/" : url_;
        for (const auto& [name, value] : request.headers) http.headers.push_back(name + ": " + value);
        http.headers.push_back("authorization: " + aws_authorization(request, keys_, region_, "ec2"));
        http.body = std::move(request.body);
        return http;
    }

    AwsKeys keys_;
    std::string region_;
    std::string url_;
};

bool is_running(const Json& instance) {
    const auto state = instance.find("state");
    return state != instance.end() && state->is_object() && plugin_text(*state, "name") == "running";
}

/// Targets of the running instances of EC2 (PLG-037).
Json aws_targets(const PluginContext& context, const Json& options) {
    using Type = CloudOption::Type;
    check_cloud_options("aws_inventory", options,
                        {{"profile"},
                         {"region"},
                         {"filters", Type::Array},
                         {"credentials"},
                         {"aws_access_key_id"},
                         {"aws_secret_access_key"},
                         {"aws_session_token"},
                         {"endpoint"},
                         {"target_mapping", Type::Hash}});
    const Json& mapping = target_mapping("aws_inventory", options);
    const Ec2 service(context, options);
    AwsFields fields{{"Action", "DescribeInstances"}, {"Version", "2016-11-15"}, {"MaxResults", "1000"}};
    const AwsFields filters = aws_filters(is_given(options, "filters") ? options["filters"] : Json::array());
    fields.insert(fields.end(), filters.begin(), filters.end());
    Json targets = Json::array();
    for_each_cloud_page("EC2", "", [&](const std::string& page) {
        AwsFields asked = fields;
        if (!page.empty()) asked.emplace_back("NextToken", page);
        Json instances = Json::array();
        std::string next = service.describe(asked, instances);
        for (const Json& instance : instances) {
            if (is_running(instance))
                targets.push_back(map_target(mapping, instance, "instance " + plugin_text(instance, "id")));
        }
        return next;
    });
    return targets;
}

}  // namespace

const PluginSpec& aws_inventory_plugin() {
    static const PluginSpec spec{
        "aws_inventory",
        {{Hook::ResolveReference, "Make targets of running AWS EC2 instances.", aws_targets}},
        false,
        Answers::OfMachines};
    return spec;
}

}  // namespace volley::inventory::plugins
