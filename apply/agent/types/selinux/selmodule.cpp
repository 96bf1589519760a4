#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr const char* tool = "/usr/sbin/semodule";

/// The modules of the policy that are loaded, with their versions. Listing them takes seconds, so that the
/// list counts until something has changed on the machine.
struct LoadedModules {
    bool asked = false;
    std::map<std::string, std::string> versions;
};

/// Reads what a policy package consists of: numbers of four bytes, the lowest first, and texts after their
/// length.
class PackageReader {
public:
    PackageReader(std::string bytes, std::string path) : bytes_(std::move(bytes)), path_(std::move(path)) {}

    std::uint32_t number() {
        const std::string_view four = take(4);
        std::uint32_t value = 0;
        for (std::size_t i = 4; i-- > 0;) value = (value << 8U) | static_cast<unsigned char>(four[i]);
        return value;
    }
    std::string_view text() { return take(number()); }
    std::string_view take(std::size_t count) {
        if (count > bytes_.size() - at_) throw ApplyError("The policy file " + path_ + " ends too early");
        at_ += count;
        return std::string_view(bytes_).substr(at_ - count, count);
    }

private:
    std::string bytes_, path_;
    std::size_t at_ = 0;
};

std::string version_in(const std::string& path) {
    constexpr std::uint32_t magic = 0xF97CFF8F;
    PackageReader package(read_whole(path, 64U << 20U), path);
    const std::uint32_t head = package.number(), format = package.number(), sections = package.number();
    if (head != magic)
        throw ApplyError("Found " + std::to_string(head) + " instead of magic " + std::to_string(magic) +
                         " in " + path);
    if (format != 1)
        throw ApplyError("Unknown policy file version " + std::to_string(format) + " in " + path);
    package.take((std::size_t{sections} + 1) * 4);  // where sections begin, and the magic of the first
    package.text();                                 // "SE Linux Module"
    package.text();
    package.take(14);
    package.text();  // its name
    return std::string(package.text());
}

/// A module of the SELinux policy.
class SelModule final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "semodule"; }
    bool suitable() override { return file_exists(tool); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override {
        return {{Autorelation::Kind::Require, "File", file_}};
    }

private:
    const LoadedModules& loaded();

    std::string name_, file_;
    Value ensure_;
};

void SelModule::prepare() {
    name_ = resource_.text("name", resource_.title);
    file_ = resource_.text(
        "selmodulepath", resource_.text("selmoduledir", "/usr/share/selinux/targeted") + "/" + name_ + ".pp");
    ensure_ = present_or_absent(resource_);
    true_or_false(resource_, "syncversion", false);
}

const LoadedModules& SelModule::loaded() {
    LoadedModules& known = run_.shared<LoadedModules>();
    if (known.asked && run_.is_untouched()) return known;
    const Finished done = try_tool(run_, Command({tool, "--list"}));
    if (done.exit_code != 0)
        throw ApplyError("Could not list policy modules: \"" + std::string(tool) +
                         " --list\" failed with \"" + join(split(done.output, '\n'), " ") + "\"");
    known.asked = true;
    known.versions.clear();
    for (const std::string& line : split(done.output, '\n')) {
        const auto words = blank_words(line);
        if (!words.empty()) known.versions[words[0]] = words.size() > 1 ? words[1] : "";
    }
    return known;
}

Current SelModule::retrieve() {
    const auto& versions = loaded().versions;
    const auto own = versions.find(name_);
    Current current;
    current.set("ensure", own != versions.end() ? present() : absent());
    if (resource_.find("syncversion") == nullptr) return current;
    const bool same = own != versions.end() && version_in(file_) == own->second;
    current.set("syncversion", own == versions.end() ? absent() : Value::symbol(same ? "true" : "false"));
    return current;
}

std::vector<Wanted> SelModule::wanted() {
    std::vector<Wanted> list;
    if (!ensure_.is_undef()) list.push_back(want("ensure", ensure_));
    if (resource_.find("syncversion") != nullptr)
        list.push_back(want("syncversion", Value::symbol(resource_.text("syncversion"))));
    return list;
}

void SelModule::sync(Wanted& wanted, const Value&) {
    const bool version = wanted.name != "ensure", remove = !version && ensure_ == absent();
    Command command({tool,
                     version  ? "--upgrade"
                     : remove ? "--remove"
                              : "--install",
                     remove ? name_ : file_});
    try {
        run_tool(run_, std::move(command));
    } catch (const ApplyError& error) {
        throw ApplyError("Could not " +
                         std::string(version  ? "upgrade"
                                     : remove ? "remove"
                                              : "load") +
                         " policy module: " + error.what());
    }
}

constexpr std::array<Attribute, 5> selmodule_attributes = {
    {{"name", Kind::Namevar, "String", "Its name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should be loaded."},
     {"selmoduledir", Kind::Parameter, "String", "The folder with NAME.pp (/usr/share/selinux/targeted)."},
     {"selmodulepath", Kind::Parameter, "String", "The file, where it is another one."},
     {"syncversion", Kind::Property, "Boolean",
      "Whether it is loaded again when its version differs from the file's."}}};

}  // namespace

const TypeSpec& selmodule_type() {
    static const TypeSpec spec{"selmodule", "A module of the SELinux policy.", "semodule",
                               selmodule_attributes, make_instance_of<SelModule>};
    return spec;
}

}  // namespace volley::agent
