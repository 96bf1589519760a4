#include <algorithm>

#include "language/text/text.hpp"
#include "language/types/native_type.hpp"
#include "language/types/object_type.hpp"
#include "language/types/types.hpp"

namespace volley::types {
namespace {

using Attribute = ObjectType::Attribute;

/// Writes "{a => 1, b => 2}" one entry at a time.
class ObjectPrinter {
public:
    explicit ObjectPrinter(std::string& out) : out_(out) { out_ += "{"; }
    ~ObjectPrinter() { out_ += "}"; }
    ObjectPrinter(const ObjectPrinter&) = delete;
    ObjectPrinter& operator=(const ObjectPrinter&) = delete;

    std::string& key(std::string_view text) {
        if (!first_) out_ += ", ";
        first_ = false;
        out_ += text;
        return out_ += " => ";
    }
    void entry(std::string_view text, const Value& value) { key(text) += to_program_text(value); }

private:
    std::string& out_;
    bool first_ = true;
};

void print_flags(ObjectPrinter& printer, const ObjectType::Member& member, bool final) {
    printer.entry("type", Value(member.type));
    if (final) printer.entry("final", Value(true));
    if (member.overrides) printer.entry("override", Value(true));
    if (!member.annotations.is_undef()) printer.entry("annotations", member.annotations);
}

bool is_plain(const ObjectType::Member& member, bool final) {
    return !final && !member.overrides && member.annotations.is_undef();
}

/// `x => Integer`, or with all that there is to say: `x => {type => Integer, value => 3}`.
void print_attribute(std::string& out, const Attribute& attribute) {
    const bool constant = attribute.kind == ObjectType::AttributeKind::Constant;
    const bool final = attribute.final && !constant;
    if (is_plain(attribute, final) && attribute.kind == ObjectType::AttributeKind::Normal &&
        !attribute.value) {
        out += to_string(*attribute.type);
        return;
    }
    ObjectPrinter printer(out);
    print_flags(printer, attribute, final);
    if (attribute.kind != ObjectType::AttributeKind::Normal)
        printer.key("kind") += ObjectType::kind_name(attribute.kind);
    if (attribute.value) printer.entry("value", *attribute.value);
}

void print_function(std::string& out, const ObjectType::Function& function) {
    if (is_plain(function, function.final)) {
        out += to_string(*function.type);
        return;
    }
    ObjectPrinter printer(out);
    print_flags(printer, function, function.final);
}

/// Type parameters are Optional inside; the definition does not say so.
void print_type_parameter(std::string& out, const Attribute& parameter) {
    const TypePtr& type = as<WrapperType>(*parameter.type).type;
    const std::string text = type ? to_string(*type) : "Any";
    if (!parameter.value || parameter.value->is_undef()) {
        out += text;
        return;
    }
    ObjectPrinter printer(out);
    printer.key("type") += text;
    printer.entry("value", *parameter.value);
}

bool is_plain_constant(const Attribute& attribute) {
    return attribute.kind == ObjectType::AttributeKind::Constant &&
           attribute.type->equals(*infer(*attribute.value)->generalize());
}

}  // namespace

void ObjectType::print(std::string& out, const PrintOptions& options) const {
    if (options.expand_aliases) {
        print_definition(out, true);
    } else {
        out += name();
    }
}

void ObjectType::print_definition(std::string& out, bool with_name) const {
    out += "Object[";
    {
        ObjectPrinter printer(out);
        if (!annotations_.is_undef()) printer.entry("annotations", annotations_);
        if (with_name && !name_.empty()) printer.entry("name", Value(name_));
        if (parent_) printer.entry("parent", Value(parent_));
        if (!parameters_.empty()) {
            ObjectPrinter inner(printer.key("type_parameters"));
            for (const Attribute& parameter : parameters_)
                print_type_parameter(inner.key(puppet_quote(parameter.name)), parameter);
        }
        const auto constant_count = std::count_if(attributes_.begin(), attributes_.end(), is_plain_constant);
        if (static_cast<std::size_t>(constant_count) < attributes_.size()) {
            ObjectPrinter inner(printer.key("attributes"));
            for (const Attribute& attribute : attributes_) {
                if (!is_plain_constant(attribute))
                    print_attribute(inner.key(puppet_quote(attribute.name)), attribute);
            }
        }
        if (constant_count > 0) {
            ObjectPrinter inner(printer.key("constants"));
            for (const Attribute& attribute : attributes_) {
                if (is_plain_constant(attribute)) inner.entry(puppet_quote(attribute.name), *attribute.value);
            }
        }
        if (!functions_.empty()) {
            ObjectPrinter inner(printer.key("functions"));
            for (const Function& function : functions_)
                print_function(inner.key(puppet_quote(function.name)), function);
        }
        if (equality_) {
            std::vector<Value> names(equality_->begin(), equality_->end());
            printer.entry("equality", Value(std::move(names)));
        }
        if (!checks_.is_undef()) printer.entry("checks", checks_);
    }
    out += "]";
}

}  // namespace volley::types
