#include "transports/winrm/psrp/requests.hpp"

#include <array>

#include "transports/winrm/psrp/clixml.hpp"

namespace volley::transports::winrm {
namespace {

constexpr std::string_view object_list =
    "System.Collections.Generic.List`1[[System.Management.Automation.PSObject, System.Management.Automation, "
    "Version=1.0.0.0, Culture=neutral, PublicKeyToken=31bf3856ad364e35]]";
constexpr std::string_view result_types = "System.Management.Automation.Runspaces.PipelineResultTypes";

void apartment_state(ClixmlWriter& xml) {
    xml.enumeration("ApartmentState", "System.Threading.ApartmentState", "Unknown", 2);
}

void begin_setting(ClixmlWriter& xml, std::int32_t key, std::string_view type) {
    xml.begin("En");
    xml.integer("Key", key);
    xml.begin_object("Value");
    xml.begin("MS");
    xml.string("T", type);
}

void end_setting(ClixmlWriter& xml) {
    xml.end("MS");
    xml.end_object();
    xml.end("En");
}

void number_setting(ClixmlWriter& xml, std::int32_t key, std::string_view type, std::int32_t value) {
    begin_setting(xml, key, type);
    xml.integer("V", value);
    end_setting(xml);
}

void pair_setting(ClixmlWriter& xml, std::int32_t key, std::string_view type,
                  std::pair<std::string_view, std::int32_t> first,
                  std::pair<std::string_view, std::int32_t> second) {
    begin_setting(xml, key, type);
    xml.begin_object("V");
    xml.begin("MS");
    xml.integer(first.first, first.second);
    xml.integer(second.first, second.second);
    xml.end("MS");
    xml.end_object();
    end_setting(xml);
}

/// The console that scripts see (3.4). Compatibility: Bolt's sizes; the width decides where Out-String breaks
/// the lines of tables.
void host_settings(ClixmlWriter& xml) {
    constexpr std::string_view size = "System.Management.Automation.Host.Size";
    xml.begin_object("_hostDefaultData");
    xml.begin("MS");
    xml.begin_object("data", {"System.Collections.Hashtable", "System.Object"});
    xml.begin("DCT");
    number_setting(xml, 0, "System.ConsoleColor", 7);
    number_setting(xml, 1, "System.ConsoleColor", 0);
    pair_setting(xml, 2, "System.Management.Automation.Host.Coordinates", {"x", 0}, {"y", 4});
    pair_setting(xml, 3, "System.Management.Automation.Host.Coordinates", {"x", 0}, {"y", 0});
    number_setting(xml, 4, "System.Int32", 25);
    pair_setting(xml, 5, size, {"width", 250}, {"height", 9999});
    pair_setting(xml, 6, size, {"width", 80}, {"height", 25});
    pair_setting(xml, 7, size, {"width", 80}, {"height", 52});
    pair_setting(xml, 8, size, {"width", 199}, {"height", 52});
    begin_setting(xml, 9, "System.String");
    xml.string("V", "Volley");
    end_setting(xml);
    xml.end("DCT");
    xml.end_object();
    xml.end("MS");
    xml.end_object();
}

void host_info(ClixmlWriter& xml, bool of_the_pool) {
    xml.begin_object("HostInfo");
    xml.begin("MS");
    if (of_the_pool) host_settings(xml);
    xml.boolean("_isHostNull", !of_the_pool);
    xml.boolean("_isHostUINull", !of_the_pool);
    xml.boolean("_isHostRawUINull", !of_the_pool);
    xml.boolean("_useRunspaceHost", !of_the_pool);
    xml.end("MS");
    xml.end_object();
}

void pipeline_command(ClixmlWriter& xml, const PipelineCommand& command) {
    static constexpr std::array<std::string_view, 7> merges{
        "MergeMyResult", "MergeToResult", "MergePreviousResults", "MergeError", "MergeWarning",
        "MergeVerbose",  "MergeDebug"};
    xml.begin_object("");
    xml.begin("MS");
    xml.string("Cmd", command.text);
    xml.boolean("IsScript", command.is_script);
    xml.nil("UseLocalScope");
    for (const std::string_view merge : merges) xml.enumeration(merge, result_types, "None", 0);
    xml.enumeration("MergeInformation", result_types, "None", 0);
    xml.begin_object("Args", {object_list, "System.Object"});
    xml.begin("LST");
    for (const CommandParameter& parameter : command.parameters) {
        xml.begin_object("");
        xml.begin("MS");
        if (parameter.name.empty()) {
            xml.nil("N");
        } else {
            xml.string("N", parameter.name);
        }
        if (parameter.value) {
            xml.string("V", *parameter.value);
        } else {
            xml.boolean("V", true);
        }
        xml.end("MS");
        xml.end_object();
    }
    xml.end("LST");
    xml.end_object();
    xml.end("MS");
    xml.end_object();
}

}  // namespace

std::string session_capability_data() {
    ClixmlWriter xml;
    xml.begin_object("");
    xml.begin("MS");
    xml.version("protocolversion", "2.3");
    xml.version("PSVersion", "2.0");
    xml.version("SerializationVersion", "1.1.0.1");
    xml.end("MS");
    xml.end_object();
    return xml.take();
}

std::string init_runspace_pool_data() {
    ClixmlWriter xml;
    xml.begin_object("");
    xml.begin("MS");
    xml.integer("MinRunspaces", 1);
    xml.integer("MaxRunspaces", 1);
    xml.enumeration("PSThreadOptions", "System.Management.Automation.Runspaces.PSThreadOptions", "Default",
                    0);
    apartment_state(xml);
    host_info(xml, true);
    xml.nil("ApplicationArguments");
    xml.end("MS");
    xml.end_object();
    return xml.take();
}

std::string create_pipeline_data(const std::vector<PipelineCommand>& commands, bool takes_input) {
    ClixmlWriter xml;
    xml.begin_object("");
    xml.begin("MS");
    xml.boolean("NoInput", !takes_input);
    apartment_state(xml);
    // Without AddInvocationInfo, which adds 3 KB to every record.
    xml.enumeration("RemoteStreamOptions", "System.Management.Automation.RemoteStreamOptions", "0", 0);
    xml.boolean("AddToHistory", false);
    host_info(xml, false);
    xml.begin_object("PowerShell");
    xml.begin("MS");
    xml.boolean("IsNested", false);
    xml.nil("ExtraCmds");
    xml.begin_object("Cmds", {object_list, "System.Object"});
    xml.begin("LST");
    for (const PipelineCommand& command : commands) pipeline_command(xml, command);
    xml.end("LST");
    xml.end_object();
    xml.nil("History");
    // What native programs write to stderr becomes error records.
    xml.boolean("RedirectShellErrorOutputPipe", true);
    xml.end("MS");
    xml.end_object();
    xml.boolean("IsNested", false);
    xml.end("MS");
    xml.end_object();
    return xml.take();
}

std::string byte_array_data(std::string_view bytes) {
    ClixmlWriter xml;
    xml.bytes("", bytes);
    return xml.take();
}

std::string host_refusal_data(std::int64_t call, std::int32_t method, std::string_view label,
                              std::string_view text) {
    ClixmlWriter xml;
    xml.begin_object("");
    xml.begin("MS");
    xml.long_integer("ci", call);
    xml.enumeration("mi", "System.Management.Automation.Remoting.RemoteHostMethodId", label, method);
    xml.begin_object("me", {"System.Management.Automation.ErrorRecord", "System.Object"});
    xml.to_string(text);
    xml.begin("MS");
    xml.begin_object("Exception", {"System.NotImplementedException", "System.Exception", "System.Object"});
    xml.to_string(text);
    xml.begin("Props");
    xml.string("Message", text);
    xml.end("Props");
    xml.end_object();
    xml.nil("TargetObject");
    xml.string("FullyQualifiedErrorId", "HostCallNotSupported");
    xml.nil("InvocationInfo");
    xml.integer("ErrorCategory_Category", 11);  // NotImplemented
    xml.string("ErrorCategory_Activity", "");
    xml.string("ErrorCategory_Reason", "NotImplementedException");
    xml.string("ErrorCategory_TargetName", "");
    xml.string("ErrorCategory_TargetType", "");
    xml.string("ErrorCategory_Message", "NotImplemented: (:) [], NotImplementedException");
    xml.boolean("SerializeExtendedInfo", false);
    xml.end("MS");
    xml.end_object();
    xml.end("MS");
    xml.end_object();
    return xml.take();
}

}  // namespace volley::transports::winrm
