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
    {{"name", Kind::Namevar, "String", "Its full name, POOL/NAME."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist."},
     {"aclinherit", Kind::Property, "String", "How access lists are inherited."},
     {"aclmode", Kind::Property, "String", "What chmod does to access lists."},
     {"acltype", Kind::Property, "String", "The kind of access lists: noacl or posixacl."},
     {"atime", Kind::Property, "Enum[on, off]", "Whether reading is noted."},
     {"canmount", Kind::Property, "String", "Whether it can be mounted: on, off or noauto."},
     {"checksum", Kind::Property, "String", "Which checksum blocks have: on, off, or an algorithm."},
     {"compression", Kind::Property, "String", "How blocks are compressed: on, off, or an algorithm."},
     {"copies", Kind::Property, "String", "How many copies of data there are: 1, 2 or 3."},
     {"dedup", Kind::Property, "Enum[on, off]", "Whether equal blocks are stored once."},
     {"defaultuserquota", Kind::Property, "String",
      "The space of a user without a quota of its own: a size, or none."},
     {"devices", Kind::Property, "Enum[on, off]", "Whether devices in it work."},
     {"exec", Kind::Property, "Enum[on, off]", "Whether programs in it run."},
     {"logbias", Kind::Property, "String", "What synchronous writes aim at: latency or throughput."},
     {"mountpoint", Kind::Property, "String", "Where it is mounted: a path, legacy or none."},
     {"nbmand", Kind::Property, "Enum[on, off]", "Whether mandatory locks work."},
     {"overlay", Kind::Property, "Enum[on, off]", "Whether it may be mounted over files."},
     {"primarycache", Kind::Property, "String", "What is cached in memory: all, none or metadata."},
     {"quota", Kind::Property, "String", "The most space for it and what is below: a size, or none."},
     {"readonly", Kind::Property, "Enum[on, off]", "Whether nothing can be written."},
     {"recordsize", Kind::Property, "String", "The size of blocks: a power of two between 512 and 128k."},
     {"refquota", Kind::Property, "String", "The most space for it alone: a size, or none."},
     {"refreservation", Kind::Property, "String", "Space that is reserved for it alone: a size, or none."},
     {"relatime", Kind::Property, "Enum[on, off]", "Whether reading is noted now and then."},
     {"reservation", Kind::Property, "String",
      "Space that is reserved for it and what is below: a size, or none."},
     {"secondarycache", Kind::Property, "String", "What is cached on fast disks: all, none or metadata."},
     {"setuid", Kind::Property, "Enum[on, off]", "Whether setuid programs work."},
     {"shareiscsi", Kind::Property, "String", "How it is shared over iSCSI: on, off or type=TYPE."},
     {"sharenfs", Kind::Property, "String", "How it is shared over NFS: on, off or options."},
     {"sharesmb", Kind::Property, "String", "How it is shared over SMB: on, off or options."},
     {"snapdir", Kind::Property, "String", "Whether .zfs is seen: hidden or visible."},
     {"sync", Kind::Property, "String", "How synchronous writes are done: standard, always or disabled."},
     {"version", Kind::Property, "String", "The version of the file system: 1 to 5, or current."},
     {"volsize", Kind::Property, "String", "The size of a volume."},
     {"vscan", Kind::Property, "Enum[on, off]", "Whether files are scanned for viruses."},
     {"xattr", Kind::Property, "Enum[on, off]", "How extended attributes are stored."},
     {"zoned", Kind::Property, "Enum[on, off]", "Whether a zone manages it."}}};

}  // namespace

const TypeSpec& zfs_type() {
    static const TypeSpec spec{"zfs", "A file system of ZFS.", "zfs", zfs_attributes, make_instance_of<Zfs>};
    return spec;
}

}  // namespace volley::agent
