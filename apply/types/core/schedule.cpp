#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& schedule_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "schedule",
        .doc = "When resources may be changed.",
        .attributes =
            {
                {"name", Namevar, "String", "A name, for the metaparameter schedule."},
                {"range", Parameter, "Variant[String, Array[String]]", "Hours: \"2:00 - 4:30\"."},
                {"periodmatch", Parameter, "Enum[number, distance]",
                 "Whether periods follow the calendar or the time that has passed (distance)."},
                {"period", Parameter, "Enum[hourly, daily, weekly, monthly, never]", "How often."},
                {"repeat", Parameter, "Integer[1]", "How often in each period (1)."},
                {"weekday", Parameter, "Variant[String, Integer, Array]",
                 "Days of the week, by name or number."},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
