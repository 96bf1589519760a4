#include "transports/shell/powershell/job_script.hpp"

#include <catch2/catch.hpp>

#include "transports/shell/powershell/command_line_session.hpp"

namespace volley::transports {

namespace {

std::string script_of(const PowerShellJob& job) {
    PowerShellDirectory directory;
    directory.placeholder = "volley-directory-x";
    directory.name = "x";
    return job_script(job, directory, "", Marker());
}

PowerShellJob job_of(std::string file) {
    PowerShellJob job;
    job.executable = std::move(file);
    return job;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("PS-003 a file is run by its extension, whatever its case", "[powershell]") {
    struct Row {
        std::string_view file, program, words;
    };
    static constexpr Row rows[] = {
        {"a.rb", "'ruby.exe'", "@('-S',$volley.File)"},
        {"a.PP", "'puppet.bat'", "@('apply',$volley.File)"},
        {"a.py", "'cmd.exe'", "@('/c',('\"'+$volley.File+'\"'))"},
        {"a.exe", "$volley.File", "@()"},
        {"a.BAT", "$volley.File", "@()"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.file) {
            const std::string script = script_of(job_of(std::string(row.file)));
            CHECK(has(script, "$volley.Program=" + std::string(row.program) + "\n"));
            CHECK(has(script, "$volley.Words=" + std::string(row.words) + "\n"));
        }
    }
}

TEST_CASE("PS-003 TRN-006 the option interpreters comes before the extension", "[powershell]") {
    PowerShellJob job = job_of("a.rb");
    job.interpreter = {"C:\\Program Files\\ruby.exe", "-W0"};
    job.arguments = {"a b"};
    const std::string script = script_of(job);
    CHECK(has(script, "$volley.Program='C:\\Program Files\\ruby.exe'\n"));
    CHECK(has(script, "$volley.Words=@('-W0',$volley.File,'a b')\n"));
    job.interpreter = {"'C:\\Program Files\\ruby.exe'"};
    CHECK(has(script_of(job), "$volley.Program='C:\\Program Files\\ruby.exe'\n"));
}

TEST_CASE("PS-006 a .ps1 with standard input is a new PowerShell", "[powershell]") {
    PowerShellJob job = job_of("a.ps1");
    job.is_task = true;
    job.standard_input = R"({"_installdir":"volley-directory-x"})";
    const std::string script = script_of(job);
    CHECK(has(script, "$volley.Program='powershell.exe'\n"));
    CHECK(has(script,
              "$volley.Words=@('-NoProfile','-NonInteractive','-NoLogo','-ExecutionPolicy','Bypass','-File',"
              "$volley.File)\n"));
    // The directory is only known there; in JSON its backslashes are two.
    CHECK(has(script,
              "$volley.Text='{\"_installdir\":\"volley-directory-x\"}'.Replace('volley-directory-x',"
              "$volley.Directory.Replace('\\','\\\\'))\n"));
}

TEST_CASE("PS-008 tasks have Puppet's programs and the directory's modules, scripts do not", "[powershell]") {
    PowerShellJob job = job_of("a.ps1");
    CHECK_FALSE(has(script_of(job), "Puppet Labs"));
    job.is_task = true;
    const std::string script = script_of(job);
    CHECK(has(script, "\\puppet\\bin;"));
    CHECK(has(script, "$env:RUBYLIB = "));
    CHECK(has(script, "$env:PSModulePath += "));
}

TEST_CASE("PS-013 a command line is short and has nothing that is anybody's", "[powershell]") {
    for (const LineReader reader : {LineReader::PowerShell, LineReader::Other}) {
        const std::string line = powershell_line(reader);
        INFO(line);
        CHECK(line.size() < 8191);
        CHECK(line.find_first_of("\"\\\n%") == std::string::npos);
        CHECK(line == powershell_line(reader));
    }
    CHECK(
        powershell_line(LineReader::Other).starts_with("powershell.exe -NoLogo -NoProfile -NonInteractive "));
}

}  // namespace volley::transports
