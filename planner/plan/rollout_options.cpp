#include "planner/plan/rollout_options.hpp"

#include <array>
#include <optional>
#include <string>

#include "language/text/text.hpp"
#include "planner/fibers/duration.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

constexpr auto names = std::to_array<std::string_view>(
    {"_batch", "_batch_wait", "_canary", "_fail_fast", "_max_failures", "_timeout", "_total_timeout"});

class Reader {
public:
    Reader(const Hash& options, bool any_name) : options_(options), any_name_(any_name) {}

    /// nullptr when it is not given, or undef.
    const Value* find(std::string_view name) const {
        const Value* value = options_.find(name);
        if (!value && any_name_) value = options_.find(name.substr(1));
        return value && !value->is_undef() ? value : nullptr;
    }
    std::optional<Share> share(std::string_view name) const {
        const Value* value = find(name);
        if (!value) return std::nullopt;
        const auto read = parse_share(to_text(*value));
        if (!read) wrong(name, "a number of targets above 0, or a part of them such as '10%'");
        return read;
    }
    std::optional<std::chrono::nanoseconds> seconds(std::string_view name) const {
        const Value* value = find(name);
        if (!value) return std::nullopt;
        double number = 0;
        if (value->is(Kind::Integer)) number = static_cast<double>(value->as_integer());
        if (value->is(Kind::Float)) number = value->as_float();
        if (!(number > 0)) wrong(name, "a number of seconds above 0");
        return bounded_duration(number);
    }
    [[noreturn]] static void wrong(std::string_view name, std::string_view want) {
        throw Error("bolt/validation-error",
                    "Option '" + std::string(name) + "' must be " + std::string(want));
    }

private:
    const Hash& options_;
    bool any_name_;
};

}  // namespace

std::vector<std::string_view> with_rollout_options(std::initializer_list<std::string_view> others) {
    std::vector<std::string_view> all(others);
    all.insert(all.end(), names.begin(), names.end());
    return all;
}

Rollout rollout_of(const Hash& options, bool any_name) {
    const Reader reader(options, any_name);
    Rollout rollout;
    rollout.batch = reader.share("_batch");
    rollout.batch_wait = reader.seconds("_batch_wait").value_or(std::chrono::nanoseconds(0));
    rollout.max_failures = reader.share("_max_failures");
    if (const Value* canary = reader.find("_canary")) {
        if (!canary->is(Kind::Integer) || canary->as_integer() < 1)
            Reader::wrong("_canary", "a number of targets above 0");
        rollout.canary = static_cast<std::size_t>(canary->as_integer());
    }
    if (const Value* fail_fast = reader.find("_fail_fast"); fail_fast && fail_fast->truthy())
        rollout.max_failures = Share{1, false};
    rollout.timeout = reader.seconds("_timeout");
    rollout.total_timeout = reader.seconds("_total_timeout");
    return rollout;
}

}  // namespace volley::planner
