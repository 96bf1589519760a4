#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& scheduled_task_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "scheduled_task",
        .doc = "A task that Windows runs at certain times.",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"enabled", Property, "Boolean", "Whether its times count."},
                {"command", Property, "String", "The full path of the program."},
                {"working_dir", Property, "String", "The folder that it runs in."},
                {"arguments", Property, "String", "Arguments of the program."},
                {"description", Property, "String", "What people read."},
                {"user", Property, "String", "The user that it runs as."},
                {"compatibility", Property, "Integer[1, 6]", "The generation of the scheduler."},
                {"trigger", Property, "Variant[Hash, Array[Hash]]",
                 "When it runs: schedule, start_time, every, day_of_week and so on."},
                {"name", Namevar, "String", "Its name."},
                {"password", Parameter, "String", "The user's password."},
                {"provider", Parameter, "Enum[taskscheduler_api2, win32_taskscheduler]", "What manages it."},
            },
        .module = "scheduled_task",
    };
    return spec;
}

}  // namespace volley::resource_types
