#include "language/lookup/explain.hpp"

#include "language/text/ruby_text.hpp"

namespace volley::lookup {

struct Explainer::Node {
    Explanation about = Explanation::Root;
    Node* parent = nullptr;
    Subject subject;
    std::vector<std::unique_ptr<Node>> branches;
    std::vector<std::string> texts;
    std::string key;
    std::string event;  // "found", "not_found", ...; empty: nothing happened
    Value value;
};

Explainer::Explainer(bool options_only)
    : root_(std::make_unique<Node>()), current_(root_.get()), options_only_(options_only) {}

Explainer::~Explainer() = default;

void Explainer::push(Explanation about, Subject subject) {
    auto node = std::make_unique<Node>();
    node->about = about;
    node->parent = current_;
    node->subject = std::move(subject);
    current_->branches.push_back(std::move(node));
    current_ = current_->branches.back().get();
}

void Explainer::pop() {
    if (current_->parent) current_ = current_->parent;
}

void Explainer::found(const std::string& key, const Value& value, std::string_view event) {
    current_->key = key;
    current_->value = value;
    current_->event = event;
}

void Explainer::not_found(const std::string& key) {
    current_->key = key;
    current_->event = "not_found";
}

void Explainer::location_not_found() { current_->event = "location_not_found"; }

void Explainer::result(const Value& value) {
    current_->value = value;
    current_->event = "result";
}

void Explainer::text_line(std::string text) { current_->texts.push_back(std::move(text)); }

std::string Explainer::text() const {
    std::string out;
    for (const auto& branch : root_->branches) print(out, *branch, "");
    for (const std::string& line : root_->texts) out += line + "\n";
    return out;
}

void Explainer::print_value(std::string& out, const Value& value, const std::string& indent) {
    const std::string inner = indent + "  ";
    const char* separator = "\n";
    if (value.is_hash()) {
        out += '{';
        for (const auto& entry : value.as_hash()) {
            out += separator + inner;
            print_value(out, entry.key, inner);
            out += " => ";
            print_value(out, entry.value, inner);
            separator = ",\n";
        }
        if (!value.as_hash().empty()) out += "\n" + indent;
        out += '}';
    } else if (value.is_array()) {
        out += '[';
        for (const Value& item : value.as_array()) {
            out += separator + inner;
            print_value(out, item, inner);
            separator = ",\n";
        }
        if (!value.as_array().empty()) out += "\n" + indent;
        out += ']';
    } else {
        out += ruby_inspect(value);
    }
}

void Explainer::print_outcome(std::string& out, const Node& node, const std::string& indent) {
    if (node.event == "not_found") {
        out += indent + "No such key: \"" + node.key + "\"\n";
    } else if (node.event.starts_with("found")) {
        out += indent + "Found key: \"" + node.key + "\" value: ";
        print_value(out, node.value, indent);
        if (node.event == "found_in_overrides") out += " in overrides";
        if (node.event == "found_in_defaults") out += " in defaults";
        out += "\n";
    }
    for (const std::string& line : node.texts) out += indent + line + "\n";
}

void Explainer::print_merge(std::string& out, const Node& node, const std::string& indent) const {
    if (node.branches.empty()) return;
    // One branch alone is not a merge.
    if (node.branches.size() == 1) return print(out, *node.branches[0], indent);
    const std::string inner = indent + "  ";
    out += indent + "Merge strategy " + node.subject.name + "\n";
    if (!node.subject.options.is_undef()) {
        out += inner + "Options: ";
        print_value(out, node.subject.options, inner);
        out += "\n";
    }
    for (const auto& branch : node.branches) print(out, *branch, inner);
    if (node.event == "result") {
        out += inner + "Merged result: ";
        print_value(out, node.value, inner);
        out += "\n";
    }
}

void Explainer::print(std::string& out, const Node& node, const std::string& indent) const {
    const std::string inner = indent + "  ";
    const std::string& name = node.subject.name;
    bool outcome = true;
    switch (node.about) {
        case Explanation::Data:
        case Explanation::Meta:
            out += indent + "Searching for \"" + (node.key.empty() ? name : node.key) + "\"\n";
            outcome = false;
            break;
        case Explanation::InvalidKey:
            out += indent + "Invalid key \"" + name + "\"\n";
            return;
        case Explanation::MergeSource:
            out += indent + "Using merge options from \"" + name + "\" hash\n";
            return;
        case Explanation::Module:
            if (node.event == "module_not_found") out += indent + "Module \"" + name + "\" not found\n";
            if (node.event == "module_provider_not_found")
                out += indent + "Module data provider for module \"" + name + "\" not found\n";
            return;
        case Explanation::Interpolation:
            out += indent + "Interpolation on \"" + name + "\"\n";
            outcome = false;
            break;
        case Explanation::Merge:
            return print_merge(out, node, indent);
        case Explanation::Provider:
            out += indent + name + "\n";
            if (!node.subject.configuration.empty())
                out += inner + "Using configuration \"" + node.subject.configuration + "\"\n";
            break;
        case Explanation::Path:
            out += indent + "Path \"" + name + "\"\n" + inner + "Original path: \"" + node.subject.original +
                   "\"\n";
            break;
        case Explanation::Uri:
            out += indent + "URI \"" + name + "\"\n" + inner + "Original uri: \"" + node.subject.original +
                   "\"\n";
            break;
        case Explanation::SubKey:
            out += indent + "Sub key: \"" + name + "\"\n";
            break;
        case Explanation::Segment:
            return print_outcome(out, node, indent);
        case Explanation::Scope:
            out += indent + name + "\n";
            break;
        case Explanation::Root:
            break;
    }
    for (const auto& branch : node.branches) print(out, *branch, inner);
    if (!outcome) return;
    if (node.event == "location_not_found")
        out += inner + (node.about == Explanation::Uri ? "URI" : "Path") + " not found\n";
    print_outcome(out, node, inner);
}

std::string_view Explainer::type_name(Explanation about) {
    switch (about) {
        case Explanation::InvalidKey:
            return "invalid_key";
        case Explanation::MergeSource:
            return "merge_source";
        case Explanation::Module:
            return "module";
        case Explanation::Interpolation:
            return "interpolate";
        case Explanation::Merge:
            return "merge";
        case Explanation::Provider:
            return "data_provider";
        case Explanation::Path:
            return "path";
        case Explanation::Uri:
            return "uri";
        case Explanation::SubKey:
            return "sub_key";
        case Explanation::Segment:
            return "segment";
        case Explanation::Scope:
            return "scope";
        case Explanation::Data:
            return "data";
        case Explanation::Meta:
            return "meta";
        case Explanation::Root:
            break;
    }
    return "root";
}

Value Explainer::data_of(const Node& node) {
    if (node.about == Explanation::Merge && node.branches.size() == 1) return data_of(*node.branches[0]);
    if (node.about == Explanation::MergeSource) {
        return HashBuilder()
            .set("type", type_name(node.about))
            .set("merge_source", node.subject.name)
            .build();
    }
    HashBuilder hash;
    if (!node.branches.empty()) {
        std::vector<Value> branches;
        for (const auto& branch : node.branches) branches.push_back(data_of(*branch));
        hash.set("branches", std::move(branches));
    }
    if (node.about == Explanation::Root) return hash.build();
    const bool named_key = node.about == Explanation::Data || node.about == Explanation::Meta ||
                           node.about == Explanation::InvalidKey;
    const std::string& key = node.key.empty() && named_key ? node.subject.name : node.key;
    if (!key.empty()) hash.set("key", key);
    if (node.event.starts_with("found") || node.event == "result") hash.set("value", node.value);
    if (!node.event.empty()) hash.set("event", node.event);
    if (!node.texts.empty()) hash.set("texts", std::vector<Value>(node.texts.begin(), node.texts.end()));
    hash.set("type", type_name(node.about));
    switch (node.about) {
        case Explanation::Interpolation:
            hash.set("expression", node.subject.name);
            break;
        case Explanation::Scope:
            hash.set("name", node.subject.name);
            break;
        case Explanation::Provider:
            hash.set("name", node.subject.name);
            if (!node.subject.configuration.empty())
                hash.set("configuration_path", node.subject.configuration);
            if (!node.subject.module.empty()) hash.set("module", node.subject.module);
            break;
        case Explanation::Path:
            hash.set("original_path", node.subject.original).set("path", node.subject.name);
            break;
        case Explanation::Uri:
            hash.set("original_uri", node.subject.original).set("uri", node.subject.name);
            break;
        case Explanation::Merge:
            hash.set("merge", node.subject.name);
            if (!node.subject.options.is_undef()) hash.set("options", node.subject.options);
            break;
        default:
            break;
    }
    return hash.build();
}

Value Explainer::data() const {
    return root_->branches.size() == 1 ? data_of(*root_->branches[0]) : data_of(*root_);
}

}  // namespace volley::lookup
