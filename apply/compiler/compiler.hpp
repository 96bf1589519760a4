#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apply/compiler/compile.hpp"
#include "apply/compiler/definitions.hpp"
#include "apply/compiler/resources/collectors.hpp"
#include "apply/compiler/resources/relationships.hpp"
#include "apply/compiler/resources/resource.hpp"
#include "apply/compiler/resources/resource_table.hpp"
#include "apply/compiler/scope.hpp"
#include "apply/types/resource_type.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby/ruby.hpp"

namespace volley {

/// One compilation: evaluates main, the node and its classes; then, in turn, collectors and defined types
/// until nothing new comes; then finishes every resource. Spec "Modus operandi". Lives for one catalog, on
/// one thread.
class Compiler final : public CatalogHooks, public CatalogForRuby {
public:
    Compiler(const CompileRequest& request, Environment& environment);
    Compilation run();

    // CatalogHooks
    Value evaluate(Evaluator& evaluator, const ast::Node& node, const FramePtr& frame) override;
    const Value* class_variable(std::string_view class_name, std::string_view variable) override;
    MissingVariable missing_variable(std::string_view class_name, std::string_view variable) override;
    bool has_class(std::string_view name) override;
    std::vector<std::string> class_names() override { return class_list_; }
    std::vector<std::string> tag_names() override { return catalog_tags_.texts(); }
    Value resource_parameters(std::string_view reference) override;
    void replace_value(const Value& old, const Value& now) override;
    Value parameter(Evaluator& evaluator, const ast::Node& node, const Type& type,
                    const std::string& name) override;

    // CatalogForRuby
    Value resource(std::string_view reference) override;
    Value resource_of(const FramePtr& frame) override;
    std::vector<std::string> resource_references() override;
    Value source_of(const FramePtr& frame) override;
    std::string node_name() override { return request_.node; }
    std::string catalog_version() override { return request_.version; }

    /// The compiler that a function call belongs to. Throws EvalError where no catalog is being compiled.
    static Compiler& of(CallContext& context);
    Scope& scope_of(const FramePtr& frame);

    // What functions do. Names of classes are as written.
    /// Names from strings and references, as include() takes them: "::a::b".
    static std::vector<std::string> class_names(std::span<const Value> arguments);
    /// Declares and evaluates classes that are not there yet; the resources of all of them.
    std::vector<Resource*> include(const std::vector<std::string>& names, Scope& scope);
    /// What a name that no class has is as an error.
    EvalError unknown_class(const std::string& name);
    void contain(Resource& container, Resource& content);
    void set_parameter(Resource& resource, std::string_view name, Value value);
    /// The same without copying the name, which must outlive the compilation: one of a program's tree.
    void bind_parameter(Resource& resource, std::string_view lasting_name, Value value);
    void add_tags(Resource& resource, std::span<const Value> tags);
    bool is_tagged(const Resource& resource, const Value& tag);
    void realize(std::vector<Value> references, Scope& scope);
    /// What a resource statement is made of, once everything in it has a value.
    struct Declaration {
        std::string type;
        bool is_virtual = false;
        bool exported = false;
        Origin at = {};
    };
    std::vector<Value> declare(const Declaration& declaration, const std::vector<Value>& titles,
                               const std::vector<ResourceParameter>& parameters, Scope& scope);
    /// A parameter that no node of the program stands for.
    ResourceParameter make_parameter(std::string_view name, Value value, const Scope& scope);
    /// Keeps a place for as long as the compilation.
    Origin keep(Location place);
    Resource* find_resource(const ResourceKey& key);
    /// "File[/tmp/x]". Throws EvalError for what is not a reference.
    Resource* find_reference(const std::string& text);
    /// The bucket of a native or defined type (any case, "::" in front allowed); nullptr when unknown.
    ResourceBucket* find_type(std::string_view name);
    Definitions& definitions() noexcept { return definitions_; }

private:
    // compiler.cpp
    void set_node_variables();
    void add_settings_class();
    Value evaluate_main();
    void evaluate_node();
    void evaluate_node_classes();
    void evaluate_generators();
    bool evaluate_collectors();
    bool evaluate_defines();
    void fail_on_leftovers() const;
    void check_relationships();
    ResourceBucket& bucket(std::string_view type);
    ResourceBucket& make_bucket(std::string_view type);
    Scope& new_scope(Scope* parent, const FramePtr& enclosing, Resource* resource, const Definition* source);

    // parameter_types.cpp
    void check_parameters_of(Definition& definition);
    bool mean_the_same(const ParameterTypes& types);
    Value evaluate_apart(const ast::Node& node);
    bool read_parameter_types(const Definition& definition, ParameterTypes& types);

    // classes.cpp
    /// A value that a parameter of a class or defined type has.
    struct BoundValue {
        std::string_view name;
        Value value;
    };
    static Value hash_of(std::span<const BoundValue> values);
    Resource& declare_class(Definition& definition, Scope& scope,
                            const std::vector<ResourceParameter>* given);
    void declare_parent(Definition& definition, Resource& resource, Scope& scope);
    Definition* parent_of(Definition& definition);
    void evaluate_resource(Resource& resource);
    void evaluate_code(Resource& resource);
    Scope* parent_scope(Definition& definition);
    Value default_of_parameter(const Resource& resource, const Definition& definition,
                               const ast::Parameter& parameter, const FramePtr& frame);
    void bind_parameters(Resource& resource, Definition& definition, Scope& scope);
    void bind_names(Resource& resource, const Definition& definition, Scope& scope);
    FramePtr frame_of_defaults(const Resource& resource, const Definition& definition, const Scope& scope);
    std::vector<BoundValue> parameter_values(Resource& resource, const Definition& definition, Scope& scope);
    void look_up_parameters(Resource& resource, const Definition& definition, Scope& scope);
    void check_binding(const Resource& resource, const Definition& definition,
                       std::span<const BoundValue> values);
    void add_to_stage(Resource& resource);
    void add_class_name(const std::string& name);

    // resource_statements.cpp
    Value evaluate_statement(const ast::Resource& node, const FramePtr& frame);
    std::string type_of_statement(const ast::Resource& node, const FramePtr& frame);
    /// `unique_in`: the statement that an attribute which comes twice is a mistake of.
    std::vector<ResourceParameter> evaluate_attributes(ast::NodeList operations, const FramePtr& frame,
                                                       const Scope& scope,
                                                       const ast::Node* unique_in = nullptr);
    std::vector<Value> statement_titles(const ast::Node& title, const FramePtr& frame);
    Value evaluate_defaults(const ast::ResourceDefaults& node, const FramePtr& frame);
    Value evaluate_override(const ast::ResourceOverride& node, const FramePtr& frame);
    Resource& make_resource(ResourceBucket& type, ResourceTitle title, Definition* definition, Scope& scope,
                            const std::vector<ResourceParameter>& parameters, bool with_defaults,
                            const Origin& at = {});
    void add_resource(Scope& scope, Resource& resource);
    void check_tags(const Origin& at) const;
    void check_parameter_count(std::size_t count, const Origin& at) const;
    void check_count(std::size_t count, std::size_t limit, std::string_view what, const Origin& at) const;
    void tag_with_value(TagSet& tags, const Value& value, const Origin& at);
    void tag_resource(Resource& resource);

    // overrides.cpp
    struct Override {
        ResourceKey key;
        std::vector<ResourceParameter> parameters;
        const Definition* source = nullptr;
        Origin at = {};
    };
    void add_override(Override override);
    void merge(Resource& resource, const Override& override);
    void store_override(Resource& resource, const ResourceParameter& parameter);
    void override_parameter(Resource& resource, const ResourceParameter& parameter);

    // collectors.cpp
    Value evaluate_collector(const ast::Collect& node, const FramePtr& frame);
    QueryPtr compile_query(const ast::Node& node, const FramePtr& frame);
    bool is_query(const ast::Node& node, const FramePtr& frame);
    Value query_operand(const ast::Node& node, const FramePtr& frame);
    bool collect(Collector& collector);
    std::vector<ResourceParameter> overrides_of(const Collector& collector) const;
    bool collect_fixed(Collector& collector);
    void find_matches(Collector& collector, std::vector<Resource*>& matches);
    static bool find_candidates(const Query& query, ResourceBucket& type, std::vector<Resource*>& candidates);
    bool query_matches(const Query& query, const Resource& resource);
    bool has_tag(const Resource& resource, const Tag& tag) const;

    // relationships.cpp
    Value evaluate_relationship(const ast::Binary& node, const FramePtr& frame);
    Value relationship_end(const Value& value, const ast::Binary& node);
    void connect_all();
    void connect(const Relationship& relationship);
    void connect(const RelationshipMember& source, const RelationshipMember& target, const Value& text,
                 bool notifies);
    std::vector<RelationshipMember> relationship_members(const RelationshipEnd& end, bool leftmost);
    void grow_lists();
    void add_arrows(Resource& resource, std::string_view parameter, std::vector<Value>& added);

    void add_programs(std::span<const std::shared_ptr<const ast::Program>> programs);
    void complete();

    // finish.cpp
    void finish();
    void resolve_deferred_parameters(Resource& resource);
    void finish_resource(Resource& resource);
    void add_scope_tags(Resource& resource);
    void validate(const Resource& resource);
    void spread_metaparameters();
    void check_titles_in(const Value& value);
    void check_late_aliases() const;
    Catalog make_catalog();
    CatalogResource catalog_resource(Resource& resource, std::size_t& tag_bytes);
    void add_catalog_parameters(const Resource& resource, CatalogResource& result) const;

    const CompileRequest& request_;
    Environment& environment_;
    ResourceTypes native_types_;
    // What the catalog points into, so that it lives as long.
    std::shared_ptr<TagPool> tag_pool_ = std::make_shared<TagPool>();
    std::shared_ptr<NamePool> name_pool_ = std::make_shared<NamePool>();
    TagPool& tags_ = *tag_pool_;
    NamePool& names_ = *name_pool_;
    DefinitionLease lease_;
    Definitions definitions_;
    Evaluator evaluator_;
    std::deque<Scope> scopes_;
    std::deque<Resource> resource_storage_;
    std::deque<Location> places_;
    std::unordered_map<std::string, Scope*> class_scopes_;  // of classes and nodes, by name
    template <class T>
    using ByName = std::unordered_map<std::string, T, TextHasher, std::equal_to<>>;
    ByName<std::unique_ptr<ResourceBucket>> buckets_;
    ByName<ResourceBucket*> types_;  // as looked for; those that are unknown may be defined later
    ResourceTable table_;
    std::vector<Resource*> declared_;  // all but Stage[main] and Class[Settings]
    std::vector<Resource*> pending_;   // defines and classes that are not evaluated
    std::vector<std::unique_ptr<Collector>> collectors_;
    std::vector<Collector*> waiting_collectors_;  // not done
    std::vector<Override> overrides_;             // of resources that are not there yet
    std::unordered_map<std::string, std::vector<std::size_t>> overrides_of_;
    std::vector<Relationship> relationships_;
    std::unordered_map<const Shared*, std::vector<Value>>
        growing_lists_;  // what arrows add to lists that are there
    std::vector<std::string> class_list_;
    TagSet catalog_tags_;
    std::uint64_t tag_changes_ = 0;
    std::size_t collector_steps_ = 0;
    std::size_t collected_ = 0;
    bool late_aliases_ = false;  // a resource got an alias after it was declared
    std::size_t arrows_ = 0;
    std::size_t generation_ = 0;
    Scope* top_ = nullptr;
    Scope* node_scope_ = nullptr;
    Resource* main_ = nullptr;
    Resource* main_stage_ = nullptr;
};

/// The functions that need a compiler (functions/registry.def).
const std::vector<const Builtin*>& compiler_builtins();

}  // namespace volley
