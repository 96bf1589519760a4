#pragma once

#include <boost/container/small_vector.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/ruby/native/method.hpp"
#include "language/ruby/native/program/program.hpp"

namespace volley::ruby {

/// What a program runs in: its self.
class Self : public HostObject {
public:
    /// What @name is as long as the program has not set it.
    virtual Object instance_variable(Machine& machine, const std::string& name) {
        static_cast<void>(machine);
        static_cast<void>(name);
        return {};
    }
    /// Calls an object that only this side knows, such as a Sensitive or a data type.
    virtual Object call_foreign(Machine& machine, const Object& object, std::string_view method,
                                std::span<const Object> arguments);
    /// A constant that is an object of this side; nullopt when there is none.
    virtual std::optional<Object> constant(Machine& machine, std::string_view name) {
        static_cast<void>(machine);
        static_cast<void>(name);
        return std::nullopt;
    }
    /// As Machine::changes_manifest().
    virtual void changes_manifest() { throw NotNative{"changing a value of the manifest"}; }
    /// A method of a module of this side (Puppet.debug); nullopt when there is none.
    virtual std::optional<Object> call_module(Machine& machine, std::string_view module,
                                              std::string_view method, std::span<const Object> arguments) {
        static_cast<void>(machine);
        static_cast<void>(module);
        static_cast<void>(method);
        static_cast<void>(arguments);
        return std::nullopt;
    }
};

struct ActiveFrame;

/// A block, lambda or method as an object. One of `code` and `method` is set.
struct Closure {
    const BlockCode* code = nullptr;
    ActiveFrame* frame = nullptr;  // around the code
    bool lambda = false;
    std::string_view method = {};  // of "&:name"
};

/// The variables of one call.
struct ActiveFrame {
    boost::container::small_vector<Object, 8> locals;
    ActiveFrame* outer = nullptr;      // of the block's process
    ActiveFrame* home = nullptr;       // of the method that it all belongs to
    const Closure* block = nullptr;    // that the method was given; of a home
    const Closure* closure = nullptr;  // that runs in this frame
    Object match;                      // $~; of a home
};

/// One run of a program. Used by one thread; limited in time, depth and memory.
class Run final : public Machine {
public:
    /// `heap` outlives what is asked of it.
    Run(const Program& program, Self& self, Heap& heap);
    ~Run() override;

    /// The value of the program. Throws Raised for an exception that nothing has rescued, and NotNative.
    Object run();
    /// Calls a method of the program.
    Object call_method(std::string_view name, std::span<const Object> arguments);
    /// Makes all constants of the program, as Ruby does when it loads the file. NotNative when that raises.
    void load_constants();
    /// Whether code runs inside of a catch.
    bool catches() const noexcept { return !tags_.empty(); }
    /// The line that was reached when something was thrown.
    std::uint32_t line() const noexcept { return line_; }

    Heap& heap() override { return heap_; }
    Object yield(const Closure& block, std::span<const Object> arguments) override;
    Object send(const Object& self, std::string_view method, std::span<const Object> arguments,
                const Closure* block = nullptr) override;
    void matched(const Object& match) override;
    void changes_manifest() override { self_.changes_manifest(); }
    void step(std::size_t count = 1) override {
        if ((steps_ += count) > most_steps_) too_many_steps();
    }

private:
    static constexpr int most_depth = 2'000;
    using Arguments = boost::container::small_vector<Object, 6>;
    enum class Jump : std::uint8_t { None, Next, Break, Return };
    struct BreakThrown {
        const Closure* closure;
        Object value;
    };
    struct NextThrown {
        const ActiveFrame* frame;
        Object value;
    };
    struct ReturnThrown {
        const ActiveFrame* frame;
        Object value;
    };
    struct Thrown {
        Object tag;
        Object value;
    };
    class Raising;

    // run.cpp
    /// Runs in a frame that nothing is around: jumps that leave it are not native.
    template <class Steps>
    Object outermost(const Steps& steps);
    Object evaluate(const Code& code, ActiveFrame& frame);
    Object evaluate_more(const Code& code, ActiveFrame& frame);
    Object body(const Code& code, ActiveFrame& frame);
    Object loop(const Code& code, ActiveFrame& frame);
    Object for_each(const Code& code, ActiveFrame& frame);
    Object case_of(const Code& code, ActiveFrame& frame);
    bool fits(const Code& wanted, const Object& subject, ActiveFrame& frame);
    Object interpolated(const Code& code, ActiveFrame& frame);
    Object array(const Code& code, ActiveFrame& frame);
    Object hash(const Code& code, ActiveFrame& frame);
    Object jump(const Code& code, ActiveFrame& frame);
    Object assign(const Code& code, ActiveFrame& frame);
    Object update(const Code& code, ActiveFrame& frame);
    Object module(const Code& code);
    Object& instance(std::uint32_t slot);
    Object captured(const Code& code, const ActiveFrame& frame);
    [[noreturn]] void too_many_steps() const;
    void append_text(std::string& to, const Object& value);

    // constants.cpp
    Object constant(const Constant& asked);
    void borrow(const Object& value);

    // run_calls.cpp
    Object call(const Code& code, ActiveFrame& frame);
    Object operation(const Code& code, ActiveFrame& frame);
    Object call_with(const Code& code, const Object* self, ActiveFrame& frame,
                     std::span<const Object> arguments, const Closure* block);
    Object call_own(const Code& code, std::span<const Object> arguments, const Closure* block);
    Object call_module(const Object& self, std::string_view method, std::span<const Object> arguments,
                       const Closure* block);
    Object call_proc(const Object& self, std::string_view method, std::span<const Object> arguments,
                     const Closure* block);
    Object missing(const Object& self, std::string_view method);
    void arguments_of(const Code& code, ActiveFrame& frame, Arguments& into);
    const Closure* block_of(const Code& code, ActiveFrame& frame);
    const Closure& make_closure(const Closure& closure);

    // run_blocks.cpp
    Object invoke_method(const BlockCode& code, std::span<const Object> arguments, const Closure* block);
    /// `yielded`: by a method, whose block the closure is; otherwise by `call`.
    Object call_closure(const Closure& closure, std::span<const Object> arguments, bool yielded);
    Object invoke_block(const Closure& closure, std::span<const Object> arguments, const Closure* block,
                        bool yielded = false);
    void bind(const BlockCode& code, std::span<const Object> arguments, const Closure* block,
              ActiveFrame& frame);
    void destructure(const std::vector<BlockCode::Parameter>& parameters, const Object& value,
                     ActiveFrame& frame);
    ActiveFrame& new_frame(const BlockCode& code);
    void release(ActiveFrame& frame, const BlockCode& code);
    std::vector<Object> taken_apart(const Object& value);
    Object call_block_here(const Code& code, ActiveFrame& frame);

    // exceptions.cpp
    Object guarded(const Code& code, ActiveFrame& frame);
    Object rescued(const Code& code, const Raised& raised, ActiveFrame& frame);
    bool rescues(const Code& clause, const Raised& raised, ActiveFrame& frame);
    [[noreturn]] void raise(const Code& code, ActiveFrame& frame);
    Object catch_tag(const Code& code, ActiveFrame& frame);
    [[noreturn]] void throw_tag(const Code& code, ActiveFrame& frame);
    Object exception_object(const Raised& raised);

    const Program& program_;
    Self& self_;
    Heap& heap_;
    std::deque<ActiveFrame> frames_;
    std::vector<ActiveFrame*> free_frames_;
    std::deque<Closure> closures_;
    std::vector<Object> literals_;
    std::vector<std::optional<Object>> constants_;  // by their places
    std::size_t constants_known_ = 0;               // how many the code that makes one may use
    std::vector<Object> instances_;
    std::vector<bool> instances_known_;
    std::vector<Object> tags_;      // of catch
    ActiveFrame* frame_ = nullptr;  // that runs now
    Object error_;                  // $!
    Object given_;
    Object jump_value_;
    Jump jump_ = Jump::None;
    std::size_t steps_ = 0;
    const std::size_t most_steps_;  // some seconds of work
    int depth_ = 0;
    std::uint32_t line_ = 0;
};

/// Whether `type` is `ancestor`, or a class below it, among Ruby's exceptions and Puppet's; nullopt when one
/// of them is not known.
std::optional<bool> is_exception_of(std::string_view type, std::string_view ancestor);
bool is_exception_class(std::string_view name);

}  // namespace volley::ruby
