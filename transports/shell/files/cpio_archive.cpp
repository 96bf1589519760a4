#include "transports/shell/files/transfer.hpp"

namespace volley::transports {

// A cpio archive of the kind "newc": its headers are text and have no checksum, so printf can make them.
void add_archiver(Program& program) {
    // name, mode, size; the sum of header and name is padded to 4.
    program.add(
        "_vh() { printf '070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\\000' "
        "0 $2 0 0 1 0 $3 0 0 0 0 $((${#1}+1)) 0 \"$1\" >&4; _vz $((${#1}+111)); }");
    program.add(
        "_vz() { case $(($1%4)) in 1) printf '\\000\\000\\000' ;; 2) printf '\\000\\000' ;; "
        "3) printf '\\000' ;; esac >&4; }");
    // _vq: the permission bits of what ls shows as "-rwxr-xr-x"
    program.add(
        "_vo() { _vq=0; _vm=${1#?}; for _vi in 1 2 3 4 5 6 7 8 9; do _vr=${_vm#?}; "
        "case ${_vm%\"$_vr\"} in [rwxst]) _vq=$((_vq*2+1)) ;; *) _vq=$((_vq*2)) ;; esac; "
        "_vm=$_vr; done; }");
    program.add(
        "_vk() { [ -f \"$1\" ] || _vf DOWNLOAD_ERROR \"$1 is neither a file nor a directory\"; "
        "_vs=$(($(wc -c <\"$1\"))); "
        "[ $_vs -lt 4294967296 ] || _vf DOWNLOAD_ERROR \"$1 is too large to download without tar\"; "
        "_vh \"$1\" $((32768+_vq)) $_vs; "
        "_ve=$(cat \"$1\" 2>&1 >&4) || _vf DOWNLOAD_ERROR \"$_ve\"; _vz $_vs; }");
    program.add(
        "_vw() { for _vx in \"$1\"/* \"$1\"/.[!.]* \"$1\"/..?*; do [ -e \"$_vx\" ] || continue; "
        "_ve=$(ls -ldL \"$_vx\" 2>&1) || _vf DOWNLOAD_ERROR \"$_ve\"; _vo \"$_ve\"; "
        "if [ -d \"$_vx\" ]; then _vh \"$_vx\" $((16384+_vq)) 0; _vw \"$_vx\"; "
        "else _vk \"$_vx\"; fi; done; }");
    // Names are counted in bytes.
    program.add("_va() { LC_ALL=C; _vo \"$_vm\"; _vh . $((16384+_vq)) 0; _vw .; _vh 'TRAILER!!!' 0 0; }");
}

}  // namespace volley::transports
