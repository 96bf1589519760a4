#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apply/types/ruby/datum.hpp"
#include "apply/types/ruby/type_description.hpp"
#include "language/ruby/ruby.hpp"

namespace volley::ruby_source {

struct Scope {
    std::map<std::string, Datum, std::less<>> locals;
    std::shared_ptr<Scope> parent;  // a block sees what is around it
};

/// Where required files are. Both may be empty.
struct RubyFiles {
    struct File {
        std::string path;
        std::string text;
    };
    /// The text of a file; nullopt when there is none.
    std::function<std::optional<std::string>(const std::string& path)> read;
    /// The file of that name in the libraries; nullopt when there is none.
    std::function<std::optional<File>(const std::string& name)> find;
};

/// Follows the declarations of a resource type as Ruby would run them, but knows only values that can be
/// found from the source: nothing of the machine is asked, and nothing is run. Where a condition is not
/// known, both branches count. Work is limited; what lies beyond makes a type incomplete. Lives for one file.
class Interpreter {
public:
    explicit Interpreter(RubyFiles files) : files_(std::move(files)) {}
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;
    ~Interpreter();
    /// All types that the program declares.
    std::vector<TypeDescription> types_of(const std::string& path, std::string_view text);

private:
    struct ModuleInfo {
        std::map<std::string, const Node*, std::less<>> methods;
        std::map<std::string, const Node*, std::less<>> singleton_methods;
        std::map<std::string, Datum, std::less<>> constants;
    };
    /// What a resource type is while its body is followed.
    struct TypeBody {
        TypeDescription description;
        ModuleInfo methods;
        std::vector<std::string> extended;  // modules whose methods it has
        bool strange_mixin = false;         // one of them could not be found
    };
    struct Frame {
        std::shared_ptr<Scope> scope;
        TypeBody* type = nullptr;
        AttributeDescription* attribute = nullptr;  // inside of newparam's block
        std::string module;
        Datum block = Datum::of(Datum::Kind::Nil);  // what the method was given
        bool singleton_class = false;               // inside of "class << self"
        bool returned = false;
        Datum result = {};
    };
    struct Exhausted {};

    // interpreter.cpp: expressions
    std::shared_ptr<Scope> new_scope();
    Datum evaluate(const Node& node, Frame& frame);
    Datum evaluate_checked(const Node& node, Frame& frame);
    Datum body(const Node& node, Frame& frame);
    Datum interpolated(const Node& node, Frame& frame);
    Datum array_or_hash(const Node& node, Frame& frame);
    Datum name(const Node& node, Frame& frame);
    Datum constant(std::string_view path, const Frame& frame);
    Datum assign(const Node& node, Frame& frame);
    Datum binary(const Node& node, Frame& frame);
    Datum conditional(const Node& node, Frame& frame);
    Datum one_of(const Node& node, Frame& frame);
    Datum definition(const Node& node, Frame& frame);
    Datum module(const Node& node, Frame& frame);
    ModuleInfo& methods_of(const Frame& frame);
    ModuleInfo* find_module(std::string_view path, std::string_view from);

    // calls.cpp
    Datum call(const Node& node, Frame& frame);
    Datum own_call(const Node& node, std::string_view name, std::vector<Datum> arguments, const Datum& block,
                   Frame& frame);
    std::optional<Datum> module_call(const std::string& module, std::string_view name,
                                     const std::vector<Datum>& arguments, const Datum& block, Frame& frame);
    std::vector<Datum> arguments_of(const Node& node, Frame& frame, Datum& block);
    const Node* find_method(std::string_view name, const Frame& frame, std::string& module);
    Datum run_method(const Node& method, const std::vector<Datum>& arguments, const Datum& block,
                     Frame frame);
    Datum run_block(const Datum& closure, const std::vector<Datum>& arguments, Frame& frame);
    void bind(const Node& code, const std::vector<Datum>& arguments, const Datum& block, Frame& frame);
    Datum iterate(const Datum& receiver, std::string_view name, const Datum& block, Frame& frame);

    // declarations.cpp: what a resource type says of itself
    bool declare(std::string_view name, const std::vector<Datum>& arguments, const Datum& block,
                 Frame& frame);
    void declare_attribute(bool property, const std::vector<Datum>& arguments, const Datum& block,
                           Frame& frame);
    void declare_type(const std::vector<Datum>& arguments, const Datum& block, Frame& frame);
    void register_type(const std::vector<Datum>& arguments);
    void generated_type(const std::vector<Datum>& arguments);
    void read_title_patterns(TypeBody& type, const Datum& patterns);
    void extend(const std::vector<Datum>& modules, Frame& frame);
    void require(const std::vector<Datum>& arguments, bool relative, const Frame& frame);
    void run_file(const std::string& path, std::string_view text);

    RubyFiles files_;
    std::string file_;  // that is being read now
    std::vector<NodePtr> programs_;
    std::set<std::string> required_;
    std::map<std::string, ModuleInfo, std::less<>> modules_;
    std::map<std::string, Datum, std::less<>> instances_;
    std::vector<TypeDescription> types_;
    std::vector<std::weak_ptr<Scope>> scopes_;  // a block kept in a variable holds its own scope
    std::size_t steps_ = 0;
    int depth_ = 0;
};

}  // namespace volley::ruby_source
