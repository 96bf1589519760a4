#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace volley::planner {

/// The agent's program for one kind of machine, as it lies on the controller.
struct AgentProgram {
    std::string machine;  ///< as `uname -m` prints it: "x86_64"
    std::filesystem::path file;
    std::string sum;        ///< SHA-256, in hexadecimal
    std::string quick_sum;  ///< BLAKE2b, in hexadecimal; "" where OpenSSL does not have it
};

/// The programs that came with this Volley, by machine: volley-agent-MACHINE in ../lib/volley beside the
/// program, or beside it; in a build tree volley-agent, for the machine itself. Their checksums are made by
/// the first call, which takes some milliseconds. Any thread may call it.
const std::map<std::string, AgentProgram>& agent_programs();

/// What is in its file, read by the first call and kept for all targets that lack it. Throws Error. Any
/// thread may call it.
const std::string& content_of(const AgentProgram& program);

/// What targets print when they cannot start an agent yet: "VOLLEY-AGENT-MISSING Linux x86_64".
inline constexpr std::string_view missing_mark = "VOLLEY-AGENT-MISSING";
/// What they print after the program was stored, or why it was not.
inline constexpr std::string_view stored_mark = "VOLLEY-AGENT-STORED";
inline constexpr std::string_view refused_mark = "VOLLEY-AGENT-REFUSED";

/// A command for the shell of a target: starts the agent that is cached there, after it has checked owner,
/// mode and checksum: with b2sum, which takes a third of the time of sha256sum, or else with whatever makes
/// SHA-256; without an agent it prints missing_mark.
std::string start_command();

/// An agent that ran on a target: its file, and a stamp that is another one when somebody changed it or its
/// folder since (device, inode, time of the last change and size of both).
struct StartedProgram {
    std::string file;
    std::string stamp;
};
/// Whether what a target says of it can be: one of agent_programs() by its name, with a stamp of the right
/// letters.
bool is_our_program(const StartedProgram& started);
/// What targets print when the agent is not the one that ran there.
inline constexpr std::string_view changed_mark = "VOLLEY-AGENT-CHANGED";
/// A command that starts an agent which was verified and ran before, where the stamp of file and folder is
/// the same and it can be started; else it prints changed_mark.
std::string start_command(const StartedProgram& started);

/// A command that stores the program, which it reads from its standard input, in the first folder that is
/// private to the user and from which programs can be run.
std::string store_command(const AgentProgram& program);

/// What clean_command() prints before the name of a folder.
inline constexpr std::string_view removed_mark = "VOLLEY-AGENT-REMOVED";
inline constexpr std::string_view in_use_mark = "VOLLEY-AGENT-IN-USE";
/// A command that removes the agents and their state from all folders that start_command() looks into, but
/// for one where a run is going on.
std::string clean_command();

}  // namespace volley::planner
