#pragma once

#include <memory>
#include <string>
#include <vector>

#include "language/value.hpp"

namespace volley::lookup {

/// What a branch of an explanation is about.
enum class Explanation {
    Root,
    Data,  // "Searching for", a key's value
    Meta,  // the same for lookup_options
    InvalidKey,
    MergeSource,  // where merge options came from
    Module,
    Interpolation,
    Merge,
    Provider,  // a layer or a hierarchy entry
    Path,
    Uri,
    SubKey,
    Segment,
    Scope,
};

/// Records how a lookup went: a tree that prints as `puppet lookup --explain` does.
class Explainer {
public:
    /// With `options_only` a lookup explains how lookup_options are found and looks for nothing else.
    explicit Explainer(bool options_only = false);
    ~Explainer();
    bool options_only() const noexcept { return options_only_; }

    /// The whole explanation as text.
    std::string text() const;
    /// The same as data, with Puppet's keys: "branches", "type", "event", ...
    Value data() const;

    struct Subject {
        std::string name;           // a key, an expression, a provider, a path
        std::string original;       // of a Path or Uri, before interpolation
        std::string configuration;  // of a layer: the path of its hiera.yaml
        std::string module;         // of a module's layer
        Value options = {};         // of a Merge, without its strategy; undef: none
    };
    void push(Explanation about, Subject subject);
    void pop();
    void found(const std::string& key, const Value& value, std::string_view event = "found");
    void not_found(const std::string& key);
    void location_not_found();
    void result(const Value& value);
    void text_line(std::string text);

private:
    struct Node;
    static std::string_view type_name(Explanation about);
    void print(std::string& out, const Node& node, const std::string& indent) const;
    void print_merge(std::string& out, const Node& node, const std::string& indent) const;
    static void print_outcome(std::string& out, const Node& node, const std::string& indent);
    static void print_value(std::string& out, const Value& value, const std::string& indent);
    static Value data_of(const Node& node);

    std::unique_ptr<Node> root_;
    Node* current_;
    bool options_only_;
};

}  // namespace volley::lookup
