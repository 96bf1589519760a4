#include "planner/apply/agentless/config_types.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// The lines of Ruby that mean something, without blanks around them.
std::vector<std::string> ruby_lines(std::string_view source) {
    std::vector<std::string> lines;
    for (const std::string& line : split(source, '\n')) {
        const std::string_view text = trim(line);
        if (!text.empty() && text[0] != '#') lines.emplace_back(text);
    }
    return lines;
}

/// Reads a source from its begin to its end; what it does not expect makes it fail.
class Reader {
public:
    explicit Reader(std::string text) : text_(std::move(text)) {}

    bool accept(std::string_view expected) {
        if (text_.compare(at_, expected.size(), expected) != 0) return false;
        at_ += expected.size();
        return true;
    }
    std::optional<std::string> word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
            ++at_;
        return at_ > begin ? std::optional(text_.substr(begin, at_ - begin)) : std::nullopt;
    }
    /// A text in quotes, without anything that Ruby would replace.
    std::optional<std::string> literal() {
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') return std::nullopt;
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string::npos) return std::nullopt;
        std::string found = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        const bool plain = found.find_first_of("\\#") == std::string::npos;
        return plain ? std::optional(std::move(found)) : std::nullopt;
    }
    bool at_end() const { return at_ == text_.size(); }

private:
    std::string text_;
    std::size_t at_ = 0;
};

/// A provider that only says which file it is about.
bool read_provider(std::string_view name, std::string_view source, Json& facts) {
    std::string compact;
    for (const std::string& line : ruby_lines(source)) {
        std::copy_if(line.begin(), line.end(), std::back_inserter(compact),
                     [](char c) { return c != ' ' && c != '\t'; });
    }
    Reader reader(std::move(compact));
    if (!reader.accept("Puppet::Type.type(:" + std::string(name) + ").provide(:")) return false;
    const auto provider = reader.word();
    if (!provider || !reader.accept(",:parent=>Puppet::Type.type(:openstack_config).provider(:"))
        return false;
    const auto parent = reader.word();
    if (!parent || (*parent != "ruby" && *parent != "ini_setting")) return false;
    if (!reader.accept("))dodefself.file_path")) return false;
    const auto path = reader.literal();
    if (!path || !path->starts_with('/') || !reader.accept("end")) return false;
    reader.accept("deffile_pathself.class.file_pathend");  // what it inherits anyway
    if (!reader.accept("end") || !reader.at_end()) return false;
    facts["provider"] = *provider;
    facts["path"] = *path;
    if (*parent == "ruby") facts["lists"] = "true";
    return true;
}

/// The declarations of a type, one after the other.
class TypeReader {
public:
    TypeReader(std::string_view source, Json& facts) : lines_(ruby_lines(source)), facts_(facts) {}

    bool read(std::string_view name) {
        if (next() != "Puppet::Type.newtype(:" + std::string(name) + ") do") return false;
        while (at_ < lines_.size()) {
            const std::string line = next();
            if (line == "end") return at_ == lines_.size() && lists_ == facts_.contains("lists");
            if (!declaration(line)) return false;
        }
        return false;
    }

private:
    std::string next() { return at_ < lines_.size() ? lines_[at_++] : std::string(); }

    bool declaration(const std::string& line) {
        if (line == "ensurable") return true;
        if (line == "newparam(:name, :namevar => true) do") return simple_block({"newvalues(/\\S+\\/\\S+/)"});
        if (line == "newparam(:secret, :boolean => true) do")
            return simple_block({"newvalues(:true, :false)", "defaultto false"});
        if (line == "newparam(:ensure_absent_val) do")
            return simple_block({"defaultto('<SERVICE DEFAULT>')"});
        if (line == "newparam(:key_val_separator) do") return simple_block({"defaultto('=')"});
        if (line == "newparam(:transform_to)") return true;  // not_for_agent() finds who uses it
        if (line == "autorequire(:anchor) do") return anchors();
        if (line == "def create") return block() == "provider.create\n";
        lists_ = line == "newproperty(:value, :array_matching => :all) do";
        return (lists_ || line == "newproperty(:value) do") && value_block();
    }

    /// Descriptions, and exactly these lines.
    bool simple_block(const std::set<std::string, std::less<>>& expected) {
        std::set<std::string, std::less<>> found;
        for (std::string line = next(); line != "end"; line = next()) {
            if (line.starts_with("desc ")) continue;
            if (!expected.contains(line)) return false;
            found.insert(line);
        }
        return found == expected;
    }

    bool anchors() {
        Reader reader(next());
        std::string names;
        if (!reader.accept("[")) return false;
        for (bool first = true; !reader.accept("]"); first = false) {
            if (!first && !reader.accept(", ")) return false;
            const auto name = reader.literal();
            if (!name) return false;
            names += (names.empty() ? "" : " ") + *name;
        }
        facts_["anchors"] = names;
        return reader.at_end() && next() == "end";
    }

    bool value_block() {
        bool converts = false;
        for (std::string line = next(); line != "end"; line = next()) {
            if (line.starts_with("desc ") || line == "newvalues(/^[\\S ]*$/)") continue;
            const auto body = block();
            if (!body) return false;
            if (line == "munge do |value|") {
                converts = read_conversion(*body);
                if (!converts) return false;
            } else if (line.starts_with("def is_to_s(") || line.starts_with("def should_to_s(")) {
                if (body->find("resource.secret?") == std::string::npos) return false;
            } else if (line != "def insync?(is)" || !lists_) {
                return false;
            }
        }
        return converts;
    }

    bool read_conversion(const std::string& body) {
        constexpr std::string_view strip = "value = value.to_s.strip\n";
        constexpr std::string_view capital = "value.capitalize! if value =~ /^(true|false)$/i\n";
        if (body == std::string(strip) + "value\n") return true;
        if (body != std::string(strip) + std::string(capital) + "value\n") return false;
        facts_["booleans"] = "capital";
        return true;
    }

    /// What stands in a block that has begun, up to its end.
    std::optional<std::string> block() {
        std::string body;
        for (std::size_t depth = 1; at_ < lines_.size();) {
            const std::string line = next();
            static constexpr std::array<std::string_view, 5> openers = {"if ", "unless ", "case ", "def ",
                                                                        "begin"};
            const bool opens = std::any_of(openers.begin(), openers.end(),
                                           [&](std::string_view word) { return line.starts_with(word); });
            if (opens || line.ends_with(" do")) ++depth;
            if (line == "end" && --depth == 0) return body;
            body += line + "\n";
        }
        return std::nullopt;
    }

    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    Json& facts_;
    bool lists_ = false;
};

std::optional<std::string> content_of(const CompiledCatalog& catalog, std::string_view middle,
                                      std::size_t& count) {
    std::optional<std::string> content;
    for (const DeliveredFile& file : catalog.files) {
        if (!file.code || file.path.find(middle) == std::string::npos || !file.path.ends_with(".rb"))
            continue;
        ++count;
        content = read_file(file.local, "file of a module");
    }
    return content;
}

}  // namespace

std::optional<Json> config_type(std::string_view name, std::string_view type, std::string_view provider) {
    Json facts{{"base", "config_setting"}};
    if (!read_provider(name, provider, facts) || !TypeReader(type, facts).read(name)) return std::nullopt;
    return facts;
}

std::shared_ptr<const CompiledCatalog> with_config_types(std::shared_ptr<const CompiledCatalog> catalog) {
    const auto resources = catalog->document->find("resources");
    if (resources == catalog->document->end()) return catalog;
    std::set<std::string> names;
    for (const Json& resource : *resources) {
        if (resource.value("kind", std::string()) != "compilable_type") continue;
        names.insert(lower(resource.value("type", std::string())));
    }
    Json types = Json::object();
    for (const std::string& name : names) {
        std::size_t sources = 0, providers = 0;
        const auto type = content_of(*catalog, "/lib/puppet/type/" + name + ".rb", sources);
        const auto provider = content_of(*catalog, "/lib/puppet/provider/" + name + "/", providers);
        if (sources != 1 || providers != 1) continue;
        if (auto facts = config_type(name, *type, *provider)) types[name] = std::move(*facts);
    }
    if (types.empty()) return catalog;
    auto extended = std::make_shared<CompiledCatalog>(*catalog);
    Json document = *catalog->document;
    document["module_types"] = std::move(types);
    extended->document = std::make_shared<const Json>(std::move(document));
    return extended;
}

}  // namespace volley::planner
