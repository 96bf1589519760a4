#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/evaluator/frame.hpp"
#include "language/value.hpp"

namespace volley {

class Error;

/// What the hooks of a catalog (CatalogHooks) are besides when Ruby code may ask for more than programs can.
class CatalogForRuby {
public:
    virtual ~CatalogForRuby() = default;
    /// A resource of the catalog: a hash of type, title, parameters, tags, file, line, virtual and exported;
    /// undef when "Type[title]" is not declared.
    virtual Value resource(std::string_view reference) = 0;
    /// The same of the class or define whose code the frame is of.
    virtual Value resource_of(const FramePtr& frame) = 0;
    /// "Type[title]" of everything that is declared.
    virtual std::vector<std::string> resource_references() = 0;
    /// What code the frame is of: a hash of top (whether it is the top scope), source_name, source_type,
    /// module, file, line.
    virtual Value surroundings(const FramePtr& frame) = 0;
    virtual std::string node_name() = 0;
    virtual std::string catalog_version() = 0;
};

/// What a LanguageHost is besides when Ruby code runs in plans.
class PlanForRuby {
public:
    virtual ~PlanForRuby() = default;
    /// The Error of the language that plan code would see.
    virtual Value error_value(const Error& error) = 0;
    struct Project {
        std::string name;
        std::string path;
    };
    virtual std::optional<Project> project() = 0;
};

}  // namespace volley
