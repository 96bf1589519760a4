#pragma once

#include <string>
#include <vector>

#include "cli/run/session.hpp"

namespace volley::cli {

enum class Health { Ok, Warning, Error };
std::string_view to_string(Health health) noexcept;

/// What `volley doctor` found: one line, with what to do where something is wrong.
struct DoctorFinding {
    Health health = Health::Ok;
    std::string subject;  ///< "project", "inventory", "modules", "keys", "known_hosts"
    std::string message;
    std::string advice;  ///< what to do; empty when all is well
};

/// Looks at the project of a session from this machine: its file, inventory and targets' settings, modules,
/// private keys and known_hosts. Connects to nothing; plugins of the inventory are asked.
std::vector<DoctorFinding> check_project(Session& session);

}  // namespace volley::cli
