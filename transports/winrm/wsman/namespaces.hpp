#pragma once

#include <string_view>

/// Namespaces and addresses of WS-Management.
namespace volley::transports::winrm::ns {

inline constexpr std::string_view soap = "http://www.w3.org/2003/05/soap-envelope";
inline constexpr std::string_view addressing = "http://schemas.xmlsoap.org/ws/2004/08/addressing";
inline constexpr std::string_view wsman = "http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd";
inline constexpr std::string_view microsoft = "http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd";
inline constexpr std::string_view shell = "http://schemas.microsoft.com/wbem/wsman/1/windows/shell";
inline constexpr std::string_view transfer = "http://schemas.xmlsoap.org/ws/2004/09/transfer";
inline constexpr std::string_view fault = "http://schemas.microsoft.com/wbem/wsman/1/wsmanfault";
inline constexpr std::string_view powershell = "http://schemas.microsoft.com/powershell";

}  // namespace volley::transports::winrm::ns
