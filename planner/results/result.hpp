#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/results/result_text.hpp"
#include "support/error.hpp"
#include "support/json/json.hpp"
#include "transports/output.hpp"

namespace volley::planner {

enum class Status { Success, Failure, NotStarted };
/// "success", "failure", "not_started".
std::string_view to_string(Status status) noexcept;

/// What one action did on one target (RES-001 to RES-022). Immutable; copying shares.
/// The output of commands is kept once and turned into JSON only when asked, so that a gigabyte stays one.
class Result {
public:
    /// `position`: file and line of the call in a plan, for the details of an error (PLN-016); may be null.
    static Result of_command(std::string target, std::string action, std::string object,
                             transports::Output output, const Json* position = nullptr);
    static Result of_value(std::string target, std::string action, std::optional<std::string> object,
                           Json value);
    /// The same of an apply, whose catalog (APL-030) is the `_sensitive` of its value: {"catalog": {...}}. It
    /// has megabytes and is not copied.
    static Result of_apply(std::string target, Json value, std::shared_ptr<const Json> catalog);
    /// Compatibility (RES-004): object is null when the result came from an error on the way.
    static Result of_error(std::string target, std::string action, const ErrorInfo& error,
                           const Json* position = nullptr);
    /// For a target on which nothing was done, because of `reason`.
    static Result not_started(std::string target, std::string action, const ErrorInfo& reason);

    const std::string& target() const noexcept;
    const std::string& action() const noexcept;  ///< "command", "script", "task", "upload", ...
    const std::optional<std::string>& object() const noexcept;
    bool ok() const noexcept;  ///< RES-002
    Status status() const noexcept;
    /// nullptr unless it is a command's or script's.
    const transports::Output* output() const noexcept;
    /// The `_error` object; null when ok.
    const Json& error() const noexcept;
    /// RES-005 and so on, with `_sensitive` redacted and bytes that are not UTF-8 escaped.
    Json value() const;
    /// The same, not copied where it is kept: that of an apply has megabytes.
    std::shared_ptr<const Json> shared_value() const;
    /// The value has a `_sensitive`, which must not reach output.
    bool has_sensitive() const noexcept;
    /// What it is; nullptr when there is none, and for a catalog, which only full_value() has.
    const Json* sensitive() const noexcept;
    /// value() with what `_sensitive` holds: for plans, which mark it; must not reach output.
    Json full_value() const;
    /// {target, action, object, status, value}, in that order.
    Json to_json() const;
    /// to_json() as one compact line without a newline, written in pieces: whatever the size of the output,
    /// no second copy of it is made.
    void write_json(const TextSink& sink) const;
    /// The same without the braces around it, for whoever adds members.
    void write_json_members(const TextSink& sink) const;
    /// The whole line, for small results.
    std::string to_json_text() const;

private:
    struct Data;
    static std::shared_ptr<Data> data_of_value(std::string target, std::string action, Json value);
    explicit Result(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
    std::shared_ptr<const Data> data_;
};

/// What a container that ran here did (RES-022).
struct ContainerOutcome {
    std::string image;
    std::shared_ptr<const Json> value;  ///< {stdout, stderr, exit_code}, or {_error}
    bool ok() const noexcept;
    /// {object, status, value}
    Json to_json() const;
};

/// Puts file and line in front of what an error's details say, unless they name a file themselves.
void add_position(Json& error, const Json* position);

/// The results of one action, in the order of RES-020.
class ResultSet {
public:
    ResultSet() = default;
    explicit ResultSet(std::vector<Result> results) : results_(std::move(results)) {}
    const std::vector<Result>& results() const noexcept { return results_; }
    bool ok() const noexcept;
    std::size_t size() const noexcept { return results_.size(); }

private:
    std::vector<Result> results_;
};

}  // namespace volley::planner
