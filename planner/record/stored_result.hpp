#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/record/known_secrets.hpp"
#include "planner/results/result.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// A result as it is stored: {output, code, signal} of what printed, else {value, object}. nullopt for one
/// that holds a secret.
std::optional<Json> stored_value(const Result& result);

/// The same with secrets redacted and long output cut in its middle. Output is not copied: it is in `output`,
/// and `content` has the lengths (journal/frame.hpp).
class RecordedResult {
public:
    /// `result` must outlive it.
    RecordedResult(const Result& result, std::size_t longest_output);
    ~RecordedResult();
    RecordedResult(const RecordedResult&) = delete;
    RecordedResult& operator=(const RecordedResult&) = delete;

    /// Replaces these secrets in it.
    void mask(const KnownSecrets& secrets);
    /// Nothing was cut or replaced.
    bool whole() const noexcept { return whole_; }
    /// Adds its JSON to `text`. Once.
    void append_content(std::string& text);
    /// After append_content(). Valid as long as the result and this are.
    std::vector<std::string_view> output() const;

private:
    struct Stretch {
        transports::Stream stream;
        std::string_view bytes;
    };
    void cut(const transports::Output& output, std::size_t longest);
    void copy_value();
    std::string text_of_value() const;

    const Result& result_;
    const transports::ExitStatus* status_ = nullptr;  // of what printed
    std::shared_ptr<const Json> value_;  // that of the result, as long as it is recorded as it is
    std::unique_ptr<Json> content_;      // else this is recorded, of what did not print
    std::vector<Stretch> output_;
    std::vector<std::unique_ptr<const std::string>> own_;  // what is not in the result
    std::vector<std::string> texts_;                       // of a value
    bool whole_ = true;
};

/// A result as it was; nullopt when it was not stored in a form that we know.
std::optional<Result> stored_result(const std::string& target, const std::string& action,
                                    std::optional<std::string> object, const Json& stored);

}  // namespace volley::planner
