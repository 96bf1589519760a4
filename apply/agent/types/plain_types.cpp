// Types that hold no state of the machine: an anchor, a schedule and a filebucket are there for other
// resources.
#include <array>

#include "apply/agent/types/instance.hpp"

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

constexpr std::array<Attribute, 1> anchor_attributes = {{{"name", Kind::Namevar, "Its name."}}};
constexpr std::array<Attribute, 6> schedule_attributes = {
    {{"name", Kind::Namevar, "The name that resources give in schedule."},
     {"range", Kind::Parameter, "The time of day in which resources are looked at: \"2:00 - 4:30\"."},
     {"period", Kind::Parameter, "hourly, daily, weekly, monthly or never."},
     {"periodmatch", Kind::Parameter, "Whether periods are counted by distance or by number."},
     {"repeat", Kind::Parameter, "How often in a period."},
     {"weekday", Kind::Parameter, "The days of the week."}}};
constexpr std::array<Attribute, 4> filebucket_attributes = {
    {{"name", Kind::Namevar, "The name that files give in backup."},
     {"path", Kind::Parameter, "The folder of the bucket on the machine."},
     {"server", Kind::Parameter, "Of a bucket on a server; the agent keeps all buckets on the machine."},
     {"port", Kind::Parameter, "Of a bucket on a server."}}};

}  // namespace

const TypeSpec& anchor_type() {
    static const TypeSpec spec{"anchor", "Holds the place of something in a class.", anchor_attributes,
                               make_instance_of<Anchor>};
    return spec;
}
const TypeSpec& schedule_type() {
    static const TypeSpec spec{"schedule", "When resources may be looked at.", schedule_attributes,
                               make_instance_of<Stateless>};
    return spec;
}
const TypeSpec& filebucket_type() {
    static const TypeSpec spec{"filebucket", "Keeps the old content of files.", filebucket_attributes,
                               make_instance_of<Stateless>};
    return spec;
}

}  // namespace volley::agent
