#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& service_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "service",
        .doc = "A service of the system.",
        .attributes =
            {
                {"ensure", Property, "Variant[Enum[stopped, running], Boolean]",
                 "Whether it should be running."},
                {"enable", Property, "Variant[Boolean, Enum[manual, mask, delayed]]",
                 "Whether it starts with the system."},
                {"flags", Property, "String", "Further arguments for it, where the system keeps such."},
                {"logonaccount", Property, "String", "The account that it runs as, on Windows."},
                {"logonpassword", Parameter, "String", "That account's password."},
                {"binary", Parameter, "String", "The program, where nothing else starts it."},
                {"hasstatus", Parameter, "Boolean", "Whether its init script reports its state (true)."},
                {"name", Namevar, "String", "Its name."},
                {"path", Parameter, "Variant[String, Array[String]]", "Where init scripts are."},
                {"pattern", Parameter, "String",
                 "What to look for in the list of processes, without hasstatus."},
                {"restart", Parameter, "String", "A command that restarts it."},
                {"start", Parameter, "String", "A command that starts it."},
                {"status", Parameter, "String", "A command that succeeds when it runs."},
                {"stop", Parameter, "String", "A command that stops it."},
                {"control", Parameter, "String", "The variable that controls it, on HP-UX."},
                {"hasrestart", Parameter, "Boolean", "Whether its init script can restart it."},
                {"manifest", Parameter, "String", "A file or command that defines it."},
                {"timeout", Parameter, "Integer",
                 "Seconds that starting and stopping may take, where the provider can wait."},
                {"provider", Parameter, "String", "What manages it: systemd, init, launchd, ..."},
            },
        .refreshable = true,
    };
    return spec;
}

}  // namespace volley::resource_types
