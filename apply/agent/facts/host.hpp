#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

class AnswerMemory;
class RunningProgram;

/// A question to a program whose answer stays the same as long as certain files do.
struct LastingQuestion {
    std::string name;               ///< under which the answer is remembered: "ruby"
    std::vector<std::string> argv;  ///< the question: one of this name is remembered at a time
    double seconds = 20;
    /// The files on which the answer depends, beside the program; nullopt: it is not to be remembered.
    /// `program`: its real path.
    std::function<std::optional<std::vector<std::string>>(const std::string& program,
                                                          const std::string& answer)>
        depends_on;
    /// What makes it another question, beside program, words, user and environment: FactHost::boot().
    std::string circumstances = {};
};

/// Whether a file is a compiled program, not a script.
bool is_compiled(const std::string& path);

/// The machine as facts see it: its files below a root folder, which a test replaces, and its programs. What
/// cannot be read is as if it were not there. Not thread safe.
class FactHost {
public:
    /// `root`: the folder that is taken for /. Programs are run only when it is / itself.
    explicit FactHost(std::string root = "/");
    ~FactHost();
    FactHost(const FactHost&) = delete;
    FactHost& operator=(const FactHost&) = delete;

    /// Where answers to lasting questions are remembered; without one every question is asked anew. Must
    /// outlive this.
    void remember_in(AnswerMemory& memory) noexcept { memory_ = &memory; }

    /// The first 4 MiB of a file at most; nullopt when it cannot be read.
    std::optional<std::string> read(std::string_view path) const;
    /// The same without blanks at both ends, and empty when it cannot be read.
    std::string word(std::string_view path) const;
    /// Its lines, without their ends.
    std::vector<std::string> lines(std::string_view path) const;
    /// The names in a folder, sorted.
    std::vector<std::string> names(std::string_view folder) const;
    bool exists(std::string_view path) const;
    bool is_folder(std::string_view path) const;
    /// The last part of where a link leads; nullopt when there is no link.
    std::optional<std::string> link_name(std::string_view path) const;
    /// Where the path really lies.
    std::string place(std::string_view path) const;
    /// True when the root is that of the running machine, so that system calls are about it as well.
    bool is_running() const noexcept { return root_.empty(); }

    bool has_program(const std::string& name) const { return program_path(name).has_value(); }
    /// The real path of a program of the running machine; nullopt when it does not have it.
    std::optional<std::string> program_path(const std::string& name) const;
    /// Every path at which a program of this name is looked for, in that order.
    static std::vector<std::string> program_candidates(const std::string& name);
    /// Names the boot of the machine and the start of its first process, which is another one in each
    /// container; nullopt where that cannot be known.
    std::optional<std::string> boot() const;
    /// What a program printed on stdout, in the C locale; nullopt when the machine does not have it or it
    /// takes longer than `seconds`. It is run once, however often it is asked for.
    std::optional<std::string> output_of(const std::vector<std::string>& argv, double seconds = 20) const;
    /// The same for a program whose answer may be remembered.
    std::optional<std::string> answer_to(const LastingQuestion& question) const;
    /// Starts what will be asked for, so that programs run at the same time.
    void begin(const std::vector<std::string>& argv) const;
    void begin_asking(const LastingQuestion& question) const;

private:
    std::string root_;  // without the slash at its end
    mutable std::map<std::vector<std::string>, std::optional<std::string>> outputs_;
    mutable std::map<std::vector<std::string>, std::unique_ptr<RunningProgram>> running_;
    AnswerMemory* memory_ = nullptr;
};

}  // namespace volley::agent
