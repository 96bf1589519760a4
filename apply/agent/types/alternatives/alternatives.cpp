#include <array>

#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Which of several programs a name stands for, of puppet-alternatives.
class Alternatives final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "dpkg"; }
    bool suitable() override { return has_tool("update-alternatives"); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override {
        if (resource_.find("path") == nullptr) return {};
        return {{Autorelation::Kind::Require, "Alternative_entry", resource_.text("path")}};
    }

private:
    std::string update(std::vector<std::string> words) {
        words.insert(words.begin(), "update-alternatives");
        return run_tool(run_, Command(std::move(words)));
    }
    std::optional<std::string> selected();
    std::string mode();

    std::string name_;
};

void Alternatives::prepare() {
    name_ = resource_.text("name", resource_.title);
    const Value* path = resource_.find("path");
    if (path != nullptr && !is_absolute_path(run_, *path))
        throw parameter_error(resource_, "path", "path must be a fully qualified path");
    word_parameter(resource_, "mode", "auto, manual");
}

std::optional<std::string> Alternatives::selected() {
    for (const std::string& line : split(update({"--get-selections"}), '\n')) {
        const auto words = blank_words(line);
        if (words.size() > 2 && words[0] == name_) return words[2];
    }
    return std::nullopt;
}

std::string Alternatives::mode() {
    const std::string text = update({"--display", name_});
    const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
    for (const char* word : {"auto", "manual"}) {
        if (first.find(std::string(word) + " mode") != std::string_view::npos) return word;
    }
    throw ApplyError("Could not determine if " + resource_.reference() +
                     "(provider=dpkg) is in auto or manual mode");
}

Current Alternatives::retrieve() {
    Current current;
    if (reads("path")) {
        const auto path = selected();
        current.set("path", path ? Value(*path) : Value());
    }
    if (reads("mode")) current.set("mode", Value(mode()));
    return current;
}

std::vector<Wanted> Alternatives::wanted() {
    std::vector<Wanted> list;
    if (const Value* path = resource_.find("path")) list.push_back(want("path", *path));
    if (resource_.find("mode") != nullptr)
        list.push_back(want("mode", Value::symbol(resource_.text("mode"))));
    return list;
}

void Alternatives::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "path")
        update({"--set", name_, resource_.text("path")});
    else if (resource_.text("mode") == "auto")
        update({"--auto", name_});
    else
        update({"--set", name_, selected().value_or("")});
}

std::vector<std::unique_ptr<Resource>> alternatives_found(Run& run) {
    std::vector<std::unique_ptr<Resource>> found;
    if (!has_tool("update-alternatives")) return found;
    for (const std::string& line :
         split(run_tool(run, Command({"update-alternatives", "--get-selections"})), '\n')) {
        if (const auto words = blank_words(line); words.size() > 2)
            found.push_back(found_resource("alternatives", words[0]));
    }
    return found;
}

constexpr std::array<Attribute, 3> alternatives_attributes = {
    {{"name", Kind::Namevar, "String", "The name of the group, such as editor."},
     {"path", Kind::Property, "String", "What the name stands for."},
     {"mode", Kind::Property, "Enum[auto, manual]",
      "Whether the program with the highest priority counts, or path."}}};

}  // namespace

const TypeSpec& alternatives_type() {
    static const TypeSpec spec{"alternatives",
                               "Which of several programs a name stands for, of the module alternatives.",
                               "dpkg",
                               alternatives_attributes,
                               make_instance_of<Alternatives>,
                               alternatives_found,
                               false};
    return spec;
}

}  // namespace volley::agent
