// Puppet's catalog document as text. catalog_json.cpp makes the same one as data.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/catalog/catalog.hpp"
#include "apply/catalog/catalog_parts.hpp"
#include "language/errors.hpp"
#include "support/json/json_text_writer.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

template <class Text>
void write_texts(JsonTextWriter& out, const std::vector<Text>& texts) {
    out.begin_list();
    for (const std::string_view one : texts) {
        out.item();
        out.text(one);
    }
    out.end_list();
}

/// Keys that are texts, as nearly all are: then the object has the same keys in the same order.
bool has_text_keys(const Hash& hash) {
    return std::all_of(hash.begin(), hash.end(), [](const Hash::Entry& entry) {
        return entry.key.is_string() && entry.key.as_string() != "__ptype";
    });
}

/// The common kinds without a detour; what is rare goes through its data.
void write_value(JsonTextWriter& out, const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Undef:
            return out.null();
        case Kind::Boolean:
            return out.boolean(value.as_boolean());
        case Kind::Integer:
            return out.number(value.as_integer());
        case Kind::String:
            if (!is_utf8(value.as_string())) break;  // bytes of a Ruby function: Binary in a catalog
            return out.text(value.as_string());
        case Kind::Array:
            out.begin_list();
            for (const Value& item : value.as_array()) {
                out.item();
                write_value(out, item);
            }
            return out.end_list();
        case Kind::Hash:
            if (!has_text_keys(value.as_hash())) break;
            out.begin_object();
            for (const Hash::Entry& entry : value.as_hash()) {
                out.key(entry.key.as_string());
                write_value(out, entry.value);
            }
            return out.end_object();
        case Kind::Type:
            if (const std::string reference = reference_in_catalog(value); !reference.empty())
                return out.text(reference);
            break;
        default:
            break;
    }
    out.json(catalog_value(value));
}

void write_resource(JsonTextWriter& out, const CatalogResource& resource) {
    out.begin_object();
    out.key("type");
    out.text(resource.type);
    out.key("title");
    out.text(resource.title);
    out.key("tags");
    write_texts(out, resource.tags);
    if (!resource.file.empty()) {
        out.key("file");
        out.text(resource.file);
    }
    if (resource.line > 0) {
        out.key("line");
        out.number(resource.line);
    }
    out.key("exported");
    out.boolean(resource.exported);
    out.key("kind");
    out.text(catalog_kind_text(resource.kind));
    if (!resource.parameters.empty()) {
        out.key("parameters");
        out.begin_object();
        for (const auto& [name, value] : resource.parameters) {
            out.key(name);
            write_value(out, value);
        }
        out.end_object();
    }
    if (!resource.sensitive_parameters.empty()) {
        out.key("sensitive_parameters");
        write_texts(out, resource.sensitive_parameters);
    }
    out.end_object();
}

/// Everything in front of the resources.
void write_head(JsonTextWriter& out, const Catalog& catalog) {
    out.key("tags");
    write_texts(out, catalog.tags);
    out.key("name");
    out.text(catalog.name);
    out.key("version");
    out.text(catalog.version);
    out.key("code_id");
    out.null();
    out.key("catalog_format");
    out.number(2);
    out.key("environment");
    out.text(catalog.environment);
}

/// `buffer` saves making a text for each.
void write_reference(JsonTextWriter& out, const CatalogResource& resource, std::string& buffer) {
    buffer.assign(resource.type).append("[").append(resource.title).append("]");
    out.text(buffer);
}

/// Hands the text on whenever there is a good piece of it.
class CatalogPieces {
public:
    CatalogPieces(JsonTextWriter& out, const std::function<void(std::string_view)>& write)
        : out_(out), write_(write) {}
    void some() {
        if (out_.written().size() >= 65536) all();
    }
    void all() {
        write_(out_.written());
        out_.clear();
    }

private:
    JsonTextWriter& out_;
    const std::function<void(std::string_view)>& write_;
};

}  // namespace

void write_catalog(const Catalog& catalog, const CatalogFormat& format, int indentation,
                   const std::function<void(std::string_view)>& write) {
    const std::vector<bool> shown = shown_resources(catalog, format);
    JsonTextWriter out(indentation);
    CatalogPieces pieces(out, write);
    out.begin_object();
    write_head(out, catalog);
    out.key("resources");
    out.begin_list();
    for (std::size_t i = 0; i < catalog.resources.size(); ++i) {
        if (!shown[i]) continue;
        out.item();
        write_resource(out, catalog.resources[i]);
        pieces.some();
    }
    out.end_list();
    out.key("edges");
    out.begin_list();
    std::string reference;
    for (const CatalogEdge& edge : catalog.edges) {
        if (!shown[edge.source] || !shown[edge.target]) continue;
        out.item();
        out.begin_object();
        out.key("source");
        write_reference(out, catalog.resources[edge.source], reference);
        out.key("target");
        write_reference(out, catalog.resources[edge.target], reference);
        out.end_object();
        pieces.some();
    }
    out.end_list();
    out.key("classes");
    write_texts(out, catalog.classes);
    out.end_object();
    pieces.all();
}

}  // namespace volley
