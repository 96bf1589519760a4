#include <algorithm>
#include <array>

#include "apply/agent/types/concat/concat.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A piece of a concat_file, which asks for it.
class ConcatFragment final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    Current retrieve() override { return {}; }
    std::vector<Wanted> wanted() override { return {}; }
    void sync(Wanted&, const Value&) override {}
    void begin() override;
};

void ConcatFragment::prepare() {
    const auto failed = [this](const char* why) {
        return ApplyError("Validation of " + resource_.reference() + " failed: " + why);
    };
    const auto check = [this](const char* name, bool valid, const char* why) {
        if (!valid) throw parameter_error(resource_, name, why);
    };
    const auto is_text = [this](const char* name) {
        const Value* value = resource_.find(name);
        return value == nullptr || value->is(Value::Kind::String);
    };
    const Value* source = resource_.find("source");
    const Value* order = resource_.find("order");
    check("target", is_text("target"), "Target must be a String");
    check("content", is_text("content"), "Content must be a String");
    check("source", is_text("source") || source->is(Value::Kind::Array), "Content must be a String or Array");
    check("order", is_text("order") || order->is(Value::Kind::Integer), "$order is not a string or integer.");
    check("order", resource_.text("order").find_first_of(":\n/") == std::string::npos,
          "Order cannot contain '/', ':', or '\\n'.");
    if (resource_.find("target") == nullptr && resource_.find("tag") == nullptr)
        throw failed("No 'target' or 'tag' set");
    const bool has_content = resource_.find("content") != nullptr;
    if (source == nullptr && !has_content) throw failed("Set either 'source' or 'content'");
    if (source != nullptr && has_content) throw failed("Can't use 'source' and 'content' at the same time");
}

/// A fragment that no file asks for is worth a warning.
void ConcatFragment::begin() {
    const auto& all = run_.catalog.resources();
    const bool wanted = std::any_of(all.begin(), all.end(), [&](const auto& one) {
        return one->type == "Concat_file" && belongs_to(resource_, *one);
    });
    if (wanted) return;
    const Value* given = resource_.find("tag");
    const std::string tag = given == nullptr                ? std::string()
                            : given->is(Value::Kind::Array) ? given->inspected()
                                                            : given->to_text();
    run_.log(Level::Warning, resource_,
             "Target Concat_file with path or title '" + resource_.text("target") + "' " +
                 (tag.empty() ? "" : "or tag '" + tag + " ") + "not found in the catalog");
}

constexpr std::array<Attribute, 6> fragment_attributes = {
    {{"name", Kind::Namevar, "String", "A name; of those with the same order it decides."},
     {"target", Kind::Parameter, "String", "The path or the title of the concat_file."},
     {"tag", Kind::Parameter, "String", "The tag of the concat_file, instead of target."},
     {"content", Kind::Parameter, "String", "The text."},
     {"source", Kind::Parameter, "Variant[String, Array[String]]",
      "A file that has the text; of a list the first that exists."},
     {"order", Kind::Parameter, "Variant[String, Integer]", "Its place among the fragments (10)."}}};

}  // namespace

bool belongs_to(const Resource& fragment, const Resource& file) {
    const std::string target = fragment.text("target");
    if (fragment.find("target") != nullptr &&
        (target == file.text("path", file.title) || target == file.title))
        return true;
    // A list of tags is not one of them.
    const Value *tag = fragment.find("tag"), *wanted = file.find("tag");
    return tag != nullptr && wanted != nullptr && *tag == *wanted;
}

const TypeSpec& concat_fragment_type() {
    static const TypeSpec spec{"concat_fragment", "A piece of a concat_file, of the module concat.", "",
                               fragment_attributes, make_instance_of<ConcatFragment>};
    return spec;
}

}  // namespace volley::agent
