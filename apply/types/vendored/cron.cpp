#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& cron_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "cron",
        .doc = "A job in a user's crontab. Times that are not given mean \"always\".",
        .attributes =
            {
                {"ensure", Property, "Enum[present, absent]", "Whether it should exist."},
                {"command", Property, "String", "What to run."},
                {"special", Property, "String", "A word in place of times: reboot, daily, ..."},
                {"minute", Property, "Variant[Integer, String, Array]",
                 "Minutes: 0 to 59, \"*/5\", \"10-20\"."},
                {"hour", Property, "Variant[Integer, String, Array]", "Hours: 0 to 23."},
                {"weekday", Property, "Variant[Integer, String, Array]",
                 "Days of the week: 0 to 7, or names."},
                {"month", Property, "Variant[Integer, String, Array]", "Months: 1 to 12, or names."},
                {"monthday", Property, "Variant[Integer, String, Array]", "Days of the month: 1 to 31."},
                {"environment", Property, "Variant[String, Array[String]]",
                 "Variables in front of the job: \"NAME=value\"."},
                {"user", Property, "String", "Whose crontab it is."},
                {"target", Property, "String", "The crontab's name, when it is not the user's."},
                {"name", Namevar, "String", "A name, which is written as a comment above the job."},
                {"provider", Parameter, "Enum[crontab]", "What manages it."},
            },
        .module = "cron_core",
        .autorequires = "user user",
    };
    return spec;
}

}  // namespace volley::resource_types
