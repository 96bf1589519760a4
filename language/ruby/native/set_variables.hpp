#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "language/evaluator/frame.hpp"
#include "language/ruby/native/object.hpp"
#include "support/json/json.hpp"

namespace volley {
struct CallContext;
}

namespace volley::ruby {

/// The variables that native code sets (scope.setvar). Code changes their objects afterwards and expects to
/// find the change, and symbols, which no value of the language has (compatibility): so the objects are kept
/// beside the frames. Until the outermost run has ended well only the runs under way know what they have set.
/// Used by one thread.
class SetVariables {
public:
    /// The object of a variable that `frame` sees, which code may change; nullopt when no native code has set
    /// it before `time`. An object of an earlier run is copied to `heap` first.
    std::optional<Object> find(const FramePtr& frame, std::string_view name, Heap& heap,
                               std::size_t time = std::numeric_limits<std::size_t>::max());
    /// Grows with each variable that is set.
    std::size_t time() const noexcept { return time_; }
    /// Throws NotNative for what the worker refuses, such as a variable that is there.
    void set(const FramePtr& frame, const std::string& name, const Object& value);
    /// Whether runs under way have set or read such variables: then only they know them.
    bool pending() const noexcept { return !pending_.empty(); }
    bool empty() const noexcept { return pending_.empty() && kept_.empty(); }
    /// Throws NotNative when something in the objects cannot outlive the run that has made it.
    void check() const;
    /// The outermost run has ended well, or has not.
    void commit(CallContext& context);
    void roll_back() noexcept { pending_.clear(); }

    /// A kept object with its symbols, for the worker, whose object it is from now on; null when there is
    /// none.
    Json hand_over(const Frame& frame, std::string_view name);

private:
    using Place = std::pair<FramePtr, std::string>;
    struct Pending {
        Object object;       // of the runs' heap
        bool known = false;  // its frame has the variable
        std::size_t time = 0;
    };
    struct CommittedObject {
        std::unique_ptr<Heap> heap;
        Object object;
    };
    std::size_t time_ = 1;
    std::map<Place, Pending> pending_;
    std::map<Place, CommittedObject>
        kept_;  // with symbols in them; what is plain data is as good in its frame
};

}  // namespace volley::ruby
