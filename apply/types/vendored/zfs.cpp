#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& zfs_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "zfs",
        .doc = "A file system or volume of ZFS.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"aclinherit", Property, "String", "How access lists are inherited."},
                {"aclmode", Property, "String", "What chmod does to access lists."},
                {"acltype", Property, "String", "The kind of access lists."},
                {"atime", Property, "String", "Whether reading is noted."},
                {"canmount", Property, "String", "Whether it can be mounted."},
                {"checksum", Property, "String", "Which checksum blocks have."},
                {"compression", Property, "String", "How blocks are compressed."},
                {"copies", Property, "String", "How many copies of data there are."},
                {"dedup", Property, "String", "Whether equal blocks are stored once."},
                {"defaultuserquota", Property, "String", "The space of a user without a quota of its own."},
                {"devices", Property, "String", "Whether devices in it work."},
                {"exec", Property, "String", "Whether programs in it run."},
                {"logbias", Property, "String", "What synchronous writes aim at: latency or throughput."},
                {"mountpoint", Property, "String", "Where it is mounted."},
                {"nbmand", Property, "String", "Whether mandatory locks work."},
                {"overlay", Property, "String", "Whether it may be mounted over files."},
                {"primarycache", Property, "String", "What is cached in memory."},
                {"quota", Property, "String", "The most space for it and what is below."},
                {"readonly", Property, "String", "Whether nothing can be written."},
                {"recordsize", Property, "String", "The size of blocks."},
                {"refquota", Property, "String", "The most space for it alone."},
                {"refreservation", Property, "String", "Space that is reserved for it alone."},
                {"relatime", Property, "String", "Whether reading is noted now and then."},
                {"reservation", Property, "String", "Space that is reserved for it and what is below."},
                {"secondarycache", Property, "String", "What is cached on fast disks."},
                {"setuid", Property, "String", "Whether setuid programs work."},
                {"shareiscsi", Property, "String", "How it is shared over iSCSI."},
                {"sharenfs", Property, "String", "How it is shared over NFS."},
                {"sharesmb", Property, "String", "How it is shared over SMB."},
                {"snapdir", Property, "String", "Whether .zfs is seen."},
                {"sync", Property, "String", "How synchronous writes are done."},
                {"version", Property, "String", "The version of the file system."},
                {"volsize", Property, "String", "The size of a volume."},
                {"vscan", Property, "String", "Whether files are scanned for viruses."},
                {"xattr", Property, "String", "How extended attributes are stored."},
                {"zoned", Property, "String", "Whether a zone manages it."},
                {"name", Namevar, "String", "Its full name, POOL/NAME."},
                {"provider", Parameter, "Enum[zfs]", "What manages it."},
            },
        .module = "zfs_core",
        .autorequires = "the pool, and the file systems above it",
    };
    return spec;
}

}  // namespace volley::resource_types
