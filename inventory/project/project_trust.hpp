#pragma once

#include <filesystem>

#include "inventory/project/project.hpp"

namespace volley::inventory {

/// SEC-7: a project can run programs as its user, so one that was found (not named) must be in the hands of
/// that user or of root: its folder, every folder above it, and the files and folders that are read. Nobody
/// else may be able to write there, also when --project names it; BOLT_PROJECT says that the user knows
/// (PRJ-006). Throws Error bolt/project-owner-error, bolt/world-writable-error.
void check_project_trust(const Project& project);

/// The same for one file or folder that is about to be read. Outside of the project nothing is checked: the
/// user's own configuration or command line named it.
void check_path_trust(const Project& project, const std::filesystem::path& path);
/// The same with everything in the folder.
void check_content_trust(const Project& project, const std::filesystem::path& path);

}  // namespace volley::inventory
