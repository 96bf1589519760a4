#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/private_file.hpp"
#include "planner/journal/frame.hpp"
#include "planner/journal/project_key.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// What a run is, at the head of the frames that it writes.
struct JournalHead {
    std::string plan;
    std::string parameters;  ///< sealed: differs for other parameters, and shows nothing of them
    bool resumed = false;    ///< it goes on where the frames before it end
};

/// How an action ended on a target.
struct JournalOutcome {
    enum class Kind : std::uint8_t {
        Done,    ///< went well; the value is kept
        Unkept,  ///< went well; the value held a secret and is not kept
        Failed,
    };
    Kind kind = Kind::Failed;
    std::shared_ptr<const Json> value;  ///< of Done; of Failed, its error; null: not kept
    std::chrono::nanoseconds elapsed{};
};

/// The journal of runs: a file of sealed frames (frame.hpp), one a line. A run has a head ("run"); each
/// action a frame that says what it is ("step"), and each of its targets one before it begins there ("begin")
/// and one after it ended
/// ("end"). A run that resumes another one appends to it.
/// One run at a time: the file is locked as long as this lives. Loop thread only.
class Journal {
public:
    Journal(ProjectKey key, std::filesystem::path file);
    ~Journal();
    Journal(Journal&&) noexcept;
    Journal& operator=(Journal&&) noexcept;

    /// Reads what is there. nullopt: no such file. Throws Error bolt/file-error, also when another run is at
    /// it, and JournalDamage.
    std::optional<Frames> read();
    /// Begins a new journal in the place of what is there, with these frames of another one first. The old
    /// one stays until the new one is written. Throws Error bolt/file-error; what is not a journal is not
    /// replaced.
    void begin(const JournalHead& head, const std::vector<Json>& carried);
    /// Continues after the frames that read() returned. Throws Error bolt/file-error; the file is then as it
    /// was.
    void go_on(const JournalHead& head);

    using Step = std::uint64_t;
    /// What an action is. `key` and the targets' ids: sealed. Returns what begin and end name.
    Step step(std::string key, std::string description, std::size_t targets);
    void began(Step step, const std::string& id, const std::string& target);
    void ended(Step step, const std::string& id, const JournalOutcome& outcome);

private:
    int write(const Json& content);
    void write_or_warn(const Json& frame);
    void write_step(Step step);
    void lock(UniqueFd& fd, int how) const;
    [[noreturn]] void fail(int reason) const;

    ProjectKey key_;
    std::filesystem::path path_;
    journal::GrowingFile file_;
    UniqueFd read_;  // what read() has locked
    std::size_t whole_bytes_ = 0;
    std::uint64_t frames_ = 0;
    std::map<Step, std::shared_ptr<const Json>> unwritten_;  // steps whose frame is not in the file yet
    Step steps_ = 0;
};

/// A journal as a run that resumes sees it.
struct JournalView {
    struct Part {
        enum class State : std::uint8_t { Begun, Done, Unkept, Failed };
        State state = State::Begun;
        std::string target;                 ///< as people call it
        std::shared_ptr<const Json> value;  ///< of Done
        bool used = false;
    };
    struct Step {
        std::string key;
        std::string description;
        std::size_t targets = 0;
        std::map<std::string, Part> parts;  ///< by id
        bool met = false;                   ///< something of it was used
        /// It went well on all its targets, and all it returned is here.
        bool complete() const;
    };
    JournalHead head;  ///< of the first run
    std::vector<Step> steps;
    /// What began and whose end nobody saw, nor did a later run do it again.
    std::vector<const Step*> unseen() const;

    /// Throws JournalDamage when a frame lacks what it must have.
    static JournalView of(const Frames& frames);
};

}  // namespace volley::planner
