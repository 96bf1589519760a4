#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/archive/extraction.hpp"
#include "apply/agent/types/file/file_source.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr std::string_view archive_checksums = "none, md5, sha1, sha2, sha256, sha384, sha512";
constexpr std::array<std::string_view, 8> schemes = {
    "http:", "https:", "ftp:", "file:", "s3:", "gs:", "puppet:", "sftp:"};

bool is_url(std::string_view text) {
    return std::any_of(schemes.begin(), schemes.end(), [&](std::string_view scheme) {
        const std::size_t at = text.find(scheme);
        return at != std::string_view::npos && at + scheme.size() < text.size();
    });
}

/// A file that is fetched and unpacked, of puppet-archive.
class Archive final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return provider_; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override;
    void sync(Wanted& wanted, const Value& current) override;
    std::string change_text(const Wanted& wanted, const Value& current) override;
    std::string shown_current(const Wanted& wanted, const Value& value) override;
    std::string shown_wanted(const Wanted& wanted) override;
    std::vector<Autorelation> autorelations() override;

private:
    void absolute(std::string_view name, const std::string& words) const;
    std::string place(std::string_view name, const std::string& words) const;
    void read_checksum();
    void refuse_what_is_not_had() const;

    bool is_extracted() const { return !creates_.empty() && file_exists(creates_); }
    bool is_as_wanted();
    std::string checksum_of_file(const std::string& path) const;
    const std::string& wanted_checksum();
    void create();
    void remove() const;
    void transfer();
    void read_place(const std::string& place, const std::function<void(std::string_view)>& take) const;
    void extract() const;
    void clean_up() const;

    std::string path_, source_, extract_path_, creates_, provider_;
    std::string checksum_, checksum_url_, checksum_type_ = "none", found_checksum_;
    bool extract_ = false, cleanup_ = true, verify_ = true, asked_checksum_ = false;
    Value ensure_;
};

void Archive::absolute(std::string_view name, const std::string& words) const {
    const Value* value = resource_.find(name);
    if (value != nullptr && !is_absolute_path(run_, *value))
        throw parameter_error(resource_, name, words + interpolated(*value));
}

/// A URL or an absolute path; nothing where it is not given.
std::string Archive::place(std::string_view name, const std::string& words) const {
    const Value* value = resource_.find(name);
    if (value == nullptr) return {};
    if (value->is(Value::Kind::String) && is_url(value->text())) return value->text();
    if (!is_absolute_path(run_, *value)) throw parameter_error(resource_, name, words + interpolated(*value));
    return value->text();
}

void Archive::prepare() {
    absolute("path", "archive path must be absolute: ");
    path_ = resource_.text("path", resource_.title);
    if (!path_.starts_with('/'))
        throw parameter_error(resource_, "path", "archive path must be absolute: " + path_);
    ensure_ = Value::symbol(word_parameter(resource_, "ensure", "present, absent", "present"));
    extract_ = true_or_false(resource_, "extract", false);
    cleanup_ = true_or_false(resource_, "cleanup", true);
    absolute("extract_path", "archive extract_path must be absolute: ");
    absolute("target", "archive extract_path must be absolute: ");
    absolute("temp_dir", "Invalid temp_dir ");
    extract_path_ = resource_.text("target", resource_.text("extract_path"));
    creates_ = resource_.text("creates");
    for (const char* name : {"source", "url"}) {
        const std::string given = place(name, "invalid source url: ");
        if (!given.empty()) source_ = given;
    }
    read_checksum();
    boolean_parameter(resource_, "allow_insecure", false);
    word_parameter(resource_, "proxy_type", "none, ftp, http, https");
    provider_ = resource_.text("provider", has_tool("curl") ? "curl" : has_tool("wget") ? "wget" : "ruby");
    refuse_what_is_not_had();
}

void Archive::read_checksum() {
    for (const char* name : {"checksum_type", "digest_type"})
        checksum_type_ = word_parameter(resource_, name, archive_checksums, checksum_type_);
    verify_ = true_or_false(resource_, "checksum_verify", true);
    for (const char* name : {"checksum", "digest_string"}) {
        const Value* value = resource_.find(name);
        if (value == nullptr) continue;
        const std::string text = value->to_text();
        const bool either = text == "true" || text == "false";
        if (name[0] == 'c' && (either || text.empty() || text == "undef")) {
            if (either && resource_.find("checksum_verify") == nullptr) verify_ = text == "true";
            continue;
        }
        if (!holds_checksum(text))
            throw invalid_parameter(resource_, name, name[0] == 'c' ? "true, false, undef, , " : "",
                                    "/\\b[0-9a-f]{5,128}\\b/");
        checksum_ = text;
    }
    checksum_url_ = place("checksum_url", "invalid checksum url: ");
    const std::string digest_url = place("digest_url", "invalid digest url: ");
    if (!digest_url.empty()) checksum_url_ = digest_url;
}

/// What neither the agent nor whoever sent it can fetch.
void Archive::refuse_what_is_not_had() const {
    for (const std::string& place : {source_, checksum_url_}) {
        for (const char* scheme : {"ftp:", "s3:", "gs:", "sftp:"}) {
            if (place.starts_with(scheme))
                throw ApplyError(resource_.reference() + ": the agent has no sources of the kind " + scheme +
                                 "//; those of the kinds https, http, file and puppet it has");
        }
    }
    const bool web = source_.starts_with("http") || checksum_url_.starts_with("http");
    if (web && run_.contents == nullptr)
        throw ApplyError(resource_.reference() +
                         ": sources on web servers need a Volley that fetches them; the agent was started by "
                         "hand");
}

std::string Archive::checksum_of_file(const std::string& path) const {
    const std::string type = checksum_type_ == "sha2" ? "sha256" : checksum_type_;
    const auto digest = make_digest(type);
    read_pieces(path, [&](std::string_view piece) { digest->add(piece); });
    return digest->finish();
}

const std::string& Archive::wanted_checksum() {
    if (checksum_.empty() && !checksum_url_.empty() && !asked_checksum_) {
        asked_checksum_ = true;
        std::string text;
        read_place(checksum_url_, [&](std::string_view piece) {
            text += piece;
            if (text.size() > (std::size_t{16} << 20U))
                throw ApplyError("The file of the checksum is larger than 16 MiB");
        });
        checksum_ = checksum_in(text).value_or("");
    }
    return checksum_;
}

bool Archive::is_as_wanted() {
    if (!file_exists(path_)) return false;
    if (checksum_type_ == "none") return true;
    found_checksum_ = checksum_of_file(path_);
    return wanted_checksum() == found_checksum_;
}

Current Archive::retrieve() {
    found_checksum_.clear();
    // Ruby asks for a file of that name, whatever it is.
    const std::vector<Value> made = each_value(resource_, "creates");
    if (!made.empty() && !made[0].is(Value::Kind::String)) throw ApplyError(not_a_text(made[0]));
    const bool there = is_extracted() && !file_exists(path_) ? true : is_as_wanted();
    Current current;
    current.set("ensure", there ? present() : absent());
    if (creates_.empty()) return current;
    const bool pending = extract_ && !is_extracted();
    current.set("creates",
                !there ? absent() : Value(pending ? std::string("archive not extracted") : creates_));
    return current;
}

std::vector<Wanted> Archive::wanted() {
    std::vector<Wanted> list;
    list.push_back(want("ensure", ensure_));
    if (!creates_.empty()) list.push_back(want("creates", Value(creates_), is_sensitive("creates")));
    return list;
}

void Archive::sync(Wanted& wanted, const Value&) {
    if (wanted.name == "creates")
        extract();
    else if (ensure_ == absent())
        remove();
    else
        create();
}

void Archive::create() {
    if (!is_as_wanted()) transfer();
    try {
        extract();
    } catch (const std::runtime_error&) {
        clean_up();
        throw;
    }
    clean_up();
}

void Archive::remove() const {
    if (file_exists(path_)) remove_file(path_);
}

void Archive::clean_up() const {
    if (cleanup_ && extract_) remove();
}

void Archive::read_place(const std::string& place, const std::function<void(std::string_view)>& take) const {
    if (place.starts_with("http:") || place.starts_with("https:")) {
        run_.contents->fetch(resource_.type + "[" + resource_.title + "] " + place, take);
    } else if (place.starts_with("puppet:")) {
        FileSource source({place}, run_);
        if (source.facts("sha256", true).kind != FileKind::File)
            throw ApplyError("The source " + place + " is not a file");
        source.read(take);
    } else if (const auto path = local_path(place)) {
        read_pieces(*path, take);
    } else {
        if (!file_exists(place)) throw ApplyError("Source file: " + place + " does not exists.");
        read_pieces(place, take);
    }
}

/// The file takes the place of an older one when it is complete, and has the checksum that it should have.
void Archive::transfer() {
    if (source_.empty()) throw ApplyError("Unable to fetch archive, the source parameter is nil.");
    const std::string folder = resource_.text("temp_dir");
    if (!folder.empty() && !is_directory(folder))
        throw ApplyError("Temporary directory " + folder + " doesn't exist");
    const mode_t mask = ::umask(0);
    ::umask(mask);
    unsigned mode = 0666;
    const auto local = local_path(source_);
    if (const auto stat = file_stat(local ? *local : source_, true); stat && (local || source_[0] == '/'))
        mode = stat->mode & 0777U;
    mode &= ~static_cast<unsigned>(mask);
    const bool is_new_folder = !is_directory(parent_of(path_));
    if (is_new_folder) make_folders(parent_of(path_), 0777U & ~static_cast<unsigned>(mask));
    ReplacedFile file(path_, "", mode);
    read_place(source_, [&](std::string_view piece) { file.write(piece); });
    file.complete();
    if (verify_ && checksum_type_ != "none") {
        const std::string actual = checksum_of_file(file.temporary_path());
        if (actual != wanted_checksum()) {
            remove();
            throw ApplyError("Download file checksum mismatch (expected: " + checksum_ +
                             " actual: " + actual + ")");
        }
    }
    file.put_into_place();
    // The owner and the mode of an older file were taken over, which an archive does not keep.
    if (::chown(path_.c_str(), ::geteuid(), ::getegid()) != 0 || ::chmod(path_.c_str(), mode) != 0)
        throw SystemError(errno, path_);
}

void Archive::extract() const {
    if (!extract_) return;
    if (extract_path_.empty()) throw SystemError("missing archive extract_path");
    if (!is_directory(extract_path_))
        throw SystemError("Working directory " + extract_path_ + " does not exist!");
    Extraction wanted;
    wanted.command = resource_.text("extract_command");
    if (const Value* flags = resource_.find("extract_flags")) wanted.flags = *flags;
    const std::string line = extraction_line(path_, wanted);
    Command command(command_words(line));
    command.directory = extract_path_;
    command.user = resource_.text("user");
    command.group = resource_.text("group");
    if (run_.logs(Level::Debug))
        run_.log(Level::Debug, "Archive extracting " + path_ + " in " + extract_path_ + ": " + line);
    if ((!command.user.empty() || !command.group.empty()) && ::chmod(path_.c_str(), 0644) != 0)
        throw SystemError(errno, path_);
    const Finished done = run(command);
    if (done.exit_code != 0)
        throw ApplyError("Execution of '" + line + "' returned " + std::to_string(done.exit_code) + ": " +
                         std::string(trim(done.output)));
}

std::string Archive::change_text(const Wanted& wanted, const Value& current) {
    if (wanted.name != "ensure") return Instance::change_text(wanted, current);
    if (ensure_ == absent()) return "remove archive: " + path_ + " ";
    if (!found_checksum_.empty())
        return "replace archive: " + path_ + " from " + shown_current(wanted, current) + " to " +
               shown_wanted(wanted);
    return "download archive from " + source_ + " to " + path_ + " " +
           (extract_ ? "and extracted in " + extract_path_ : "") + " " +
           (cleanup_ ? "with cleanup" : "without cleanup");
}

std::string Archive::shown_current(const Wanted& wanted, const Value& value) {
    if (wanted.name == "ensure" && !found_checksum_.empty())
        return "(" + checksum_type_ + ")" + found_checksum_;
    return Instance::shown_current(wanted, value);
}

std::string Archive::shown_wanted(const Wanted& wanted) {
    if (wanted.name == "creates") return "extracting in " + extract_path_ + " to create " + creates_;
    if (!found_checksum_.empty()) return "(" + checksum_type_ + ")" + checksum_;
    return Instance::shown_wanted(wanted);
}

std::vector<Autorelation> Archive::autorelations() {
    std::vector<Autorelation> list = {{Autorelation::Kind::Require, "File", parent_of(path_)}};
    if (!extract_path_.empty()) list.push_back({Autorelation::Kind::Require, "File", extract_path_});
    for (const char* file : {"/root/.aws/config", "/root/.aws/credentials"})
        list.push_back({Autorelation::Kind::Require, "File", file});
    for (const char* exec : {"install_aws_cli", "install_gsutil"})
        list.push_back({Autorelation::Kind::Require, "Exec", exec});
    return list;
}

constexpr std::array<Attribute, 29> archive_attributes = {
    {{"path", Kind::Namevar, "String", "Where the archive goes."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether it should exist (present)."},
     {"creates", Kind::Property, "String",
      "A file that unpacking makes: with it nothing is fetched or unpacked."},
     {"filename", Kind::Parameter, "String", "The name of the file; it follows from the path."},
     {"extract", Kind::Parameter, "Boolean", "Whether it is unpacked (false)."},
     {"extract_path", Kind::Parameter, "String", "The folder in which it is unpacked."},
     {"target", Kind::Parameter, "String", "The same as extract_path."},
     {"extract_command", Kind::Parameter, "String", "What unpacks it, with %s for the file."},
     {"extract_flags", Kind::Parameter, "Variant[String, Hash]",
      "Flags of what unpacks it: a text, or a map by programs."},
     {"temp_dir", Kind::Parameter, "String", "A folder that has to be there."},
     {"cleanup", Kind::Parameter, "Boolean", "Whether the archive goes when it has been unpacked (true)."},
     {"source", Kind::Parameter, "String", "A path, or a URL: https, http, file or puppet."},
     {"url", Kind::Parameter, "String", "The same as source."},
     {"cookie", Kind::Parameter, "String", "A cookie for the server.", true},
     {"headers", Kind::Parameter, "Array[String]", "Headers for the server, as a list.", true},
     {"checksum", Kind::Parameter, "Variant[Boolean, String]",
      "The checksum, or whether there is one to be compared."},
     {"digest_string", Kind::Parameter, "String", "The same as checksum."},
     {"checksum_url", Kind::Parameter, "String", "Where a text with the checksum is."},
     {"digest_url", Kind::Parameter, "String", "The same as checksum_url."},
     {"checksum_type", Kind::Parameter, "Enum[none, md5, sha1, sha2, sha256, sha384, sha512]",
      "The kind of the checksum (none)."},
     {"digest_type", Kind::Parameter, "Enum[none, md5, sha1, sha2, sha256, sha384, sha512]",
      "The same as checksum_type."},
     {"checksum_verify", Kind::Parameter, "Boolean", "Whether what was fetched is compared (true)."},
     {"username", Kind::Parameter, "String", "For the server."},
     {"password", Kind::Parameter, "String", "For the server.", true},
     {"user", Kind::Parameter, "Variant[String, Integer]", "As whom it is unpacked."},
     {"group", Kind::Parameter, "Variant[String, Integer]", "In which group it is unpacked."},
     {"proxy_type", Kind::Parameter, "Enum[none, ftp, http, https]", "The kind of the proxy."},
     {"proxy_server", Kind::Parameter, "String", "The proxy through which Volley fetches it."},
     {"allow_insecure", Kind::Parameter, "Boolean",
      "Whether certificates of servers count that nobody has signed (false)."}}};

}  // namespace

const TypeSpec& archive_type() {
    static const TypeSpec spec{"archive", "A file that is fetched and unpacked, of the module archive.",
                               "curl wget ruby", archive_attributes, make_instance_of<Archive>};
    return spec;
}

}  // namespace volley::agent
