#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// The machine as facts see it: its files below a root folder, which a test replaces, and its programs. What
/// cannot be read is as if it were not there. Not thread safe.
class FactHost {
public:
    /// `root`: the folder that is taken for /. Programs are run only when it is / itself.
    explicit FactHost(std::string root = "/");

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

    bool has_program(const std::string& name) const;
    /// What a program printed on stdout, in the C locale; nullopt when the machine does not have it or it
    /// takes longer than `seconds`. It is run once, however often it is asked for.
    std::optional<std::string> output_of(const std::vector<std::string>& argv, double seconds = 20) const;

private:
    std::string root_;  // without the slash at its end
    mutable std::map<std::vector<std::string>, std::optional<std::string>> outputs_;
};

}  // namespace volley::agent
