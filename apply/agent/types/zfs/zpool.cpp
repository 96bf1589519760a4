#include <algorithm>
#include <array>

#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "apply/agent/types/zfs/pool_layout.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr std::array<const char*, 6> device_properties = {"disk", "mirror", "raidz", "spare", "log", "cache"};
constexpr std::array<const char*, 3> pool_settings = {"ashift", "autoexpand", "failmode"};

bool is_setting(std::string_view name) {
    return std::find(pool_settings.begin(), pool_settings.end(), name) != pool_settings.end();
}

std::vector<std::string> devices_of(const std::vector<std::string>& groups) {
    std::vector<std::string> devices;
    for (const std::string& group : groups) {
        for (std::string& device : blank_words(group)) devices.push_back(std::move(device));
    }
    return devices;
}

std::vector<std::string> sorted_devices(const std::vector<std::string>& groups) {
    std::vector<std::string> devices = devices_of(groups);
    std::sort(devices.begin(), devices.end());
    return devices;
}

Value list_value(const std::vector<std::string>& texts) {
    Value::Items items;
    for (const std::string& text : texts) items.emplace_back(text);
    return Value(std::move(items));
}

std::vector<std::string> texts_of(const Value& value) {
    std::vector<std::string> texts;
    if (!value.is(Value::Kind::Array)) return {value.to_text()};
    for (const Value& item : value.items()) texts.push_back(item.to_text());
    return texts;
}

/// A pool of ZFS, of zfs_core: made and destroyed, but never given other devices.
class Zpool final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "zpool"; }
    bool suitable() override { return has_tool("zpool"); }
    std::string needs() const override { return "the command zpool is not there"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;

private:
    Value setting(const char* name);
    void create();

    std::string pool_;
    Value ensure_;
};

void Zpool::prepare() {
    pool_ = resource_.text("pool", resource_.title);
    ensure_ = present_or_absent(resource_);
    for (const auto& [name, shown] : {std::pair("mirror", "mirror"), std::pair("raidz", "raid")}) {
        for (const std::string& text : resource_.texts(name)) {
            if (text.find(',') != std::string::npos)
                throw parameter_error(resource_, name,
                                      std::string(shown) +
                                          " names must be provided as string separated, not a "
                                          "comma-separated list");
        }
    }
    std::vector<std::string> kinds;
    for (const char* name : {"disk", "mirror", "raidz"}) {
        if (resource_.find(name) != nullptr) kinds.emplace_back(name);
    }
    if (kinds.size() > 1)
        throw ApplyError("You cannot specify " + join(kinds, " and ") + " on this type (only one)");
}

/// The last line about the pool counts.
Value Zpool::setting(const char* name) {
    Command get({"zpool", "get", name, pool_});
    const bool may_fail = std::string_view(name) == "ashift";
    const Finished done = may_fail ? try_tool(run_, get) : Finished();
    if (may_fail && done.exit_code != 0) return Value(std::string("-"));
    Value value;
    for (const std::string& line : split(may_fail ? done.output : run_tool(run_, get), '\n')) {
        const auto words = blank_words(line);
        if (words.size() > 2 && words[0] == pool_) value = Value(words[2]);
    }
    return value;
}

Current Zpool::retrieve() {
    Command ask({"zpool", "status", "-P", pool_});
    ask.errors = Command::Errors::Dropped;
    const PoolLayout layout =
        parse_pool_status(try_tool(run_, ask).output, [this](const std::string& device) {
            return run_tool(run_, Command({"lsblk", "-p", "-no", "pkname", device}));
        });
    const bool there = !layout.empty();
    Current current;
    current.set("ensure", there ? present() : absent());
    for (const char* name : device_properties) {
        if (resource_.find(name) == nullptr) continue;
        const auto groups = layout.find(name);
        current.set(name, !there ? absent() : groups != layout.end() ? list_value(groups->second) : Value());
    }
    for (const char* name : pool_settings) {
        if (resource_.find(name) != nullptr) current.set(name, there ? setting(name) : absent());
    }
    return current;
}

std::vector<Wanted> Zpool::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    for (const char* name : device_properties) {
        if (resource_.find(name) != nullptr) list.push_back(want(name, list_value(resource_.texts(name))));
    }
    for (const char* name : pool_settings) {
        if (const Value* value = resource_.find(name)) list.push_back(want(name, *value));
    }
    return list;
}

bool Zpool::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "ensure" || is_setting(wanted.name)) return Instance::in_sync(wanted, current);
    if (!current.is(Value::Kind::Array)) return false;
    const auto found = texts_of(current), groups = texts_of(wanted.value);
    if (wanted.name != "mirror" && wanted.name != "raidz")
        return sorted_devices(found) == sorted_devices(groups);
    return std::equal(found.begin(), found.end(), groups.begin(), groups.end(),
                      [](const std::string& one, const std::string& other) {
                          return sorted_devices({one}) == sorted_devices({other});
                      });
}

void Zpool::create() {
    Command command({"zpool", "create"});
    const auto add = [&](const std::vector<std::string>& words) {
        command.argv.insert(command.argv.end(), words.begin(), words.end());
    };
    for (const char* name : pool_settings) {
        const std::string value = resource_.text(name);
        if (!value.empty()) add({"-o", std::string(name) + "=" + value});
    }
    add({pool_});
    add(devices_of(resource_.texts("disk")));
    for (const std::string& group : resource_.texts("mirror")) {
        add({"mirror"});
        add(blank_words(group));
    }
    for (const std::string& group : resource_.texts("raidz")) {
        add({resource_.text("raid_parity", "raidz1")});
        add(blank_words(group));
    }
    for (const char* name : {"spare", "log", "cache"}) {
        if (resource_.find(name) == nullptr) continue;
        add({name});
        add(devices_of(resource_.texts(name)));
    }
    run_tool(run_, std::move(command));
}

void Zpool::sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "ensure" && ensure_ == absent()) {
        run_tool(run_, Command({"zpool", "destroy", pool_}));
    } else if (wanted.name == "ensure") {
        create();
    } else if (is_setting(wanted.name)) {
        Command set({"zpool", "set", wanted.name + "=" + wanted.value.to_text(), pool_});
        if (wanted.name == "ashift")
            try_tool(run_, std::move(set));
        else
            run_tool(run_, std::move(set));
    } else {
        throw ApplyError("zpool " + wanted.name + " can't be changed. should be " + wanted.value.inspected() +
                         ", currently is " + (current.is_undef() ? "" : current.inspected()));
    }
}

constexpr std::array<Attribute, 12> zpool_attributes = {
    {{"pool", Kind::Namevar, "String", "Its name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"disk", Kind::Property, "Variant[String, Array[String]]", "Its disks: its devices."},
     {"mirror", Kind::Property, "Variant[String, Array[String]]",
      "Disks that mirror each other: a text for each group, with blanks between disks: groups of devices "
      "that mirror each other."},
     {"raidz", Kind::Property, "Variant[String, Array[String]]",
      "Disks with parity: a text for each group: groups of devices with parity."},
     {"spare", Kind::Property, "Variant[String, Array[String]]", "Spare disks: spare devices."},
     {"log", Kind::Property, "Variant[String, Array[String]]", "Disks for the log: devices for the log."},
     {"cache", Kind::Property, "Variant[String, Array[String]]", "Disks for caching: devices for caching."},
     {"ashift", Kind::Property, "Variant[Integer, String]", "The size of a sector, as a power of two."},
     {"autoexpand", Kind::Property, "Enum[on, off]", "Whether it grows with its disks."},
     {"failmode", Kind::Property, "Enum[wait, continue, panic]",
      "What happens when disks fail: wait, continue or panic."},
     {"raid_parity", Kind::Parameter, "Enum[raidz1, raidz2]",
      "How many parities there are: raidz1 or raidz2."}}};

}  // namespace

const TypeSpec& zpool_type() {
    static const TypeSpec spec{"zpool", "A pool of ZFS.", "zpool", zpool_attributes, make_instance_of<Zpool>};
    return spec;
}

}  // namespace volley::agent
