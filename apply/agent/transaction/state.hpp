#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/values/value.hpp"
#include "apply/agent/values/word.hpp"
#include "support/json/json_text_writer.hpp"

namespace volley::agent {

/// What a machine remembers from one run to the next: when a resource was last looked at (for schedules), the
/// values that are audited, and the last value that every property was brought to (for corrective_change). A
/// resource that no run has looked at for 32 days is forgotten, as with Puppet's statettl.
/// One JSON file that only its owner can read, replaced as a whole; one that cannot be read counts as empty
/// and is kept beside under ".bad".
class State {
public:
    /// Empty folder: nothing is remembered.
    explicit State(std::string folder = {});
    bool enabled() const noexcept { return !folder_.empty(); }
    const std::string& folder() const noexcept { return folder_; }
    /// What went wrong with the file, for the log; empty when all is well.
    const std::string& complaint() const noexcept { return complaint_; }

    std::int64_t checked(const std::string& reference) const;  ///< seconds since 1970; 0: never
    void set_checked(const std::string& reference, std::int64_t when);
    void set_synced(const std::string& reference, std::int64_t when);
    const Value* audited(const std::string& reference, std::string_view property);
    void set_audited(const std::string& reference, std::string_view property, Value value);
    const Value* brought_to(const std::string& reference, std::string_view property);
    /// Properties and their values; what is known of others stays.
    void set_brought_to(const std::string& reference,
                        const std::vector<std::pair<Word, const Value*>>& values);
    /// Throws SystemError.
    void save() const;

private:
    using Values = std::vector<std::pair<Word, Value>>;  // by property: a handful
    struct Entry {
        std::int64_t checked = 0;
        std::int64_t synced = 0;
        std::string packed;  ///< what follows as it stands in the file; empty: it is here
        Values audited;
        Values brought_to;
    };
    const Value* find(const std::string& reference, Values Entry::*values, std::string_view property);
    static void set(Values& known, std::string_view property, Value value);
    static Values values_in(const Json& entry, const char* key);
    static void unpack(Entry& entry);
    static void write(JsonTextWriter& out, const Entry& entry);
    void load(const std::string& path);
    bool take_packed(std::string_view line);
    void take(const std::string& reference, const Json& json);
    std::string folder_;
    std::string complaint_;
    std::map<std::string, Entry> entries_;
    JsonTextWriter scratch_;
};

}  // namespace volley::agent
