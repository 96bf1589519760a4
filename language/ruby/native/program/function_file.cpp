#include "language/ruby/native/program/function_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "language/ruby/native/program/compiler.hpp"
#include "language/ruby/source/syntax.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/file_cache.hpp"
#include "support/text.hpp"

namespace volley::ruby {
namespace {

using FileNode = ruby_source::Node;
using FileKind = ruby_source::Node::Kind;

/// A text or symbol as it is written; nullopt for anything that would have to be evaluated.
std::optional<std::string> written_text(const FileNode& node) {
    if (node.kind != FileKind::Text && node.kind != FileKind::Symbol) return std::nullopt;
    std::string text;
    for (const auto& part : node.parts) {
        if (part->kind != FileKind::Text || !part->parts.empty()) return std::nullopt;
        text += part->text;
    }
    return text;
}

std::string_view parameter_arity(std::string_view name) {
    if (name == "param" || name == "required_param") return "required";
    if (name == "optional_param") return "optional";
    if (name == "repeated_param" || name == "optional_repeated_param") return "repeated";
    return name == "required_repeated_param" ? "required_repeated" : std::string_view();
}

/// Follows what a function's file declares.
class FunctionReader {
public:
    explicit FunctionReader(bool legacy) : legacy_(legacy) {}

    FunctionFile read(std::string_view text) {
        try {
            if (!is_utf8(text)) throw Error("ruby", "text that is not UTF-8");
            const ruby_source::NodePtr tree = ruby_source::parse_ruby(text);
            compiler_.read_comments(text);
            statements(*tree, "");
        } catch (const Error& error) {
            strange(error.what(), 0);
        }
        if (!found_) strange("no function is declared", 0);
        if (!legacy_ && found_) default_dispatch();
        if (known_ && !legacy_) {
            const Json data{
                {"own_call", false}, {"aliases", aliases_}, {"name", name_}, {"dispatches", dispatches_}};
            file_.signature = std::make_shared<const Json>(data);
        }
        file_.program = compiler_.finish();
        file_.obstacle = file_.program->obstacle;
        file_.constants_may_change = file_.program->constants_may_change;
        return std::move(file_);
    }

private:
    /// What the file declares is not known for sure.
    void strange(std::string why, std::uint32_t line) {
        known_ = false;
        compiler_.obstacle(std::move(why), line);
    }

    void statements(const FileNode& body, const std::string& module) {
        if (body.kind != FileKind::Body) return statement(body, module);
        for (const auto& part : body.parts) statement(*part, module);
    }

    void statement(const FileNode& node, const std::string& module) {
        if (node.kind == FileKind::Module && !node.singleton)
            return statements(*node.second, module.empty() ? node.text : module + "::" + node.text);
        if (node.kind == FileKind::Call && node.text == "require" && !node.first) {
            // Puppet's own files are known; libraries show when something of them is called.
            const auto name = node.parts.size() == 1 ? written_text(*node.parts[0]) : std::nullopt;
            if (name && !name->starts_with(".") && !name->starts_with("/") && !name->starts_with("puppet_x"))
                return;
        }
        const std::string holder =
            node.first && node.first->kind == FileKind::Constant ? node.first->text : "";
        const bool creates = node.kind == FileKind::Call && node.block && !node.parts.empty();
        if (!legacy_ && creates && node.text == "create_function" &&
            (holder == "Puppet::Functions" || holder == "::Puppet::Functions"))
            return create_function(node);
        const bool inside = !node.first && module == "Puppet::Parser::Functions";
        if (legacy_ && creates && node.text == "newfunction" &&
            (inside || holder == "Puppet::Parser::Functions" || holder == "::Puppet::Parser::Functions"))
            return newfunction(node);
        if (node.kind == FileKind::Unknown)
            strange("a construct that native Ruby does not know", node.line);
        else
            strange("code outside of the function", node.line);
    }

    void create_function(const FileNode& node) {
        const auto name = written_text(*node.parts[0]);
        if (!name || found_ || node.parts.size() > 1)
            return strange(node.parts.size() > 1 ? "a function with a class of its own" : "a function's name",
                           node.line);
        found_ = true;
        name_ = *name;
        const FileNode& body = *node.block->second;
        if (body.kind != FileKind::Body) return strange("a function that rescues", node.line);
        for (const auto& part : body.parts) member(*part);
    }

    void member(const FileNode& node) {
        if (node.kind == FileKind::Definition && !node.singleton) {
            if (node.text == "call" || node.text == "initialize")
                return strange("a method " + node.text + " of its own", node.line);
            definitions_.emplace_back(node.text, arities(node));
            compiler_.method(node.text, node);
            return;
        }
        if (node.kind == FileKind::Call && !node.first && node.block && node.parts.size() == 1) {
            const auto method = written_text(*node.parts[0]);
            if (method && (node.text == "dispatch" || node.text == "argument_mismatch"))
                return dispatch(*method, *node.block->second, node.text != "dispatch");
        }
        if (node.kind == FileKind::Call && !node.first && node.block && node.text == "local_types")
            return local_types(*node.block->second);
        if (node.kind == FileKind::Assign && node.text == "=" && node.first->kind == FileKind::Constant)
            return compiler_.constant(node.first->text, *node.second);
        if (node.kind == FileKind::Name && (node.text == "private" || node.text == "public")) return;
        if (node.kind == FileKind::Call && node.text == "require" && !node.first) return statement(node, "");
        strange(node.kind == FileKind::Unknown ? "a construct that native Ruby does not know"
                                               : "code around the methods",
                node.line);
    }

    static std::vector<std::string> arities(const FileNode& definition) {
        using Parameter = ruby_source::Parameter::Kind;
        std::vector<std::string> kinds;
        for (const ruby_source::Parameter& one : definition.parameters) {
            const std::string name = " " + (one.name.empty() ? "args" : one.name);
            if (one.kind == Parameter::Required) kinds.push_back("required" + name);
            if (one.kind == Parameter::Optional) kinds.push_back("optional" + name);
            if (one.kind == Parameter::Rest) kinds.push_back("repeated" + name);
        }
        return kinds;
    }

    void dispatch(const std::string& method, const FileNode& body, bool mismatch) {
        Json one{{"params", Json::array()},
                 {"block", nullptr},
                 {"returns", nullptr},
                 {"mismatch", mismatch},
                 {"method", method}};
        for (const auto& part : body.parts) parameter(*part, one);
        if (body.kind != FileKind::Body) parameter(body, one);
        dispatches_.push_back(std::move(one));
        file_.methods.push_back(method);
    }

    void parameter(const FileNode& node, Json& dispatch) {
        const bool call =
            (node.kind == FileKind::Call || node.kind == FileKind::Name) && !node.first && !node.block;
        std::vector<std::string> words;
        for (const auto& part : node.parts) {
            const auto text = call ? written_text(*part) : std::nullopt;
            if (!text) return strange("a parameter", node.line);
            words.push_back(*text);
        }
        const std::string_view arity = parameter_arity(node.text);
        const std::string block = words.size() == 2 ? words[0] : "Callable";
        if (call && !arity.empty() && words.size() == 2)
            dispatch["params"].push_back(Json::array({words[0], words[1], std::string(arity)}));
        else if (call && (node.text == "block_param" || node.text == "required_block_param"))
            dispatch["block"] = block;
        else if (call && node.text == "optional_block_param")
            dispatch["block"] = "Optional[" + block + "]";
        else if (call && node.text == "return_type" && words.size() == 1)
            dispatch["returns"] = words[0];
        else
            strange("a parameter", node.line);
        if (node.text.ends_with("block_param") && !words.empty()) dispatch["block_name"] = words.back();
    }

    void local_types(const FileNode& body) {
        for (const auto& part : body.parts) {
            const bool type = part->kind == FileKind::Call && part->text == "type" && part->parts.size() == 1;
            const auto text = type ? written_text(*part->parts[0]) : std::nullopt;
            if (!text) return strange("a local type", part->line);
            aliases_.push_back(*text);
        }
    }

    /// Without a dispatch any arguments, as many as the method takes that is named like the function.
    void default_dispatch() {
        if (!dispatches_.empty()) return;
        const std::string simple =
            name_.substr(name_.rfind(':') == std::string::npos ? 0 : name_.rfind(':') + 1);
        const auto definition = std::find_if(definitions_.rbegin(), definitions_.rend(),
                                             [&](const auto& one) { return one.first == simple; });
        if (definition == definitions_.rend()) return strange("a function without a method", 0);
        Json one{{"params", Json::array()},
                 {"block", nullptr},
                 {"returns", nullptr},
                 {"mismatch", false},
                 {"method", simple}};
        for (const std::string& kind : definition->second) {
            const std::size_t space = kind.find(' ');
            one["params"].push_back(Json::array({"Any", kind.substr(space + 1), kind.substr(0, space)}));
        }
        dispatches_.push_back(std::move(one));
        file_.methods.push_back(simple);
    }

    void newfunction(const FileNode& node) {
        if (found_) return strange("a second function", node.line);
        found_ = true;
        for (std::size_t i = 1; i < node.parts.size(); ++i) {
            const FileNode& options = *node.parts[i];
            if (options.kind != FileKind::Hash) return strange("the options of a function", node.line);
            for (std::size_t at = 0; at + 1 < options.parts.size(); at += 2) option(options, at);
        }
        compiler_.method(std::string(FunctionFile::legacy_method), *node.block);
    }

    void option(const FileNode& options, std::size_t at) {
        const auto key = options.parts[at] ? written_text(*options.parts[at]) : std::nullopt;
        const FileNode& value = *options.parts[at + 1];
        if (!key) return strange("the options of a function", options.line);
        if (*key == "type") {
            const auto type = written_text(value);
            if (!type) return strange("the type of a function", value.line);
            file_.returns_value = *type == "rvalue";
        } else if (*key == "arity") {
            const std::string& text = value.text;
            const auto read = std::from_chars(text.data(), text.data() + text.size(), file_.arity);
            if (value.kind != FileKind::Number || read.ptr != text.data() + text.size())
                strange("the arity of a function", value.line);
        }
    }

    const bool legacy_;
    Compiler compiler_;
    FunctionFile file_;
    bool found_ = false;
    bool known_ = true;
    std::string name_;
    Json dispatches_ = Json::array();
    Json aliases_ = Json::array();
    std::vector<std::pair<std::string, std::vector<std::string>>> definitions_;
};

}  // namespace

FunctionFile read_function_file(std::string_view text, bool legacy) {
    return FunctionReader(legacy).read(text);
}

std::shared_ptr<const FunctionFile> function_file(const std::string& path, bool legacy) {
    static FileCache<FunctionFile> files;
    const auto read = [&path] {
        try {
            return read_file(path, "the function's file");
        } catch (const Error&) {
            return std::string();  // no function is in it
        }
    };
    const auto make = [legacy](const std::string& text) {
        return std::make_shared<const FunctionFile>(read_function_file(text, legacy));
    };
    return files.get((legacy ? 'L' : '-') + path, FileStamp::of(path), read, make);
}

}  // namespace volley::ruby
