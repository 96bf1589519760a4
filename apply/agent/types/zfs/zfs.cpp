#include <algorithm>
#include <array>

#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// In the order in which they are given when it is made.
constexpr std::array<std::string_view, 36> zfs_properties = {
    "aclinherit", "aclmode",        "acltype",  "atime",       "canmount",
    "checksum",   "compression",    "copies",   "dedup",       "defaultuserquota",
    "devices",    "exec",           "logbias",  "mountpoint",  "nbmand",
    "overlay",    "primarycache",   "quota",    "readonly",    "recordsize",
    "refquota",   "refreservation", "relatime", "reservation", "secondarycache",
    "setuid",     "shareiscsi",     "sharenfs", "sharesmb",    "snapdir",
    "sync",       "version",        "volsize",  "vscan",       "xattr",
    "zoned"};
/// Not every system has these: where one is unknown its value is "-", and it is not set.
constexpr std::array<std::string_view, 6> optional_properties = {"aclmode", "acltype",          "shareiscsi",
                                                                 "overlay", "defaultuserquota", "relatime"};

bool is_optional(std::string_view name) {
    return std::find(optional_properties.begin(), optional_properties.end(), name) !=
           optional_properties.end();
}

/// A file system of ZFS, of zfs_core.
class Zfs final : public Instance {
public:
    using Instance::Instance;

    void prepare() override {
        name_ = resource_.text("name", resource_.title);
        ensure_ = present_or_absent(resource_);
    }
    std::string_view provider() const override { return "zfs"; }
    bool suitable() override { return has_tool("zfs"); }
    std::string needs() const override { return "the command zfs is not there"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override;

private:
    template <class Take>
    void each_property(Take take) const {
        for (const std::string_view name : zfs_properties) {
            const Value* value = resource_.find(name);
            if (value != nullptr && !value->is_undef()) take(std::string(name), *value);
        }
    }
    void create();

    std::string name_;
    Value ensure_;
};

Current Zfs::retrieve() {
    const bool there = try_tool(run_, Command({"zfs", "list", name_})).exit_code == 0;
    Current current;
    current.set("ensure", there ? present() : absent());
    each_property([&](const std::string& name, const Value&) {
        if (!there) {
            current.set(name, absent());
            return;
        }
        Command get({"zfs", "get", "-H", "-o", "value", name, name_});
        if (!is_optional(name)) {
            current.set(name, Value(run_tool(run_, std::move(get))));
            return;
        }
        const Finished done = try_tool(run_, std::move(get));
        current.set(name, Value(done.exit_code == 0 ? done.output : std::string("-")));
    });
    return current;
}

std::vector<Wanted> Zfs::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    each_property([&](const std::string& name, const Value& value) {
        list.push_back(want(name, value, is_sensitive(name)));
    });
    return list;
}

void Zfs::create() {
    Command command({"zfs", "create"});
    each_property([&](const std::string& name, const Value& value) {
        const std::string text = value.to_text();
        if (text.empty()) return;
        if (name == "volsize")
            command.argv.insert(command.argv.end(), {"-V", text});
        else
            command.argv.insert(command.argv.end(), {"-o", name + "=" + text});
    });
    command.argv.push_back(name_);
    run_tool(run_, std::move(command));
}

void Zfs::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "ensure" && ensure_ == absent()) {
        run_tool(run_, Command({"zfs", "destroy", name_}));
    } else if (wanted.name == "ensure") {
        create();
    } else {
        Command set({"zfs", "set", wanted.name + "=" + wanted.value.to_text(), name_});
        if (is_optional(wanted.name))
            try_tool(run_, std::move(set));
        else
            run_tool(run_, std::move(set));
    }
}

/// The pool, and the file systems above this one.
std::vector<Autorelation> Zfs::autorelations() {
    std::vector<Autorelation> list;
    const std::vector<std::string> parts = split(name_, '/');
    list.push_back({Autorelation::Kind::Require, "Zpool", parts[0]});
    std::string path = parts[0];
    for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
        path += "/" + parts[i];
        list.push_back({Autorelation::Kind::Require, "Zfs", path});
    }
    return list;
}

constexpr std::array<Attribute, 38> zfs_attributes = {
    {{"name", Kind::Namevar, "Its full name, which begins with the pool."},
     {"ensure", Kind::Property, "present or absent."},
     {"aclinherit", Kind::Property, "How access lists are inherited."},
     {"aclmode", Kind::Property, "What chmod does to access lists."},
     {"acltype", Kind::Property, "noacl or posixacl."},
     {"atime", Kind::Property, "on or off."},
     {"canmount", Kind::Property, "on, off or noauto."},
     {"checksum", Kind::Property, "on, off, or an algorithm."},
     {"compression", Kind::Property, "on, off, or an algorithm."},
     {"copies", Kind::Property, "1, 2 or 3."},
     {"dedup", Kind::Property, "on or off."},
     {"defaultuserquota", Kind::Property, "A size, or none."},
     {"devices", Kind::Property, "on or off."},
     {"exec", Kind::Property, "on or off."},
     {"logbias", Kind::Property, "latency or throughput."},
     {"mountpoint", Kind::Property, "A path, legacy or none."},
     {"nbmand", Kind::Property, "on or off."},
     {"overlay", Kind::Property, "on or off."},
     {"primarycache", Kind::Property, "all, none or metadata."},
     {"quota", Kind::Property, "A size, or none."},
     {"readonly", Kind::Property, "on or off."},
     {"recordsize", Kind::Property, "A power of two between 512 and 128k."},
     {"refquota", Kind::Property, "A size, or none."},
     {"refreservation", Kind::Property, "A size, or none."},
     {"relatime", Kind::Property, "on or off."},
     {"reservation", Kind::Property, "A size, or none."},
     {"secondarycache", Kind::Property, "all, none or metadata."},
     {"setuid", Kind::Property, "on or off."},
     {"shareiscsi", Kind::Property, "on, off or type=TYPE."},
     {"sharenfs", Kind::Property, "on, off or options."},
     {"sharesmb", Kind::Property, "on, off or options."},
     {"snapdir", Kind::Property, "hidden or visible."},
     {"sync", Kind::Property, "standard, always or disabled."},
     {"version", Kind::Property, "1 to 5, or current."},
     {"volsize", Kind::Property, "The size of a volume."},
     {"vscan", Kind::Property, "on or off."},
     {"xattr", Kind::Property, "on or off."},
     {"zoned", Kind::Property, "on or off."}}};

}  // namespace

const TypeSpec& zfs_type() {
    static const TypeSpec spec{"zfs", "A file system of ZFS.", zfs_attributes, make_instance_of<Zfs>};
    return spec;
}

}  // namespace volley::agent
