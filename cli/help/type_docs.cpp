#include "cli/help/type_docs.hpp"

#include <array>

namespace volley::cli {

std::span<const TypeDoc> type_docs() {
    static constexpr auto docs = std::to_array<TypeDoc>({
        {"Any", "", "Every value, undef too."},
        {"Array", "T, min, max", "Lists of values of one type, with a number of elements."},
        {"Binary", "", "Bytes."},
        {"Boolean", "true or false", "true and false, or one of them."},
        {"Callable", "types, min, max, block",
         "What can be called with these arguments; `Callable[[types], result]`."},
        {"CatalogEntry", "", "References to classes and resources."},
        {"Class", "name", "References to classes, or to one."},
        {"Collection", "min, max", "Arrays and hashes, with a number of elements."},
        {"Data", "", "What JSON can say: scalars, undef, and arrays and hashes of them."},
        {"Default", "", "The value `default`."},
        {"Deferred", "", "A call that is made later, where the catalog is applied."},
        {"Enum", "texts, true", "These texts and no others; with `true` regardless of case."},
        {"Error", "kind, issue code", "What went wrong, as a value: msg, kind, details, issue_code."},
        {"Float", "min, max", "Floating point numbers in a range."},
        {"Hash", "K, V, min, max", "Hashes with keys and values of these types, with a number of entries."},
        {"Init", "T, arguments", "What `T.new` takes."},
        {"Integer", "min, max", "Whole numbers of 64 bits in a range."},
        {"Iterable", "T",
         "What can be walked over: arrays, hashes, texts, whole numbers, ranges, iterators."},
        {"Iterator", "T", "Elements that are made while they are walked over."},
        {"NotUndef", "T", "Values of T but undef."},
        {"Numeric", "", "Integer and Float."},
        {"Object", "{definition}",
         "Values with attributes and functions; `type P = Object[{...}]` defines a kind of them."},
        {"Optional", "T", "Values of T, and undef; `Optional['text']` for a text."},
        {"Pattern", "regular expressions", "Texts that match one of them."},
        {"Regexp", "pattern", "Regular expressions, or one."},
        {"Resource", "type, titles", "References to resources; `File['/x']` is `Resource[File, '/x']`."},
        {"RichData", "", "What can be written to a catalog: Data and all values with a text of their own."},
        {"Runtime", "name, type", "Objects of the program that runs the language."},
        {"Scalar", "", "ScalarData, regular expressions, versions and times."},
        {"ScalarData", "", "Texts, numbers, true and false."},
        {"SemVer", "ranges", "Semantic versions within the ranges."},
        {"SemVerRange", "", "Ranges of semantic versions."},
        {"Sensitive", "T", "Values that are never shown."},
        {"String", "min, max", "Texts, with a length in characters."},
        {"Struct", "{key => T}", "Hashes with exactly these keys; `Optional['key']` may be missing."},
        {"Timespan", "from, to", "Durations in a range."},
        {"Timestamp", "from, to", "Points in time in a range."},
        {"Tuple", "types, min, max", "Arrays with a type for each element; the last repeats up to `max`."},
        {"Type", "T", "Types; `Type[T]` those whose values are all of type T."},
        {"TypeSet", "{definition}", "A named and versioned set of types."},
        {"URI", "parts", "Uniform resource identifiers."},
        {"Undef", "", "The value `undef`."},
        {"Variant", "types", "Values of any of these types."},
    });
    return docs;
}

}  // namespace volley::cli
