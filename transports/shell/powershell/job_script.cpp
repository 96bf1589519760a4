#include "transports/shell/powershell/job_script.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/json/json_reader.hpp"
#include "support/text.hpp"
#include "transports/shell/powershell/scripts.hpp"

namespace volley::transports {
namespace {

/// JSON with the placeholder of the directory, as an expression that has the directory there.
std::string text_expression(const std::string& text, const std::string& placeholder) {
    std::string expression = powershell_string(text);
    if (!placeholder.empty() && text.find(placeholder) != std::string::npos)
        expression += ".Replace('" + placeholder + "',$volley.Directory.Replace('\\','\\\\'))";
    return expression;
}

std::string in_process(const PowerShellJob& job, const PowerShellVariable& directory) {
    if (job.named_arguments || (job.is_task && !job.standard_input)) {
        const Json values = job.named_arguments ? parse_json(*job.named_arguments) : Json::object();
        return "$volley.Values=" + powershell_value(values, directory) + "\n" + powershell_text("named");
    }
    return "$volley.Words=" + powershell_list(job.arguments) + "\n" + powershell_text("script");
}

std::string unquoted(std::string word) {
    const bool quoted = word.size() > 1 && word.front() == word.back() && (word[0] == '\'' || word[0] == '"');
    return quoted ? word.substr(1, word.size() - 2) : word;
}

std::string as_process(const PowerShellJob& job, const std::string& placeholder) {
    std::vector<std::string> words =
        job.interpreter.empty() ? program_for(lower_extension(job.executable)) : job.interpreter;
    std::string program = "$volley.File";
    std::string list;
    const bool through_cmd = !words.empty() && words.front() == "cmd.exe";
    if (!words.empty()) {
        program = powershell_string(unquoted(words.front()));
        words.erase(words.begin());
        for (const std::string& word : words) list += powershell_string(word) + ",";
        // cmd takes its words apart itself.
        list += through_cmd ? "('\"'+$volley.File+'\"')," : "$volley.File,";
    }
    for (const std::string& word : job.arguments) {
        const bool in_quotes = through_cmd && word.find(' ') != std::string::npos;
        list += powershell_string(in_quotes ? "\"" + word + "\"" : word) + ",";
    }
    if (!list.empty()) list.pop_back();
    const std::string input =
        job.standard_input ? text_expression(*job.standard_input, placeholder) : "$null";
    return "$volley.Program=" + program + "\n$volley.Words=@(" + list + ")\n$volley.Text=" + input + "\n" +
           powershell_text("process");
}

}  // namespace

std::string lower_extension(std::string_view file) {
    return lower(std::filesystem::path(file).extension().string());
}

std::vector<std::string> program_for(std::string_view extension) {
    if (extension == ".rb") return {"ruby.exe", "-S"};
    if (extension == ".pp") return {"puppet.bat", "apply"};
    if (extension == ".ps1")
        return {"powershell.exe", "-NoProfile", "-NonInteractive", "-NoLogo", "-ExecutionPolicy",
                "Bypass",         "-File"};
    // PowerShell runs these itself, also from a path with spaces.
    if (extension == ".exe" || extension == ".com" || extension == ".bat" || extension == ".cmd") return {};
    return {"cmd.exe", "/c"};
}

std::string job_script(const PowerShellJob& job, const PowerShellDirectory& directory,
                       std::string_view packed, const Marker& marker) {
    const PowerShellVariable variable{directory.placeholder, "$volley.Directory"};
    std::string script = "$volley=@{Begin=" + powershell_string(marker.begin) +
                         ";End=" + powershell_string(marker.end) +
                         ";Keep=" + (directory.keep ? "$true" : "$false");
    script += ";Parent=" + (directory.parent ? powershell_string(*directory.parent) : "$null");
    script += ";Name=" + powershell_string(directory.name);
    script += ";Directory=" + (directory.path ? powershell_string(*directory.path) : "$null");
    script += ";Packed='" + base64_encode(packed) + "'}\n";
    if (!directory.path) script += powershell_text("directory") + powershell_text("unpack");
    script += "$volley.Run={\n";
    if (job.is_task) script += powershell_text("prelude");
    script += powershell_environment(job.environment, variable);
    script += "$volley.File=[IO.Path]::GetFullPath([IO.Path]::Combine($volley.Directory," +
              powershell_string(job.executable) + "))\n";
    const bool is_powershell = lower_extension(job.executable) == ".ps1" && !job.standard_input;
    script += is_powershell ? in_process(job, variable) : as_process(job, directory.placeholder);
    script += "}\n" + powershell_text("job");
    // What follows looks at $?.
    return script + "$volley=$null\n";
}

}  // namespace volley::transports
