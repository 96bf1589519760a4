#include "planner/apply/agentless/config_types.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "apply/types/type_spec.hpp"
#include "planner/apply/agentless/agent_queries.hpp"
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

/// The lines of a block whose first line stands before `at`, which is then after its `end`; nullopt when it
/// has no end.
std::optional<std::vector<std::string>> block_at(const std::vector<std::string>& lines, std::size_t& at) {
    static constexpr std::array<std::string_view, 5> openers = {"if ", "unless ", "case ", "def ", "begin"};
    std::vector<std::string> body;
    for (std::size_t depth = 1; at < lines.size();) {
        const std::string& line = lines[at++];
        const bool opens = std::any_of(openers.begin(), openers.end(),
                                       [&](std::string_view word) { return line.starts_with(word); });
        const bool takes_values = line.ends_with("|") && line.find(" do |") != std::string::npos;
        if (opens || takes_values || line.ends_with(" do")) ++depth;
        if (line == "end" && --depth == 0) return body;
        body.push_back(line);
    }
    return std::nullopt;
}

std::string without_blanks(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        std::copy_if(line.begin(), line.end(), std::back_inserter(text),
                     [](char c) { return c != ' ' && c != '\t'; });
    }
    return text;
}

/// A provider that only says which file it is about, and how that is written.
class ProviderReader {
public:
    ProviderReader(std::string_view source, Json& facts, ProviderOf provider_of)
        : lines_(ruby_lines(source)), facts_(facts), provider_of_(std::move(provider_of)) {}

    bool read(std::string_view name) {
        if (!read_head(name)) return false;
        while (at_ < lines_.size()) {
            const std::string line = lines_[at_++];
            if (line == "end") return at_ == lines_.size() && is_complete();
            if (!line.starts_with("def ")) return false;
            const auto body = block_at(lines_, at_);
            if (!body || !read_method(line.substr(4), *body)) return false;
        }
        return false;
    }

private:
    /// Up to the `do`: its name, and the provider that it inherits.
    bool read_head(std::string_view name) {
        std::vector<std::string> head;
        while (at_ < lines_.size()) {
            head.push_back(lines_[at_++]);
            if (head.back().ends_with(") do")) break;
        }
        Reader reader(without_blanks(head));
        // The parent of the module's other providers: it defines a class, which is nothing to this one.
        if (reader.accept("requireFile.join(File.dirname(__FILE__)")) {
            std::optional<std::string> file;
            while (reader.accept(",")) file = reader.literal();
            if (!file || !file->starts_with("puppet/provider/") || !reader.accept(")")) return false;
        }
        if (!reader.accept("Puppet::Type.type(:" + std::string(name) + ").provide(:")) return false;
        const auto provider = reader.word();
        if (!provider || !reader.accept(",:parent=>Puppet::Type.type(:")) return false;
        const auto type = reader.word();
        if (!type || !reader.accept(").provider(:")) return false;
        const auto parent = reader.word();
        if (!parent || !reader.accept("))do") || !reader.at_end()) return false;
        if (provider_of_ && *type != "ini_setting" && *type != "openstack_config") {
            const bool inherits = inherit(*type, *parent);
            facts_["provider"] = *provider;
            return inherits;
        }
        is_plain_ = *type == "ini_setting" && *parent == "ruby";
        if (!is_plain_ && (*type != "openstack_config" || (*parent != "ruby" && *parent != "ini_setting")))
            return false;
        facts_["provider"] = *provider;
        if (!is_plain_ && *parent == "ruby") facts_["lists"] = "true";
        if (is_plain_) facts_["special_values"] = "none";
        return true;
    }

    /// What another type's provider says, which is not one that inherits a third.
    bool inherit(const std::string& type, const std::string& provider) {
        const auto source = provider_of_(type);
        if (!source) return false;
        ProviderReader other(*source, facts_, {});
        if (!other.read(type) || facts_["provider"] != provider) return false;
        is_plain_ = other.is_plain_;
        has_section_ = other.has_section_;
        has_setting_ = other.has_setting_;
        has_whole_name_ = other.has_whole_name_;
        return true;
    }

    bool read_method(const std::string& signature, const std::vector<std::string>& lines) {
        const std::string method = signature.substr(0, signature.find('('));
        // Only `transform_to` calls them; not_for_agent() finds who uses it.
        if (method.starts_with("to_") || method.starts_with("from_")) return true;
        if (method != signature) return false;
        Reader reader(lines.size() == 1 ? lines[0] : std::string());
        auto literal = reader.literal();
        if (!reader.at_end()) literal.reset();
        if (method == "self.file_path" || (method == "file_path" && literal)) {
            if (!literal || !literal->starts_with('/')) return false;
            facts_["path"] = *literal;
            return true;
        }
        const std::string body = without_blanks(lines);
        if (method == "file_path") {
            // not_for_agent() finds who uses the parameter `path`.
            return body == "self.class.file_path" ||
                   body == "ifnotresource[:path]self.class.file_pathelseresource[:path]end";
        }
        return is_plain_ && read_plain_method(method, body, literal);
    }

    /// What openstack_config has by itself.
    bool read_plain_method(std::string_view method, std::string_view body,
                           const std::optional<std::string>& literal) {
        if (method == "section" && literal && literal->empty()) {
            facts_["section"] = "";
            return true;
        }
        if (method == "section") return has_section_ = body == "resource[:name].split('/',2).first";
        if (method == "setting") {
            has_whole_name_ = body == "resource[:name]";
            return has_setting_ = has_whole_name_ || body == "resource[:name].split('/',2).last";
        }
        if (method == "separator" && literal) {
            facts_["separator"] = *literal;
            return true;
        }
        if (method == "ensure_absent_val") return body == "resource[:ensure_absent_val]";
        if (method != "exists?") return false;
        facts_["special_values"] = "absent";
        return body ==
               "ifresource[:value]==ensure_absent_valresource[:ensure]=:absentelsifresource[:quote]"
               "unlessresource[:value].start_with?('\"')resource[:value]='\"'+resource[:value]+'\"'"
               "endendsuper";
    }

    bool is_complete() const {
        if (!facts_.contains("path")) return false;
        if (!is_plain_) return true;
        return has_setting_ && facts_.contains("separator") && has_section_ != facts_.contains("section") &&
               has_section_ != has_whole_name_;
    }

    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    Json& facts_;
    ProviderOf provider_of_;
    bool is_plain_ = false, has_section_ = false, has_setting_ = false, has_whole_name_ = false;
};

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
        if (line == "newparam(:name, :namevar => true) do") return name_block();
        if (line == "newparam(:secret, :boolean => true) do" ||
            line == "newparam(:quote, :boolean => true) do")
            return simple_block({"newvalues(:true, :false)", "defaultto false"});
        if (line == "newparam(:ensure_absent_val) do")
            return simple_block({"defaultto('<SERVICE DEFAULT>')"});
        if (line == "newparam(:key_val_separator) do") return simple_block({"defaultto('=')"});
        // not_for_agent() finds who uses them.
        if (line == "newparam(:transform_to)") return true;
        if (line == "newparam(:path) do") return path_block();
        if (line == "autorequire(:anchor) do") return required("anchors");
        if (line == "autorequire(:package) do") return required("packages");
        if (line == "autorequire(:file) do") return required("files");
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

    bool name_block() {
        const auto body = block_at(lines_, at_);
        if (!body) return false;
        bool is_checked = false;
        for (const std::string& line : *body) {
            const bool fits = facts_.contains("section")
                                  ? line == "newvalues(/\\S+/)"
                                  : line == "newvalues(/\\S+\\/\\S+/)" || line == "newvalues(/\\S\\/\\S/)";
            if (!fits && !line.starts_with("desc ")) return false;
            is_checked = is_checked || fits;
        }
        return is_checked;
    }

    bool path_block() {
        const auto body = block_at(lines_, at_);
        return body && std::find(body->begin(), body->end(), "defaultto false") != body->end();
    }

    /// The names in a block of an autorequire, one or a list.
    bool required(const char* fact) {
        Reader reader(next());
        std::string names;
        if (!reader.accept("[")) {
            const auto name = reader.literal();
            if (!name) return false;
            names = *name;
        } else {
            for (bool first = true; !reader.accept("]"); first = false) {
                if (!first && !reader.accept(", ")) return false;
                const auto name = reader.literal();
                if (!name) return false;
                names += (names.empty() ? "" : " ") + *name;
            }
        }
        facts_[fact] = names;
        return reader.at_end() && next() == "end";
    }

    bool value_block() {
        bool converts = false, shows_current = false, shows_wanted = false;
        for (std::string line = next(); line != "end"; line = next()) {
            if (line.starts_with("desc ") || line == "newvalues(/^[\\S ]*$/)") continue;
            const auto body = block();
            if (!body) return false;
            if (line == "munge do |value|") {
                converts = read_conversion(*body);
                if (!converts) return false;
            } else if (line.starts_with("def is_to_s(") || line.starts_with("def should_to_s(")) {
                if (body->find("resource.secret?") == std::string::npos) return false;
                (line.starts_with("def is_to_s(") ? shows_current : shows_wanted) = true;
            } else if (line != "def insync?(is)" || !lists_) {
                return false;
            }
        }
        if (!shows_current && !shows_wanted) facts_["shown"] = "quoted";
        return converts && shows_current == shows_wanted;
    }

    bool read_conversion(const std::string& body) {
        constexpr std::string_view strip = "value = value.to_s.strip\n";
        constexpr std::string_view capital = "value.capitalize! if value =~ /^(true|false)$/i\n";
        constexpr std::string_view number =
            "if [true, false].include?(value)\nvalue = value ? '1' : '0'\nelse\nvalue = value.to_s.strip\n"
            "end\nvalue\n";
        constexpr std::string_view small = "value.downcase! if value =~ /^(true|false)$/i\n";
        if (body == std::string(strip) + "value\n") return true;
        if (body == number) {
            facts_["booleans"] = "number";
            return true;
        }
        const bool is_capital = body == std::string(strip) + std::string(capital) + "value\n";
        if (!is_capital && body != std::string(strip) + std::string(small) + "value\n") return false;
        facts_["booleans"] = is_capital ? "capital" : "small";
        return true;
    }

    /// What stands in a block that has begun, up to its end.
    std::optional<std::string> block() {
        const auto lines = block_at(lines_, at_);
        if (!lines) return std::nullopt;
        std::string body;
        for (const std::string& line : *lines) body += line + "\n";
        return body;
    }

    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    Json& facts_;
    bool lists_ = false;
};

/// Of the one file of code that has this in its path.
std::optional<std::string> only_content_of(const CompiledCatalog& catalog, std::string_view middle) {
    std::optional<std::string> content;
    for (const DeliveredFile& file : catalog.files) {
        if (!file.code || file.path.find(middle) == std::string::npos || !file.path.ends_with(".rb"))
            continue;
        if (content) return std::nullopt;
        content = read_file(file.local, "file of a module");
    }
    return content;
}

/// The type that a resource of the type `resources` is about; empty when it is not one of those.
std::string managed_by_resources(const Json& resource) {
    if (resource.value("type", std::string()) != "Resources") return {};
    const auto parameters = resource.find("parameters");
    const bool has_name = parameters != resource.end() && parameters->is_object() &&
                          parameters->contains("name") && parameters->at("name").is_string();
    return lower(has_name ? parameters->at("name").get<std::string>()
                          : resource.value("title", std::string()));
}

}  // namespace

std::optional<Json> config_type(std::string_view name, std::string_view type, std::string_view provider,
                                const ProviderOf& provider_of) {
    Json facts{{"base", "config_setting"}};
    if (!ProviderReader(provider, facts, provider_of).read(name) || !TypeReader(type, facts).read(name))
        return std::nullopt;
    return facts;
}

std::shared_ptr<const CompiledCatalog> with_config_types(std::shared_ptr<const CompiledCatalog> catalog) {
    const auto resources = catalog->document->find("resources");
    if (resources == catalog->document->end()) return catalog;
    std::set<std::string> names, other_types;
    for (const Json& resource : *resources) {
        if (resource.value("kind", std::string()) != "compilable_type") continue;
        names.insert(lower(resource.value("type", std::string())));
        if (const std::string type = managed_by_resources(resource); !type.empty()) other_types.insert(type);
    }
    names.insert(other_types.begin(), other_types.end());
    const ProviderOf provider_of = [&catalog](const std::string& name) {
        return only_content_of(*catalog, "/lib/puppet/provider/" + name + "/");
    };
    Json types = Json::object();
    for (const std::string& name : names) {
        const auto type = only_content_of(*catalog, "/lib/puppet/type/" + name + ".rb");
        const auto provider = provider_of(name);
        if (!type && find_core_type(name) == nullptr) other_types.erase(name);
        if (!type || !provider) continue;
        if (auto facts = config_type(name, *type, *provider, provider_of)) types[name] = std::move(*facts);
    }
    for (const std::string& own : agent_type_names()) other_types.erase(own);
    std::erase_if(other_types, [&types](const std::string& name) { return types.contains(name); });
    if (types.empty() && other_types.empty()) return catalog;
    auto extended = std::make_shared<CompiledCatalog>(*catalog);
    Json document = *catalog->document;
    if (!types.empty()) document["module_types"] = std::move(types);
    if (!other_types.empty()) document["other_types"] = other_types;
    extended->document = std::make_shared<const Json>(std::move(document));
    return extended;
}

}  // namespace volley::planner
