#include <algorithm>
#include <array>
#include <set>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

/// A line of fstab: an entry, or something else that stays as it is.
struct MountLine {
    std::string text;
    std::array<std::string, 6> fields;  // device, name, fstype, options, dump, pass
    bool entry = false;
    std::string line() const {
        if (!entry) return text;
        std::vector<std::string> words(fields.begin(), fields.end());
        words[0] = replaced(words[0], " ", "\\040");
        words[1] = replaced(words[1], " ", "\\040");
        return join(words, "\t");
    }
};
constexpr std::array<const char*, 6> field_names = {"device", "name", "fstype", "options", "dump", "pass"};

std::string without_slashes(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

MountLine mount_line(const std::string& line) {
    MountLine found;
    found.text = line;
    const auto words = blank_words(line);
    if (words.size() < 2 || words[0].starts_with('#')) return found;
    found.entry = true;
    // Compatibility: what follows the last field, such as a comment, belongs to it.
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i < found.fields.size())
            found.fields[i] = words[i];
        else
            found.fields.back() += "\t" + words[i];
    }
    found.fields[0] = replaced(found.fields[0], "\\040", " ");
    found.fields[1] = without_slashes(replaced(found.fields[1], "\\040", " "));
    return found;
}

/// Where something is mounted, as the kernel says.
std::vector<std::string> mounted_places() {
    std::vector<std::string> places;
    for (const std::string& line : split(read_whole("/proc/self/mounts"), '\n')) {
        const auto words = split(line, ' ');
        if (words.size() > 1) places.push_back(replaced(words[1], "\\040", " "));
    }
    return places;
}

bool is_mounted(const std::string& name) {
    const auto places = mounted_places();
    return std::find(places.begin(), places.end(), name) != places.end();
}

/// A file system and its line in fstab.
class Mount final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "parsed"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;
    bool can_refresh() const override { return true; }
    bool refreshes_itself() const override { return true; }
    void refresh() override;
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override;

private:
    void read_table();
    void enter();
    void write_table();
    std::string wanted_field(std::size_t field) const;
    void set_others();

    std::string name_, target_, ensure_;
    bool remounts_ = true;
    std::vector<MountLine> lines_;
    std::optional<std::size_t> own_;
    bool mounted_ = false, modified_ = false, mount_at_end_ = false, entered_only_ = false;
};

void Mount::prepare() {
    name_ = without_slashes(converted_text(resource_, "name", "gsub", resource_.title));
    target_ = resource_.text("target", "/etc/fstab");
    // "present" is another word for "defined".
    ensure_ = resource_.text("ensure") == "present"
                  ? "defined"
                  : word_parameter(resource_, "ensure", "defined, unmounted, absent, mounted");
    for (const char* name : {"fstype", "options", "blockdevice"}) {
        const bool may_be_empty = std::string_view(name) == "blockdevice";
        for (const Value& value : each_value(resource_, name)) {
            if (value.is(Value::Kind::Array) || value.is(Value::Kind::Hash)) continue;
            if (value.is(Value::Kind::Object)) matched_text(value);
            if (!value.is_text() && may_be_empty) continue;
            if (!value.is_text()) throw check_error(resource_, name, no_method(value, "empty?"));
            const std::string& text = value.text();
            if (std::any_of(text.begin(), text.end(), is_blank))
                throw parameter_error(resource_, name,
                                      std::string(name) + " must not contain whitespace: " + text);
            if (text.empty() && !may_be_empty)
                throw parameter_error(resource_, name, std::string(name) + " must not be an empty string");
        }
    }
    for (const Value& dump : each_value(resource_, "dump")) {
        if (dump.to_text().find_first_of("01") == std::string::npos)
            throw parameter_error(resource_, "dump", invalid_value(dump, {}, "/(0|1)/"));
    }
    for (const Value& atboot : each_value(resource_, "atboot"))
        converted_boolean(resource_, "atboot", atboot);
    remounts_ = true_or_false(resource_, "remounts", true);
    if (resource_.find("blockdevice") != nullptr) resource_.erase("blockdevice");
}

void Mount::read_table() {
    lines_.clear();
    own_.reset();
    for (const std::string& line : table_file_lines(target_)) {
        lines_.push_back(mount_line(line));
        if (lines_.back().entry && lines_.back().fields[1] == name_) own_ = lines_.size() - 1;
    }
}

std::string Mount::wanted_field(std::size_t field) const {
    const bool number = field >= 4;
    if (field == 1) return name_;
    if (resource_.find(field_names[field]) == nullptr) return number ? "0" : "";
    const auto values = each_value(resource_, field_names[field]);
    return values.empty() ? "" : interpolated(values.front());
}

Current Mount::retrieve() {
    read_table();
    mounted_ = is_mounted(name_);
    modified_ = mount_at_end_ = entered_only_ = false;
    Current current;
    current.set("ensure", own_       ? Value::symbol(mounted_ ? "mounted" : "unmounted")
                          : mounted_ ? Value::symbol("ghost")
                                     : absent());
    for (std::size_t field = 0; field < field_names.size(); ++field) {
        if (field == 1) continue;
        const bool known = own_ && !lines_[*own_].fields[field].empty();
        current.set(field_names[field], known ? Value(lines_[*own_].fields[field]) : absent());
    }
    if (reads("target")) current.set("target", own_ || mounted_ ? Value(target_) : absent());
    return current;
}

std::vector<Wanted> Mount::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.empty()) {
        const std::string event = ensure_ == "absent"    ? "mount_deleted"
                                  : ensure_ == "mounted" ? "mount_mounted"
                                                         : "";
        list.push_back(want("ensure", Value::symbol(ensure_), false, event));
    }
    for (const std::size_t field : {0U, 2U, 3U, 5U, 4U}) {
        const Value* value = resource_.find(field_names[field]);
        const bool is_list = value != nullptr && value->is(Value::Kind::Array);
        if (is_list && (value->items().empty() || value->items().front().is_undef())) continue;
        if (value != nullptr)
            list.push_back(want(field_names[field], is_list ? value->items().front() : *value,
                                is_sensitive(field_names[field])));
        else if (field >= 4)
            list.push_back(want(field_names[field], number_value(0)));
    }
    return list;
}

bool Mount::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "ensure" && ensure_ == "defined")
        return current == Value::symbol("mounted") || current == Value::symbol("unmounted");
    // Of a list any is as good as the first, which is what is set.
    if (const Value* value = resource_.find(wanted.name); value != nullptr && value->is(Value::Kind::Array)) {
        return std::any_of(value->items().begin(), value->items().end(),
                           [&](const Value& one) { return interpolated(one) == current.to_text(); });
    }
    return Instance::in_sync(wanted, current);
}

std::string Mount::change_text(const Wanted& wanted, const Value& current) {
    if (wanted.name != "ensure") return Instance::change_text(wanted, current);
    if (current == absent()) return "defined 'ensure' as " + wanted.value.shown();
    if (ensure_ == "absent") return "undefined 'ensure' from " + current.shown();
    return "ensure changed " + current.shown() + " to " + wanted.value.shown();
}

/// Puts an entry into the table, with everything that the resource says.
void Mount::enter() {
    if (!own_) {
        lines_.emplace_back();
        own_ = lines_.size() - 1;
        lines_[*own_].entry = true;
    }
    for (std::size_t field = 0; field < field_names.size(); ++field) {
        const std::string value = wanted_field(field);
        if (!value.empty()) lines_[*own_].fields[field] = value;
    }
    modified_ = true;
}

void Mount::set_others() {
    if (!own_) return enter();
    for (std::size_t field = 0; field < field_names.size(); ++field) {
        const std::string value = wanted_field(field);
        if (value.empty() || lines_[*own_].fields[field] == value) continue;
        lines_[*own_].fields[field] = value;
        modified_ = true;
    }
}

void Mount::write_table() {
    if (!modified_) return;
    for (const std::size_t field : {2U, 0U}) {
        const auto values = each_value(resource_, field_names[field]);
        const bool is_given = !values.empty() && !values.front().is_undef();
        if (own_ && lines_[*own_].fields[field].empty() && !is_given)
            throw ApplyError(field == 0 ? "Field 'device' is required"
                                        : "Mount[" + name_ + "]: Field 'fstype' is required");
    }
    if (own_ && lines_[*own_].fields[3].empty()) lines_[*own_].fields[3] = "defaults";
    std::vector<std::string> lines;
    for (const MountLine& line : lines_) lines.push_back(line.line());
    replace_content(target_, table_head() + joined_lines(lines), 0644);
    modified_ = false;
}

void Mount::sync(Wanted& wanted, const Value&) {
    const auto unmount = [this] {
        run_tool(run_, Command({"umount", name_}));
        mounted_ = false;
    };
    if (wanted.name != "ensure") {
        if (!own_) return;
        for (std::size_t field = 0; field < field_names.size(); ++field) {
            if (wanted.name == field_names[field]) lines_[*own_].fields[field] = wanted.value.to_text();
        }
        modified_ = true;
    } else if (ensure_ == "defined") {
        enter();
        entered_only_ = true;
    } else if (ensure_ == "unmounted") {
        if (!own_) {
            enter();
            if (!mounted_) return;
            write_table();
            unmount();
        } else {
            unmount();
            set_others();
        }
    } else if (ensure_ == "absent") {
        if (mounted_) unmount();
        if (!own_) return;
        lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(*own_));
        own_.reset();
        modified_ = true;
    } else {
        set_others();
        mount_at_end_ = !mounted_;
    }
}

void Mount::flush() {
    write_table();
    if (!mount_at_end_) return;
    mount_at_end_ = false;
    run_tool(run_, Command({"mount", name_}));
    mounted_ = true;
}

void Mount::refresh() {
    // Compatibility: what is mounted and was only entered into the table counts as not mounted.
    if (resource_.text("fstype") == "swap" || entered_only_ || !is_mounted(name_)) return;
    run_.log_by_provider(Level::Info, resource_, "Remounting");
    if (remounts_) {
        run_tool(run_, Command({"mount", "-o", "remount", name_}));
    } else {
        run_tool(run_, Command({"umount", name_}));
        run_tool(run_, Command({"mount", name_}));
    }
}

std::vector<Autorelation> Mount::autorelations() {
    std::vector<Autorelation> list;
    for (std::string at = name_; at.size() > 1 && at.starts_with('/');) {
        at = parent_of(at);
        list.push_back({Autorelation::Kind::Require, "Mount", at});
    }
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->type != "File" || !resource->instance) continue;
        const std::string place = resource->instance->place();
        if (place.starts_with(name_ + "/")) list.push_back({Autorelation::Kind::Before, "File", place});
    }
    return list;
}

/// The entries of the table, and what is mounted without one.
std::vector<std::unique_ptr<Resource>> mounts_found(Run&) {
    std::vector<std::string> names;
    for (const std::string& line : table_file_lines("/etc/fstab")) {
        if (const MountLine found = mount_line(line); found.entry) names.push_back(found.fields[1]);
    }
    for (std::string& place : mounted_places()) names.push_back(std::move(place));
    std::vector<std::unique_ptr<Resource>> found;
    std::set<std::string> known;
    for (const std::string& name : names) {
        if (known.insert(name).second) found.push_back(found_resource("mount", name));
    }
    return found;
}

constexpr std::array<Attribute, 11> mount_attributes = {
    {{"name", Kind::Namevar, "String", "Where it is mounted."},
     {"ensure", Kind::Property, "Enum[defined, present, unmounted, absent, mounted]",
      "In fstab and as it is (defined, present), in fstab and not mounted (unmounted), neither (absent), or "
      "both (mounted)."},
     takes_lists({"device", Kind::Property, "String", "What is mounted."}),
     takes_lists({"blockdevice", Kind::Property, "String", "The device to check, on Solaris."}),
     takes_lists({"fstype", Kind::Property, "String", "The kind of file system."}),
     takes_lists({"options", Kind::Property, "String", "Options, with commas between."}),
     takes_lists({"pass", Kind::Property, "Variant[Integer, String]", "In which turn it is checked."}),
     takes_lists({"atboot", Kind::Property, "Variant[Boolean, Enum[yes, no]]", "Without meaning on Linux."}),
     takes_lists({"dump", Kind::Property, "Variant[Integer, String]", "Whether it is dumped."}),
     {"target", Kind::Property, "String", "The table (/etc/fstab)."},
     {"remounts", Kind::Parameter, "Boolean", "Whether a refresh is mount -o remount."}}};

}  // namespace

const TypeSpec& mount_type() {
    static const TypeSpec spec{"mount",          "A file system that is mounted.", "parsed",
                               mount_attributes, make_instance_of<Mount>,          mounts_found};
    return spec;
}

}  // namespace volley::agent
