#include <array>
#include <charconv>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Where distributions have the programs, besides the usual folders.
constexpr std::array<std::string_view, 5> mysql_folders = {"/usr/libexec", "/usr/local/libexec",
                                                           "/usr/local/bin", "/usr/share/mysql/scripts",
                                                           "/opt/rh/rh-mysql57/root/usr/libexec"};

std::string mysql_tool(const std::string& name) {
    std::vector<std::string> folders = search_path();
    folders.insert(folders.end(), mysql_folders.begin(), mysql_folders.end());
    return find_program(name, folders).value_or("");
}

/// The folder with the data of a MySQL server, of the module mysql.
class MysqlDatadir final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "mysql"; }
    bool suitable() override { return !mysql_tool("mysqld").empty(); }
    std::string needs() const override { return "the command mysqld is not there"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override {
        if (ensure_.is_undef()) return {};
        return {want("ensure", ensure_)};
    }
    void sync(Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override {
        return {{Autorelation::Kind::Require, "Package", "mysql-server"}};
    }

private:
    void check(const char* name, const char* pattern, const char* shown) const;
    bool initializes_itself();

    std::string datadir_;
    Value ensure_;
};

void MysqlDatadir::check(const char* name, const char* pattern, const char* shown) const {
    const Value* value = resource_.find(name);
    if (value != nullptr && !Pattern(pattern).matches(value->to_text()))
        throw invalid_parameter(resource_, name, {}, shown);
}

void MysqlDatadir::prepare() {
    datadir_ = resource_.text("datadir", resource_.title);
    ensure_ = present_or_absent(resource_);
    check("basedir", "^/", "/^\\//");
    check("defaults_extra_file", "^/.*\\.cnf$", "/^\\/.*\\.cnf$/");
    check("log_error", "^/", "/^\\//");
}

Current MysqlDatadir::retrieve() {
    const std::string tables = datadir_ + "/mysql";
    Current current;
    current.set("ensure", is_directory(tables) && !names_in(tables).empty() ? present() : absent());
    return current;
}

/// Servers of MySQL and Percona from 5.7.6 on make their tables themselves.
bool MysqlDatadir::initializes_itself() {
    Command ask({mysql_tool("mysqld"), "--no-defaults", "-V"});
    ask.errors = Command::Errors::Dropped;
    const std::string text = try_tool(run_, std::move(ask)).output;
    static const Pattern number("(\\d+)\\.(\\d+)\\.(\\d+)"), mariadb("(?i:mariadb)");
    const auto found = number.groups(text);
    if (!found || mariadb.matches(text)) return false;
    std::array<int, 3> version{};
    for (std::size_t i = 0; i < version.size(); ++i) {
        const std::string_view part = (*found)[i + 1];
        std::from_chars(part.data(), part.data() + part.size(), version[i]);
    }
    return version >= std::array<int, 3>{5, 7, 6};
}

void MysqlDatadir::sync(Wanted&, const Value&) {
    if (ensure_ == absent()) throw SystemError("ERROR: `Resource` can not be removed.");
    std::vector<std::string> options;
    if (const std::string file = resource_.text("defaults_extra_file"); !file.empty()) {
        if (!file_exists(file)) throw SystemError("Defaults-extra-file " + file + " is missing.");
        options.push_back("--defaults-extra-file=" + file);
    }
    if (const std::string basedir = resource_.text("basedir"); !basedir.empty())
        options.push_back("--basedir=" + basedir);
    options.push_back("--datadir=" + datadir_);
    options.push_back("--user=" + resource_.text("user", "mysql"));
    const bool itself = initializes_itself();
    if (itself) {
        options.push_back("--log-error=" + resource_.text("log_error", "/var/tmp/mysqld_initialize.log"));
        // Compatibility: only a text turns it off.
        const Value* insecure = resource_.find("insecure");
        const bool secure = insecure != nullptr && insecure->is_text();
        options.emplace_back(secure ? "--initialize" : "--initialize-insecure");
    }
    const std::string program = itself ? mysql_tool("mysqld") : mysql_tool("mysql_install_db");
    if (program.empty()) throw ApplyError("Command mysql_install_db is missing");
    options.insert(options.begin(), program);
    run_tool(run_, Command(std::move(options)));
}

constexpr std::array<Attribute, 7> mysql_datadir_attributes = {
    {{"datadir", Kind::Namevar, "String", "The folder."},
     {"ensure", Kind::Property, "Enum[present]", "It can be made, not removed (present)."},
     {"basedir", Kind::Parameter, "String", "Where the server is installed."},
     {"user", Kind::Parameter, "String", "Whom the data belongs to (mysql)."},
     {"defaults_extra_file", Kind::Parameter, "String", "A file of settings."},
     {"insecure", Kind::Parameter, "Boolean", "Whether root gets no password (true)."},
     {"log_error", Kind::Parameter, "String", "Where mysqld writes its errors."}}};

}  // namespace

const TypeSpec& mysql_datadir_type() {
    static const TypeSpec spec{"mysql_datadir",
                               "The folder with the data of a MySQL server, of the module mysql.", "mysql",
                               mysql_datadir_attributes, make_instance_of<MysqlDatadir>};
    return spec;
}

}  // namespace volley::agent
