#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// Answers of programs that stay the same as long as certain files do, kept from run to run in a folder that
/// is private to the user. An answer is as good as asking: it counts only while each of its files is the very
/// one that it was, by device, inode, size and both times, or is still missing. What cannot be read or
/// written is as if nothing were remembered.
class AnswerMemory {
public:
    /// `folder`: made when there is something to keep. `settled`: seconds for which a file must not have
    /// changed, because a second change within one tick of the clock would not be seen.
    explicit AnswerMemory(std::string folder, double settled = 2);

    std::optional<std::string> recall(const std::string& name, std::string_view circumstances) const;
    /// Call it after the program has ended: `files` are looked at now.
    void keep(const std::string& name, std::string circumstances, std::string answer,
              const std::vector<std::string>& files);
    /// Writes what is new, for the next run.
    void save() noexcept;

private:
    struct Entry {
        std::string circumstances, answer;
        std::map<std::string, std::string> files;  // path to identity
    };
    void load();
    std::string path() const { return folder_ + "/answers.json"; }

    std::string folder_;
    double settled_;
    std::map<std::string, Entry> entries_;
    bool is_new_ = false;
};

}  // namespace volley::agent
