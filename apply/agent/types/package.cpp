#include <array>
#include <map>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr const char* query_format = "${Status} ${Package} ${Version}\\n";

/// What dpkg knows of a package.
struct Entry {
    std::string wanted, error, status, version;
    bool is_held() const { return wanted == "hold"; }
    Value ensure() const {
        if (status == "not-installed") return Value::symbol("purged");
        for (const char* part : {"config-files", "half-installed", "unpacked", "half-configured"}) {
            if (status == part) return absent();
        }
        return Value(version);
    }
};

/// All packages of the machine, asked for once. What is missing there, or has been changed since, is asked
/// for by name.
struct Packages {
    bool asked = false;
    std::map<std::string, Entry> entries;
};

std::optional<std::pair<std::string, Entry>> entry_from(const std::string& line) {
    const auto words = split(line, ' ');
    if (words.size() < 4) return std::nullopt;
    return std::pair(words[3], Entry{words[0], words[1], words[2], words.size() > 4 ? words[4] : ""});
}

/// A package of Debian, by apt-get and dpkg.
class Package final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return dpkg_only_ ? "dpkg" : "apt"; }
    bool suitable() override { return file_exists(dpkg_only_ ? "/usr/bin/dpkg" : "/usr/bin/apt-get"); }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    bool in_sync(Wanted& wanted, const Value& current) override;
    void sync(Wanted& wanted, const Value& current) override;
    void flush() override;
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::string shown_wanted(const Wanted& wanted) override;
    std::vector<Autorelation> autorelations() override;
    bool can_refresh() const override { return true; }

private:
    Entry query();
    std::string latest_version();
    void install(const std::string& version);
    void remove(bool purge);
    void hold(bool held);
    void preseed();
    void check_for_cdrom() const;
    bool fits(const std::string& version, const std::string& range);
    bool compares(const std::string& version, const std::string& relation, const std::string& other);
    std::string best_version(const std::string& range);
    std::vector<std::string> install_options() const;
    std::string tool(Command command);

    std::string name_, ensure_, mark_, latest_;
    bool dpkg_only_ = false;
    Entry entry_;
};

void Package::prepare() {
    name_ = resource_.text("name", resource_.title);
    const std::string given = resource_.text("provider", "apt");
    if (given != "apt" && given != "dpkg" && given != "aptitude")
        throw ApplyError(resource_.reference() + ": the agent has no provider '" + given +
                         "' for packages, only apt and dpkg");
    dpkg_only_ = given == "dpkg";
    ensure_ = resource_.text("ensure", "present");
    if (ensure_ == "installed") ensure_ = "present";
    if (ensure_ == "disabled")
        throw parameter_error(resource_, "ensure",
                              "Provider apt must have features 'disableable' to set 'ensure' to 'disabled'");
    mark_ = resource_.text("mark");
    if (!mark_.empty() && mark_ != "hold" && mark_ != "none")
        throw parameter_error(resource_, "mark",
                              "Invalid value " + Value(mark_).inspected() + ". Valid values are hold, none.");
    if (!mark_.empty() && (ensure_ == "absent" || ensure_ == "purged"))
        throw ApplyError(
            "Validation of " + resource_.reference() +
            " failed: You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", \"purged\"]");
    for (const auto& [attribute, feature] :
         {std::pair("enable_only", "disableable"), std::pair("flavor", "supports_flavors"),
          std::pair("package_settings", "package_settings"),
          std::pair("uninstall_options", "uninstall_options")})
        leave_unmanaged(run_, resource_, provider(), feature, attribute);
}

std::string Package::tool(Command command) {
    for (const auto& [name, value] :
         {std::pair("DEBIAN_FRONTEND", "noninteractive"), std::pair("APT_LISTBUGS_FRONTEND", "none"),
          std::pair("APT_LISTCHANGES_FRONTEND", "none")})
        command.environment.emplace_back(name, value);
    return run_tool(run_, std::move(command));
}

Entry Package::query() {
    auto& packages = run_.shared<Packages>();
    if (!packages.asked) {
        packages.asked = true;
        Command all({"/usr/bin/dpkg-query", "-W", "--showformat", query_format});
        all.only_stdout = true;
        for (const std::string& line : split(try_tool(run_, std::move(all)).output, '\n')) {
            if (auto found = entry_from(line)) packages.entries.insert(std::move(*found));
        }
    }
    Entry entry{"unknown", "ok", "not-installed", ""};
    if (const auto found = packages.entries.find(name_); found != packages.entries.end()) {
        entry = found->second;
    } else {
        Command one({"/usr/bin/dpkg-query", "-W", "--showformat", query_format, name_});
        one.only_stdout = true;
        const Finished done = try_tool(run_, std::move(one));
        if (done.exit_code == 0) {
            if (auto parsed = entry_from(done.output)) entry = std::move(parsed->second);
        }
    }
    if (entry.error != "ok")
        throw ApplyError("Package " + name_ + ", version " + entry.version +
                         " is in error state: " + entry.error);
    return entry;
}

Current Package::retrieve() {
    entry_ = query();
    Current current;
    current.set("ensure", entry_.ensure());
    if (!mark_.empty()) current.set("mark", Value::symbol(entry_.is_held() ? "hold" : "none"));
    return current;
}

std::vector<Wanted> Package::wanted() {
    std::string event;
    if (ensure_ == "present") event = "package_installed";
    if (ensure_ == "absent") event = "package_removed";
    if (ensure_ == "purged") event = "package_purged";
    const bool word = !event.empty() || ensure_ == "latest";
    std::vector<Wanted> list{want("ensure", word ? Value::symbol(ensure_) : Value(ensure_), false, event)};
    if (!mark_.empty()) list.push_back(want("mark", Value::symbol(mark_)));
    return list;
}

bool Package::compares(const std::string& version, const std::string& relation, const std::string& other) {
    return try_tool(run_, Command({"/usr/bin/dpkg", "--compare-versions", version, relation, other}))
               .exit_code == 0;
}

/// ">=1.0 <2.0": at most two comparisons.
bool Package::fits(const std::string& version, const std::string& range) {
    for (const std::string& part : split(range, ' ')) {
        if (part.empty()) continue;
        const std::size_t end = std::min(part.find_first_not_of("<>="), part.size());
        const std::string sign = part.substr(0, end);
        const char* relation = sign.empty()   ? "eq"
                               : sign == ">"  ? "gt"
                               : sign == ">=" ? "ge"
                               : sign == "<"  ? "lt"
                               : sign == "<=" ? "le"
                                              : nullptr;
        if (relation == nullptr || !compares(version, relation, part.substr(end))) return false;
    }
    return true;
}

std::string Package::best_version(const std::string& range) {
    std::string best;
    for (const std::string& line : split(tool(Command({"/usr/bin/apt-cache", "madison", name_})), '\n')) {
        const auto parts = split(line, '|');
        if (parts.size() < 2) continue;
        const std::string version(trim(parts[1]));
        if (fits(version, range) && (best.empty() || compares(version, "gt", best))) best = version;
    }
    return best.empty() ? range : best;
}

std::string Package::latest_version() {
    if (dpkg_only_) {
        const std::string source = resource_.text("source");
        if (source.empty())
            throw ApplyError("Could not update: You cannot install dpkg packages without a source");
        const auto parts = split(tool(Command({"/usr/bin/dpkg-deb", "--show", source})), '\t');
        return parts.size() > 1 ? parts[1] : "";
    }
    for (const std::string& line : split(tool(Command({"/usr/bin/apt-cache", "policy", name_})), '\n')) {
        const std::string_view text = trim(line);
        if (text.starts_with("Candidate:")) return std::string(trim(text.substr(10)));
    }
    run_.log_by_provider(Level::Err, resource_, "Could not find latest version");
    return {};
}

bool Package::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "mark") return current == wanted.value;
    const bool gone = current == absent() || current == Value::symbol("purged");
    if (ensure_ == "present") return !gone;
    if (ensure_ == "absent") return gone;
    if (ensure_ == "purged") return current == wanted.value;
    if (gone) return false;
    if (ensure_ == "latest") {
        try {
            latest_ = latest_version();
        } catch (const ApplyError& error) {
            throw ApplyError(std::string("Could not get latest version: ") + error.what());
        }
        return current.to_text() == latest_;
    }
    return current == wanted.value || (!dpkg_only_ && fits(current.to_text(), ensure_));
}

std::string Package::shown_wanted(const Wanted& wanted) {
    return wanted.name == "ensure" && !latest_.empty() ? puppet_quoted(latest_) : wanted.value.shown();
}

std::string Package::change_text(const Wanted& wanted, const Value& current) {
    if (wanted.name == "mark") return Instance::change_text(wanted, current);
    if (ensure_ == "purged") return "purged";
    const bool gone = current == absent() || current == Value::symbol("purged");
    if (gone && ensure_ != "absent") return "created";
    return Instance::change_text(wanted, current);
}

void Package::check_for_cdrom() const {
    if (resource_.text("allowcdrom") == "true" || !file_exists("/etc/apt/sources.list")) return;
    for (const std::string& line : split(read_whole("/etc/apt/sources.list"), '\n')) {
        if (line.find("cdrom:") != std::string::npos && line.find('#') > line.find("cdrom:"))
            throw ApplyError(
                "/etc/apt/sources.list contains a cdrom source; not installing.  Use 'allowcdrom' to "
                "override this failure.");
    }
}

std::vector<std::string> Package::install_options() const {
    std::vector<std::string> words;
    const auto add = [&](const Value& value) {
        if (!value.is(Value::Kind::Hash)) {
            words.push_back(value.to_text());
            return;
        }
        std::map<std::string, std::string> sorted;
        for (const auto& [key, item] : value.pairs()) sorted[key.to_text()] = item.to_text();
        for (const auto& [key, item] : sorted) words.push_back(key + "=" + item);
    };
    const Value* options = resource_.find("install_options");
    if (options == nullptr) return words;
    if (options->is(Value::Kind::Array)) {
        for (const Value& item : options->items()) add(item);
    } else {
        add(*options);
    }
    return words;
}

void Package::preseed() {
    const std::string file = resource_.text("responsefile");
    if (file.empty()) return;
    if (!file_exists(file)) {
        run_.log_by_provider(Level::Info, resource_,
                             "No responsefile specified or non existent, not preseeding anything");
        return;
    }
    run_.log_by_provider(Level::Info, resource_, "Preseeding " + file + " to debconf-set-selections");
    tool(Command({"/usr/bin/debconf-set-selections", file}));
}

void Package::hold(bool held) {
    Command command({"dpkg", "--set-selections"});
    command.input = name_ + (held ? " hold\n" : " install\n");
    try_tool(run_, std::move(command));
}

void Package::install(const std::string& version) {
    const std::string source = resource_.text("source");
    const bool keep = resource_.text("configfiles", "keep") == "keep";
    if (dpkg_only_ && source.empty()) throw ApplyError("You cannot install dpkg packages without a source");
    if (entry_.is_held()) hold(false);
    const auto finish = [this] {
        if (mark_ == "hold") hold(true);
    };
    try {
        if (dpkg_only_) {
            tool(Command({"/usr/bin/dpkg", keep ? "--force-confold" : "--force-confnew", "-i", source}));
        } else {
            preseed();
            check_for_cdrom();
            Command command({"/usr/bin/apt-get", "-q", "-y", "-o",
                             std::string("DPkg::Options::=--force-conf") + (keep ? "old" : "new")});
            if (!version.empty()) command.argv.emplace_back("--force-yes");
            for (std::string& word : install_options()) command.argv.push_back(std::move(word));
            command.argv.emplace_back("install");
            command.argv.push_back(!source.empty()   ? source
                                   : version.empty() ? name_
                                                     : name_ + "=" + version);
            tool(std::move(command));
        }
    } catch (...) {
        finish();
        throw;
    }
    finish();
}

void Package::remove(bool purge) {
    if (dpkg_only_) {
        tool(Command({"/usr/bin/dpkg", purge ? "--purge" : "-r", name_}));
        return;
    }
    preseed();
    Command command({"/usr/bin/apt-get", "-y", "-q"});
    if (entry_.is_held()) command.argv.emplace_back("--allow-change-held-packages");
    command.argv.emplace_back("remove");
    if (purge) command.argv.emplace_back("--purge");
    command.argv.push_back(name_);
    tool(std::move(command));
    if (purge) tool(Command({"/usr/bin/dpkg", "--purge", name_}));
}

void Package::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "mark") return hold(mark_ == "hold");
    if (ensure_ == "absent" || ensure_ == "purged") return remove(ensure_ == "purged");
    if (ensure_ == "present") return install("");
    try {
        if (ensure_ == "latest")
            install("");
        else
            install(ensure_.find_first_of("<> ") == std::string::npos ? ensure_ : best_version(ensure_));
    } catch (const ApplyError& error) {
        throw ApplyError(std::string("Could not update: ") + error.what());
    }
}

void Package::flush() {
    run_.shared<Packages>().entries.erase(name_);
    if (!dpkg_only_ && ensure_ != "absent" && ensure_ != "purged")
        tool(Command({"/usr/bin/apt-mark", "manual", name_}));
}

std::vector<Autorelation> Package::autorelations() {
    std::vector<Autorelation> list;
    for (const char* name : {"responsefile", "adminfile", "source"}) {
        const std::string path = resource_.text(name);
        if (path.starts_with('/')) list.push_back({Autorelation::Kind::Require, "File", path});
    }
    return list;
}

constexpr std::array<Attribute, 23> package_attributes = {
    {{"name", Kind::Namevar, "The name of the package."},
     {"ensure", Kind::Property,
      "present, absent, purged, latest, a version, or a range such as \">=1.0 <2.0\"."},
     {"mark", Kind::Property, "hold or none."},
     {"source", Kind::Parameter, "A file with the package."},
     {"install_options", Kind::Parameter, "Options of apt-get for installing."},
     {"responsefile", Kind::Parameter, "Answers for debconf."},
     {"configfiles", Kind::Parameter, "Whether configuration files stay: keep, replace."},
     {"allowcdrom", Kind::Parameter, "Whether packages may come from a CD."},
     {"allow_virtual", Kind::Parameter, "Taken for compatibility."},
     {"reinstall_on_refresh", Kind::Parameter, "Without meaning for apt."},
     {"adminfile", Kind::Parameter, "Of Solaris."},
     {"category", Kind::Parameter, "Read only."},
     {"command", Kind::Parameter, "Without meaning for apt."},
     {"description", Kind::Parameter, "Read only."},
     {"enable_only", Kind::Parameter, "Of dnf."},
     {"flavor", Kind::Property, "Of dnf and OpenBSD."},
     {"instance", Kind::Parameter, "Read only."},
     {"package_settings", Kind::Property, "Of FreeBSD."},
     {"platform", Kind::Parameter, "Read only."},
     {"root", Kind::Parameter, "Read only."},
     {"status", Kind::Parameter, "Read only."},
     {"uninstall_options", Kind::Parameter, "Of Windows and pkgin."},
     {"vendor", Kind::Parameter, "Read only."}}};

}  // namespace

const TypeSpec& package_type() {
    static const TypeSpec spec{"package", "A package of Debian, by apt and dpkg.", package_attributes,
                               make_instance_of<Package>};
    return spec;
}

}  // namespace volley::agent
