#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& exec_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "exec",
        .doc = "Runs a command, under conditions.",
        .attributes =
            {
                {"returns", Property, "Variant[Integer, Array[Integer]]",
                 "Exit codes that mean success (0)."},
                {"command", Namevar, "Variant[String, Array[String]]",
                 "What to run: a line for a shell or, as an array, a program and its arguments. Without "
                 "`path`, the program's full path."},
                {"path", Parameter, "Variant[String, Array[String]]",
                 "Folders in which programs are looked for."},
                {"user", Parameter, "String", "Who runs it."},
                {"group", Parameter, "String", "With which group it runs."},
                {"cwd", Parameter, "String", "The folder in which it runs; it must exist."},
                {"logoutput", Parameter, "Variant[Boolean, Enum[on_failure]]",
                 "Whether its output is logged: always, never, or when it fails (on_failure)."},
                {"refresh", Parameter, "String", "What to run instead when the resource is notified."},
                {"environment", Parameter, "Variant[String, Array[String]]", "Variables as \"NAME=value\"."},
                {"umask", Parameter, "String", "The umask of the process, in octal."},
                {"timeout", Parameter, "Numeric",
                 "Seconds after which it is ended (300); 0 for never. Counts for each try."},
                {"tries", Parameter, "Integer[1]", "How often it is tried (1)."},
                {"try_sleep", Parameter, "Numeric", "Seconds between tries (0)."},
                {"refreshonly", Parameter, "Boolean", "Run only when notified (false)."},
                {"creates", Parameter, "Variant[String, Array[String]]",
                 "Files that make it unnecessary: when one of them exists it does not run."},
                {"unless", Parameter, "Variant[String, Array[String]]",
                 "A command that makes it unnecessary when it succeeds. In an array, one that succeeds is "
                 "enough."},
                {"onlyif", Parameter, "Variant[String, Array[String]]",
                 "A command that must succeed first. In an array, all must."},
                {"provider", Parameter, "Enum[posix, shell]",
                 "posix runs the program itself, shell hands the line to /bin/sh."},
            },
        .autorequires = "file cwd and absolute paths in commands; user user",
        .refreshable = true,
        .isomorphic = false,
    };
    return spec;
}

}  // namespace volley::resource_types
