#include <filesystem>

#include "apply/types/ruby/interpreter.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::ruby_source {
namespace {

using DatumKind = Datum::Kind;

constexpr std::size_t max_required_files = 40;
constexpr std::size_t max_attributes = 2000;

bool option_is_true(const std::vector<Datum>& arguments, std::string_view name) {
    const Datum* value = arguments.size() > 1 ? arguments[1].at(name) : nullptr;
    return value && value->truth().value_or(false);
}

/// `lambda { |x| x }` leaves what it is given.
bool is_identity(const Datum& closure) {
    if (closure.kind != DatumKind::Closure || closure.code->parameters.size() != 1) return false;
    const Node* body = closure.code->second.get();
    if (body->kind == Node::Kind::Body && body->parts.size() == 1) body = body->parts.front().get();
    return body->kind == Node::Kind::Name && body->text == closure.code->parameters.front().name;
}

std::vector<std::string> named_groups(std::string_view pattern) {
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = pattern.find("(?<", at)) != std::string_view::npos; ++at) {
        const std::size_t begin = at + 3;
        const std::size_t end = pattern.find('>', begin);
        const bool name =
            end != std::string_view::npos && end > begin && pattern[begin] != '=' && pattern[begin] != '!';
        if (name) names.emplace_back(pattern.substr(begin, end - begin));
    }
    return names;
}

}  // namespace

AttributeDescription* TypeDescription::find(const std::string& attribute) {
    for (AttributeDescription& one : attributes) {
        if (one.name == attribute) return &one;
    }
    return nullptr;
}

const AttributeDescription* TypeDescription::find(const std::string& attribute) const {
    return const_cast<TypeDescription*>(this)->find(attribute);
}

/// True when the word is one of those that describe a type.
bool Interpreter::declare(std::string_view name, const std::vector<Datum>& arguments, const Datum& block,
                          Frame& frame) {
    if (!frame.type) return false;
    if (name == "newparam" || name == "newproperty") {
        declare_attribute(name == "newproperty", arguments, block, frame);
    } else if (name == "ensurable") {
        declare_attribute(true, {Datum::string("ensure", DatumKind::Symbol)}, block, frame);
    } else if (name == "isnamevar") {
        if (frame.attribute) frame.attribute->namevar = true;
    } else if (name == "extend") {
        extend(arguments, frame);
    } else {
        return false;
    }
    return true;
}

void Interpreter::declare_attribute(bool property, const std::vector<Datum>& arguments, const Datum& block,
                                    Frame& frame) {
    TypeDescription& type = frame.type->description;
    if (arguments.empty() || !arguments.front().is_text() || type.attributes.size() >= max_attributes) {
        type.complete = false;
        return;
    }
    AttributeDescription attribute{.name = lower(arguments.front().text), .property = property};
    attribute.namevar = option_is_true(arguments, "namevar") || option_is_true(arguments, "isnamevar");
    Frame inside = frame;
    inside.attribute = &attribute;
    if (block.kind == DatumKind::Closure) run_block(block, arguments, inside);
    if (AttributeDescription* known = type.find(attribute.name))
        *known = std::move(attribute);
    else
        type.attributes.push_back(std::move(attribute));
}

void Interpreter::declare_type(const std::vector<Datum>& arguments, const Datum& block, Frame& frame) {
    TypeBody type;
    if (!arguments.empty() && arguments.front().is_text())
        type.description.name = lower(arguments.front().text);
    const bool nameless = type.description.name.empty();
    if (nameless || block.kind != DatumKind::Closure)
        type.description.complete = nameless ? false : block.kind == DatumKind::Nil;
    Frame inside = frame;
    inside.type = &type;
    inside.module = frame.module;
    try {
        run_block(block, {}, inside);
        const auto patterns = type.methods.singleton_methods.find("title_patterns");
        if (patterns != type.methods.singleton_methods.end())
            read_title_patterns(type, run_method(*patterns->second, {}, Datum::of(DatumKind::Nil), inside));
    } catch (const Exhausted&) {
        type.description.complete = false;
        types_.push_back(std::move(type.description));
        throw;
    }
    types_.push_back(std::move(type.description));
}

void Interpreter::read_title_patterns(TypeBody& type, const Datum& patterns) {
    type.description.patterns_known = false;
    if (!patterns.is_array()) return;
    std::vector<TitlePatternDescription> list;
    for (const Datum& one : patterns.items) {
        if (!one.is_array() || one.items.size() != 2 || one.items[0].kind != DatumKind::Pattern ||
            !one.items[1].is_array())
            return;
        TitlePatternDescription pattern{.source = one.items[0].text, .options = one.items[0].options};
        for (const Datum& attribute : one.items[1].items) {
            const bool fits =
                attribute.is_array() && !attribute.items.empty() && attribute.items[0].is_text();
            if (!fits || (attribute.items.size() > 1 && !is_identity(attribute.items[1]))) return;
            pattern.attributes.push_back(attribute.items[0].text);
        }
        list.push_back(std::move(pattern));
    }
    type.description.title_patterns = std::move(list);
    type.description.patterns_known = true;
}

/// The Resource API: everything is in one hash.
void Interpreter::register_type(const std::vector<Datum>& arguments) {
    TypeBody type;
    TypeDescription& description = type.description;
    const Datum* definition =
        arguments.empty() || !arguments.front().is_hash() ? nullptr : &arguments.front();
    const Datum* name = definition ? definition->at("name") : nullptr;
    if (name && name->is_text()) description.name = lower(name->text);
    const Datum* attributes = definition ? definition->at("attributes") : nullptr;
    description.complete = attributes && attributes->is_hash();
    if (description.complete) {
        for (std::size_t i = 0; i + 1 < attributes->items.size(); i += 2) {
            if (!attributes->items[i].is_text()) {
                description.complete = false;
                continue;
            }
            const Datum* behaviour = attributes->items[i + 1].at("behaviour");
            if (!behaviour) behaviour = attributes->items[i + 1].at("behavior");
            const std::string kind = behaviour ? behaviour->text : "";
            description.attributes.push_back({.name = attributes->items[i].text,
                                              .property = kind != "namevar" && kind != "parameter",
                                              .namevar = kind == "namevar"});
        }
    }
    if (const Datum* patterns = definition ? definition->at("title_patterns") : nullptr) {
        description.patterns_known = patterns->is_array();
        description.title_patterns.emplace();
        for (const Datum& one : patterns->items) {
            const Datum* pattern = one.at("pattern");
            if (!pattern || pattern->kind != DatumKind::Pattern) continue;
            description.title_patterns->push_back(
                {pattern->text, pattern->options, named_groups(pattern->text)});
        }
    } else {
        // Without patterns a title is the value of the first namevar.
        for (const AttributeDescription& one : description.attributes) {
            if (!one.namevar) continue;
            description.title_patterns = {{"(.*)", 4, {one.name}}};
            break;
        }
    }
    description.has_providers = true;
    types_.push_back(std::move(description));
}

/// ResourceType3.new(name, properties, parameters, title patterns, isomorphic); an attribute is
/// Param(type, name, is it a namevar).
void Interpreter::generated_type(const std::vector<Datum>& arguments) {
    if (arguments.empty() || !arguments.front().is_text()) return;
    TypeBody type;
    type.description.name = lower(arguments.front().text);
    for (std::size_t list = 1; list < 3 && list < arguments.size(); ++list) {
        for (const Datum& one : arguments[list].items) {
            if (!one.is_array() || one.items.size() < 2 || !one.items[1].is_text()) {
                type.description.complete = false;
                continue;
            }
            const bool namevar = one.items.size() > 2 && one.items[2].truth().value_or(false);
            type.description.attributes.push_back(
                {.name = one.items[1].text, .property = list == 1 && !namevar, .namevar = namevar});
        }
    }
    if (arguments.size() > 3 && arguments[3].is_hash() && !arguments[3].items.empty()) {
        Datum patterns = Datum::array({});
        for (std::size_t i = 0; i + 1 < arguments[3].items.size(); i += 2) {
            Datum attributes = Datum::array({});
            for (const Datum& one : arguments[3].items[i + 1].items)
                attributes.items.push_back(Datum::array({one}));
            patterns.items.push_back(Datum::array({arguments[3].items[i], std::move(attributes)}));
        }
        read_title_patterns(type, patterns);
    }
    if (arguments.size() > 4) type.description.isomorphic = arguments[4].truth().value_or(true);
    types_.push_back(std::move(type.description));
}

void Interpreter::extend(const std::vector<Datum>& modules, Frame& frame) {
    for (const Datum& one : modules) {
        std::string found;
        std::string around = frame.module;
        for (; one.kind == DatumKind::Module;) {
            found = around.empty() ? one.text : around + "::" + one.text;
            if (modules_.contains(found) || around.empty()) break;
            const std::size_t cut = around.rfind("::");
            around = cut == std::string::npos ? "" : around.substr(0, cut);
        }
        if (modules_.contains(found))
            frame.type->extended.push_back(found);
        else
            frame.type->strange_mixin = true;
    }
}

void Interpreter::require(const std::vector<Datum>& arguments, bool relative, const Frame&) {
    namespace fs = std::filesystem;
    if (arguments.empty() || !arguments.front().is_text()) return;
    const std::string& wanted = arguments.front().text;
    // Puppet's own files say nothing that is needed here.
    if (wanted == "puppet" || wanted.starts_with("puppet/util") || required_.size() >= max_required_files)
        return;
    const std::string name = wanted.ends_with(".rb") ? wanted : wanted + ".rb";
    std::optional<RubyFiles::File> file;
    if (relative || fs::path(name).is_absolute()) {
        std::string path =
            (relative ? fs::path(file_).parent_path() / name : fs::path(name)).lexically_normal().string();
        if (required_.contains(path) || !files_.read) return;
        if (auto text = files_.read(path)) file = {std::move(path), std::move(*text)};
    } else if (files_.find) {
        file = files_.find(name);
    }
    if (!file || !required_.insert(file->path).second) return;
    try {
        run_file(file->path, file->text);
    } catch (const Error&) {  // one that cannot be read is like one that is not there
    }
}

}  // namespace volley::ruby_source
