// Types that hold no state of the machine: an anchor, a schedule and a filebucket are there for other
// resources.
#include <array>

#include "apply/agent/types/instance.hpp"
#include "apply/agent/types/schedule.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

class Stateless : public Instance {
public:
    using Instance::Instance;
    Current retrieve() override { return {}; }
    std::vector<Wanted> wanted() override { return {}; }
    void sync(Wanted&, const Value&) override {}
};

/// Passes on what it hears.
class Anchor final : public Stateless {
public:
    using Stateless::Stateless;
    bool can_refresh() const override { return true; }
};

class Schedule final : public Stateless {
public:
    using Stateless::Stateless;
    void prepare() override { check_schedule(resource_); }
};

constexpr std::array<Attribute, 1> anchor_attributes = {{{"name", Kind::Namevar, "String", "A name."}}};
constexpr std::array<Attribute, 6> schedule_attributes = {
    {{"name", Kind::Namevar, "String", "A name, for the metaparameter schedule."},
     {"range", Kind::Parameter, "Variant[String, Array[String]]", "Hours: \"2:00 - 4:30\"."},
     {"period", Kind::Parameter, "Enum[hourly, daily, weekly, monthly, never]", "How often."},
     {"periodmatch", Kind::Parameter, "Enum[number, distance]",
      "Whether periods follow the calendar or the time that has passed (distance)."},
     {"repeat", Kind::Parameter, "Integer[1]", "How often in each period (1)."},
     {"weekday", Kind::Parameter, "Variant[String, Integer, Array]",
      "Days of the week, by name or number."}}};
constexpr std::array<Attribute, 4> filebucket_attributes = {
    {{"name", Kind::Namevar, "String", "A name, for the attribute backup of files."},
     {"path", Kind::Parameter, "Variant[String, Boolean]", "The folder of the bucket on the machine."},
     {"server", Kind::Parameter, "String",
      "Of a bucket on a server; the agent keeps all buckets on the machine."},
     {"port", Kind::Parameter, "Integer", "Of a bucket on a server."}}};

}  // namespace

const TypeSpec& anchor_type() {
    static const TypeSpec spec{"anchor", "Holds the place of something in a class, of the module stdlib.", "",
                               anchor_attributes, make_instance_of<Anchor>};
    return spec;
}
const TypeSpec& schedule_type() {
    static const TypeSpec spec{"schedule", "When resources may be looked at.", "", schedule_attributes,
                               make_instance_of<Schedule>};
    return spec;
}
const TypeSpec& filebucket_type() {
    static const TypeSpec spec{"filebucket", "Keeps the old content of files.", "", filebucket_attributes,
                               make_instance_of<Stateless>};
    return spec;
}

}  // namespace volley::agent
