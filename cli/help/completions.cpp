#include "cli/help/completions.hpp"

#include <string_view>

#include "support/error.hpp"

namespace volley::cli {
namespace {

// The answer's first three lines: the part of the word that stays, the whole word, "files" or "words".

// Readline replaces what stands after the last of COMP_WORDBREAKS only, so that part is cut from the
// candidates; a '@' there belongs to what is replaced (rl_special_prefixes).
constexpr std::string_view bash_functions = R"sh(# bash completion for volley
_volley() {
    local answer=() kept typed cut= candidate path
    COMPREPLY=()
    compopt -o nosort 2>/dev/null
    mapfile -t answer < <("${1/#\~\//$HOME/}" --complete line "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    [ "${#answer[@]}" -ge 3 ] || return 0
    kept=${answer[0]} typed=${answer[1]}
    case ${COMP_WORDS[COMP_CWORD]} in
        [\'\"]*) ;;
        *) cut=${typed%"${typed##*["$COMP_WORDBREAKS"]}"} cut=${cut%@} ;;
    esac
    for candidate in "${answer[@]:3}"; do
        printf -v candidate %q "${candidate%%$'\t'*}"
        candidate=$kept$candidate
        COMPREPLY+=("${candidate#"$cut"}")
    done
    if [ "${#COMPREPLY[@]}" -eq 1 ] && [[ ${COMPREPLY[0]} == *[=:.] ]]; then compopt -o nospace; fi
    [ "${answer[2]}" = files ] || return 0
    kept=${kept#"$cut"}
    if [ -z "$kept" ]; then compopt -o filenames; fi
    while IFS= read -r path; do
        if [ -n "$kept" ]; then
            if [ -d "$path" ]; then compopt -o nospace; path+=/; fi
            printf -v path %q "$path"
        fi
        COMPREPLY+=("$kept$path")
    done < <(compgen -f -- "${typed#"${answer[0]}"}")
}
complete -F _volley volley
)sh";

constexpr std::string_view zsh_functions = R"sh(#compdef volley
_volley() {
    local program=${(Q)words[1]} line text kept result=1
    local -a answer whole begun
    program=${program/#\~\//$HOME/}
    answer=("${(@f)$("$program" --complete words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    (( $#answer >= 3 )) || return 1
    kept=$answer[1]
    for line in "${(@)answer[4,-1]}"; do
        text=${${line%%$'\t'*}//:/\\:}
        [[ $line == *$'\t'* ]] && line="$text:${line#*$'\t'}" || line=$text
        if [[ $text == *[=.:] ]]; then begun+=("$line"); else whole+=("$line"); fi
    done
    if [[ $PREFIX == "$kept"* ]]; then
        compset -p $#kept
    else
        compset -p ${#${(q)kept}}
    fi
    (( $#whole + $#begun )) && _describe -V word whole -- begun -S '' && result=0
    [[ $answer[3] == files ]] && _files && result=0
    return result
}
if [ "$funcstack[1]" = _volley ]; then _volley "$@"; else compdef _volley volley; fi
)sh";

constexpr std::string_view fish_functions = R"sh(# fish completion for volley
function __volley_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string unescape)
    test -n "$typed"; or set typed (commandline -ct | string trim -c '\'"')
    set -l answer ($words[1] --complete words $words[2..-1] "$typed" 2>/dev/null)
    set -l count (count $answer)
    test $count -ge 3; or return
    if test $count -gt 3
        for line in $answer[4..-1]
            printf '%s%s\n' $answer[1] $line
        end
    end
    if test $answer[3] = files
        for path in (__fish_complete_path (string sub -s (math (string length -- $answer[1]) + 1) -- $answer[2]))
            printf '%s%s\n' $answer[1] $path
        end
    end
end
complete -c volley -e
complete -c volley -f -k -a '(__volley_complete)'
)sh";

}  // namespace

std::string completions(const std::string& shell) {
    if (shell == "bash") return std::string(bash_functions);
    if (shell == "zsh") return std::string(zsh_functions);
    if (shell == "fish") return std::string(fish_functions);
    throw Error("bolt/cli-error",
                shell.empty() ? "Option '--completions' needs a shell: bash, zsh or fish"
                              : "There are no completions for '" + shell + "': use bash, zsh or fish");
}

}  // namespace volley::cli
