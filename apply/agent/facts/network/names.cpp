#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/network/network.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

std::vector<std::string> words_in_line(std::string line) {
    line = line.substr(0, line.find('#'));
    std::replace(line.begin(), line.end(), '\t', ' ');
    std::vector<std::string> words;
    for (std::string& word : split(trim(line), ' ')) {
        if (!word.empty()) words.push_back(std::move(word));
    }
    return words;
}

std::string domain_of_resolver(std::string_view resolv_conf) {
    for (const char* key : {"domain", "search"}) {
        for (const std::string& line : split(resolv_conf, '\n')) {
            if (!line.starts_with(key)) continue;
            const std::vector<std::string> words = words_in_line(line);
            if (words.size() > 1 && words[0] == key) return words[1];
        }
    }
    return {};
}

}  // namespace

Json names_of(const std::string& node, const std::string& canonical, std::string_view resolv_conf) {
    if (node.empty()) return Json::object();
    const std::size_t point = node.find('.');
    const std::string host = node.substr(0, point);
    std::string domain = point == std::string::npos ? std::string() : node.substr(point + 1);
    std::string full;
    if (domain.empty() && canonical != host) {
        full = canonical;
        if (full.starts_with(host + ".")) domain = full.substr(host.size() + 1);
    }
    if (domain.empty()) domain = domain_of_resolver(resolv_conf);
    if (full.empty()) full = domain.empty() ? host : host + "." + domain;
    Json names{{"hostname", host}, {"fqdn", full}};
    if (!domain.empty()) names["domain"] = domain;
    return names;
}

std::string canonical_in_hosts(std::string_view hosts, std::string_view name) {
    const std::string wanted = lower(name);
    for (const std::string& line : split(hosts, '\n')) {
        const std::vector<std::string> words = words_in_line(line);
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (lower(words[i]) == wanted) return words[1];
        }
    }
    return {};
}

std::string canonical_name(const FactHost& host, const std::string& name) {
    std::vector<std::string> services = {"files", "dns"};
    for (const std::string& line : host.lines("/etc/nsswitch.conf")) {
        std::vector<std::string> words = words_in_line(line);
        if (!words.empty() && words[0] == "hosts:") services.assign(words.begin() + 1, words.end());
    }
    bool others = false;
    for (const std::string& service : services) {
        if (service == "files" && !others) {
            std::string found = canonical_in_hosts(host.read("/etc/hosts").value_or(""), name);
            if (!found.empty()) return found;
        }
        others = others || (service != "files" && service != "myhostname" && service[0] != '[');
    }
    // Without a server there is nobody to ask.
    const std::string resolver = host.read("/etc/resolv.conf").value_or("");
    if (!others || name.empty() || name[0] == '-' || resolver.find("nameserver") == std::string::npos)
        return {};
    // "192.0.2.1 STREAM web.example.com": the name stands in the first line.
    const std::string answer = host.output_of({"getent", "ahosts", name}, 5).value_or("");
    const std::vector<std::string> words = words_in_line(answer.substr(0, answer.find('\n')));
    return words.size() > 2 ? words[2] : std::string();
}

}  // namespace volley::agent
