#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/hardware/hardware.hpp"
#include "apply/agent/facts/units.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::string_view cpu_folder = "/sys/devices/system/cpu";

/// How CPUs are put together, as lscpu counts them.
struct Topology {
    std::set<std::string> packages, cores, sockets;
    std::size_t threads = 0;
};

Topology topology_on(const FactHost& host) {
    Topology found;
    for (const std::string& name : host.names(cpu_folder)) {
        const bool cpu = name.starts_with("cpu") && name.size() > 3 &&
                         name.find_first_not_of("0123456789", 3) == std::string::npos;
        if (!cpu) continue;
        const std::string folder = std::string(cpu_folder) + "/" + name + "/topology/";
        if (const std::string package = host.word(folder + "physical_package_id"); !package.empty())
            found.packages.insert(package);
        const std::string threads = host.word(folder + "thread_siblings_list");
        if (threads.empty()) continue;
        found.cores.insert(threads);
        found.sockets.insert(host.word(folder + "core_siblings_list"));
        found.threads = std::max(found.threads, cpus_in(threads));
    }
    return found;
}

/// What a compiled program answers cannot change without it, the machine and its architecture being the same.
std::optional<std::vector<std::string>> files_read_by_uname(const std::string& program, const std::string&) {
    if (!is_compiled(program)) return std::nullopt;
    return std::vector<std::string>{};
}

/// Distributions have built their own meaning of -p into uname.
const LastingQuestion uname_question{"uname", {"uname", "-p"}, 20, files_read_by_uname};

void begin_processors(const FactHost& host) { host.begin_asking(uname_question); }

Json find_processors(const FactHost& host) {
    const auto text = host.read("/proc/cpuinfo");
    if (!text || text->empty()) return Json::object();
    Json processors = processors_of(*text);
    const Topology topology = topology_on(host);
    if (!processors.contains("physicalcount")) processors["physicalcount"] = topology.packages.size();
    if (topology.threads > 0) {
        processors["threads"] = topology.threads;
        processors["cores"] = topology.cores.size() / topology.sockets.size();
    }
    if (const auto isa = host.answer_to(uname_question)) {
        const std::string word(trim(*isa));
        processors["isa"] = word.substr(word.rfind('.') + 1);
    }
    return Json{{"processors", std::move(processors)}};
}

}  // namespace

std::size_t cpus_in(std::string_view list) {
    std::size_t count = 0;
    for (const std::string& part : split(trim(list), ',')) {
        if (part.empty()) continue;
        const std::size_t dash = part.find('-');
        const std::uint64_t first = leading_number(part);
        const std::uint64_t last =
            dash == std::string::npos ? first : leading_number(std::string_view(part).substr(dash + 1));
        if (last >= first) count += static_cast<std::size_t>(last - first) + 1;
    }
    return count;
}

Json processors_of(std::string_view cpuinfo) {
    std::uint64_t count = 0, megahertz = 0;
    Json models = Json::array();
    std::set<std::string> packages;
    for (const std::string& line : split(cpuinfo, '\n')) {
        const std::string_view key = trim(std::string_view(line).substr(0, line.find(':')));
        const std::size_t colon = line.rfind(':');
        const std::string value(colon == std::string::npos ? std::string_view()
                                                           : trim(std::string_view(line).substr(colon + 1)));
        if (key == "processor") ++count;
        if (key == "model name" || key == "cpu") models.push_back(value);
        if (key == "physical id") packages.insert(value);
        if (key == "cpu MHz" || key == "clock") megahertz = leading_number(value);
    }
    Json processors{{"count", count}, {"models", std::move(models)}};
    if (!packages.empty()) processors["physicalcount"] = packages.size();
    if (megahertz > 0) processors["speed"] = human_hertz(megahertz * 1'000'000);
    return processors;
}

const FactGroup& processor_facts() {
    static const FactGroup group{{"processors"}, find_processors, begin_processors};
    return group;
}

}  // namespace volley::agent
