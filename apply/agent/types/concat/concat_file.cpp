#include <array>
#include <optional>

#include "apply/agent/machine/modes.hpp"
#include "apply/agent/types/concat/concat.hpp"
#include "apply/agent/types/concat/fragment_order.hpp"
#include "apply/agent/types/concat/merged_data.hpp"
#include "apply/agent/types/concat/merged_yaml.hpp"
#include "apply/agent/types/file/file_source.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Attributes that the file has, too.
constexpr std::array<const char*, 12> of_file = {
    "owner",    "group",   "mode",    "replace", "backup",       "selinux_ignore_defaults",
    "selrange", "selrole", "seltype", "seluser", "validate_cmd", "show_diff"};
constexpr std::string_view formats = "plain, yaml, json, json-array, json-pretty, json-array-pretty";

/// A file that is put together from fragments. It changes nothing itself: it makes a file resource, whose
/// content is known when it is due.
class ConcatFile final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    Current retrieve() override {
        Current current;
        current.set("ensure", only_audited() ? absent() : ensure_);
        return current;
    }
    std::vector<Wanted> wanted() override {
        if (only_audited()) return {};
        return {want("ensure", ensure_)};
    }
    void sync(Wanted&, const Value&) override {}
    std::vector<Autorelation> autorelations() override {
        return {{Autorelation::Kind::Require, "File", path_}};
    }
    std::vector<std::unique_ptr<Resource>> generate() override;
    bool generates_late() const override { return true; }
    std::vector<std::unique_ptr<Resource>> generate_late() override;

private:
    /// Compatibility: then it has no ensure, and does not take itself for present.
    bool only_audited() const { return resource_.find("ensure") == nullptr && reads("ensure"); }
    std::string content();
    std::string content_of(const Resource& fragment);

    std::string path_, format_;
    Value ensure_;
    bool numeric_ = true, ends_lines_ = false, force_ = false, secret_ = false;
};

void ConcatFile::prepare() {
    const Value* const path = resource_.find("path");
    path_ = path != nullptr ? interpolated(*path) : resource_.title;
    // Compatibility: Puppet asks twice, for the two kinds of paths, and so it warns twice.
    if (path != nullptr ? !is_absolute_path(run_, *path) && !is_absolute_path(run_, *path)
                        : !path_.starts_with('/'))
        throw parameter_error(resource_, "path", "File paths must be fully qualified, not '" + path_ + "'");
    ensure_ = present_or_absent(resource_, true);
    numeric_ = word_parameter(resource_, "order", "alpha, numeric", "numeric") == "numeric";
    format_ = word_parameter(resource_, "format", formats, "plain");
    if (const Value* mode = resource_.find("mode")) {
        for (const Value& one : mode->is(Value::Kind::Array) ? mode->items() : Value::Items{*mode}) {
            if (const std::string fault = fault_of_mode(one); !fault.empty())
                throw parameter_error(resource_, "mode", fault);
        }
    }
    const Value* backup = resource_.find("backup");
    if (backup != nullptr && !backup->is(Value::Kind::Boolean) && !backup->is(Value::Kind::String))
        throw parameter_error(resource_, "backup", "Backup must be a Boolean or String");
    const Value* check = resource_.find("validate_cmd");
    if (check != nullptr && !check->is(Value::Kind::String))
        throw parameter_error(resource_, "validate_cmd", "Validate_cmd must be a String");
    for (const char* name : {"replace", "show_diff", "selinux_ignore_defaults"}) {
        if (resource_.find(name) != nullptr)
            resource_.set(name, Value(boolean_parameter(resource_, name, true)));
    }
    ends_lines_ = boolean_parameter(resource_, "ensure_newline", false);
    force_ = boolean_parameter(resource_, "force", false);
}

std::vector<std::unique_ptr<Resource>> ConcatFile::generate() {
    auto file = found_resource("file", path_);
    file->set("ensure", text_value(ensure_ == absent() ? "absent" : "file"));
    for (const char* name : of_file) {
        if (const Value* value = resource_.find(name)) file->set(name, *value);
    }
    file->noop = resource_.noop;
    file->loglevel = resource_.loglevel;
    file->schedule = resource_.schedule;
    file->audit = resource_.audit;
    std::vector<std::unique_ptr<Resource>> made;
    made.push_back(std::move(file));
    return made;
}

std::string ConcatFile::content_of(const Resource& fragment) {
    secret_ = secret_ || fragment.sensitive.contains("content");
    std::string content = fragment.text("content");
    if (fragment.find("content") == nullptr) {
        const std::vector<std::string> places = fragment.texts("source");
        std::optional<FileSource> source;
        const SourceFacts* facts = nullptr;
        try {
            source.emplace(places, run_);
            facts = &source->facts("sha256", true);
        } catch (const UnmanagedSource& error) {
            throw ApplyError(error.fault);
        } catch (const std::runtime_error&) {
            throw ApplyError("Could not retrieve source(s) " + join(places, ", "));
        }
        if (facts->kind == FileKind::Directory) throw ApplyError("Is a directory - " + facts->local);
        source->read([&](std::string_view piece) { content += piece; });
    }
    if (ends_lines_ && !content.ends_with('\n')) content += '\n';
    return content;
}

std::string ConcatFile::content() {
    std::vector<Fragment> fragments;
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->type != "Concat_fragment" || !belongs_to(*resource, resource_)) continue;
        fragments.push_back(
            {resource->text("order", "10"), resource->text("name", resource->title), content_of(*resource)});
    }
    sort_fragments(fragments, numeric_);
    std::vector<std::string> contents;
    for (Fragment& fragment : fragments) contents.push_back(std::move(fragment.content));
    if (format_ == "plain") return join(contents, "");
    if (format_ == "yaml") return merged_yaml(contents, force_);
    return merged_json(contents, format_, force_);
}

std::vector<std::unique_ptr<Resource>> ConcatFile::generate_late() {
    const std::string text = content();
    if (Resource* file = run_.catalog.find("File", path_); file != nullptr && file->instance) {
        file->set("content", Value(text));
        if (secret_) file->set("show_diff", Value(false));
        file->instance->prepare();
    }
    std::vector<std::unique_ptr<Resource>> made;
    made.push_back(found_resource("file", path_));  // stands for the one that is there
    return made;
}

constexpr std::array<Attribute, 19> concat_file_attributes = {
    {{"path", Kind::Namevar, "String", "The absolute path."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist (present)."},
     {"tag", Kind::Parameter, "String", "The tag of its fragments, for those without a target."},
     {"owner", Kind::Parameter, "Variant[String, Integer]", "The same as of file."},
     {"group", Kind::Parameter, "Variant[String, Integer]", "The same as of file."},
     {"mode", Kind::Parameter, "String", "The same as of file."},
     {"order", Kind::Parameter, "Enum[alpha, numeric]", "How fragments are sorted by their order (numeric)."},
     {"backup", Kind::Parameter, "Variant[Boolean, String]", "The same as of file."},
     {"replace", Kind::Parameter, "Boolean", "The same as of file."},
     {"validate_cmd", Kind::Parameter, "String", "The same as of file."},
     {"ensure_newline", Kind::Parameter, "Boolean", "Whether every fragment ends with a line's end (false)."},
     {"format", Kind::Parameter, "Enum[plain, yaml, json, json-array, json-pretty, json-array-pretty]",
      "How fragments are put together: one after the other, or merged as YAML or JSON (plain)."},
     {"force", Kind::Parameter, "Boolean",
      "Whether of two values for a key the first counts; else it is an error (false)."},
     {"show_diff", Kind::Parameter, "Boolean", "The same as of file."},
     {"selinux_ignore_defaults", Kind::Parameter, "Boolean", "The same as of file."},
     {"selrange", Kind::Parameter, "String", "The same as of file."},
     {"selrole", Kind::Parameter, "String", "The same as of file."},
     {"seltype", Kind::Parameter, "String", "The same as of file."},
     {"seluser", Kind::Parameter, "String", "The same as of file."}}};

}  // namespace

const TypeSpec& concat_file_type() {
    static const TypeSpec spec{"concat_file",
                               "A file that is put together from fragments, of the module concat.", "",
                               concat_file_attributes, make_instance_of<ConcatFile>};
    return spec;
}

}  // namespace volley::agent
