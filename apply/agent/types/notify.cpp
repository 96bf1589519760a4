#include <array>

#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/types/parameters.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Compatibility: the log joins the items of a list, in lists of any depth.
std::string logged(const Value& value) {
    if (!value.is(Value::Kind::Array)) return value.to_text();
    std::vector<std::string> words;
    for (const Value& item : value.items()) words.push_back(logged(item));
    return join(words, " ");
}

class Notify final : public Instance {
public:
    using Instance::Instance;

    void prepare() override { true_or_false(resource_, "withpath", false); }

    Current retrieve() override {
        Current current;
        current.set("message", absent());
        return current;
    }

    std::vector<Wanted> wanted() override {
        Wanted message;
        message.name = "message";
        const Value* given = resource_.find("message");
        if (given == nullptr) given = resource_.find("name");
        message.value = given != nullptr ? *given : Value(resource_.title);
        // Compatibility: of a list only the first is shown; an empty one says nothing.
        if (message.value.is(Value::Kind::Array)) {
            const Value::Items items = message.value.items();
            if (items.empty()) return {};
            message.value = items[0];
        }
        if (message.value.is_undef()) return {};
        message.sensitive = is_sensitive("message");
        message.idempotent = false;
        return {message};
    }

    bool in_sync(Wanted&, const Value&) override { return false; }

    void sync(Wanted& wanted, const Value&) override {
        const std::string text = wanted.sensitive ? "Sensitive [value redacted]" : logged(wanted.value);
        const Level level = Run::level_of(resource_);
        if (resource_.text("withpath") == "true")
            run_.log(level, resource_, "message", text);
        else
            run_.log(level, text);
    }
};

constexpr std::array<Attribute, 3> notify_attributes = {
    {{"name", Kind::Namevar, "Any", "A name; the message when there is none."},
     {"message", Kind::Property, "Any", "What to say."},
     {"withpath", Kind::Parameter, "Boolean", "Whether the resource is named in it (false)."}}};

}  // namespace

const TypeSpec& notify_type() {
    static const TypeSpec spec{"notify", "Logs a message in every run.", "", notify_attributes,
                               make_instance_of<Notify>};
    return spec;
}

}  // namespace volley::agent
