"""secret edit: a file whose encrypted values are edited as plain text (USER-F10)."""
import re
import stat


def editor(b, body):
    """An editor that does this to its file, which is "$1"."""
    program = b.write("editor.sh", f"#!/bin/sh\nset -e\nls -ld \"$(dirname \"$1\")\" \"$1\" > {b.folder}/modes\n"
                      f"cp \"$1\" {b.folder}/seen\ndirname \"$1\" > {b.folder}/where\n{body}\n", 0o755)
    return {"EDITOR": str(program), "VISUAL": ""}


def secrets(b):
    assert b.run("secret", "createkeys").status == 0
    one, two = (b.run("secret", "encrypt", text).out.strip() for text in ("first", "a ]! b"))
    folded = re.sub(r"(.{60})", r"\1\n    ", two)
    return b.write("project/data/common.yaml", f"user: root\npassword: {one}\nother: >\n    {folded}\n", 0o640)


def test_a_secret_is_changed_in_an_editor(b):
    """USER-F10: plain text in a private folder, written back encrypted; what was not changed keeps its ciphertext"""
    file = secrets(b)
    before = file.read_text()
    run = b.run("secret", "edit", file, env=editor(b, "sed -i 's/\\[first\\]/[second]/; $a new: DEC::PKCS7[third]!' \"$1\""))
    assert run.status == 0 and run.out == f"Wrote {file}\n", run
    seen = (b.folder / "seen").read_text()
    assert "password: DEC(1)::PKCS7[first]!\n" in seen and "DEC(2)::PKCS7[a ]! b]!" in seen and "ENC[" not in seen, seen
    folder_mode, file_mode = [line.split()[0] for line in (b.folder / "modes").read_text().splitlines()]
    assert folder_mode.startswith("drwx------") and file_mode.startswith("-rw-------"), (folder_mode, file_mode)
    assert not b.folder.joinpath((b.folder / "where").read_text().strip()).exists()
    after = file.read_text()
    assert after.startswith("user: root\npassword: ENC[PKCS7,") and "first" not in after and "third" not in after, after
    assert after[after.index("other:"):after.index("new:")] == before[before.index("other:"):], after
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    found = [b.run("secret", "decrypt", block).out for block in re.findall(r"ENC\[[^\]]*\]", after)]
    assert found == ["second\n", "a ]! b\n", "third\n"], found


def test_nothing_changes_when_editing_fails(b):
    """USER-F10: an editor that fails, a broken mark, a number that there was not, nothing edited"""
    file = secrets(b)
    before = file.read_text()
    for body, says in (("sed -i s/first/second/ \"$1\"; exit 3", "ended with status 3"),
                       ("sed -i 's/first.!/second/; s/ b.!//' \"$1\"", "not closed with ']!'"),
                       ("sed -i 's/DEC(1)/DEC(9)/' \"$1\"", "Line 2 of the edited file has the number 9"),
                       (f"sed -i s/first/second/ \"$1\"; echo >> {file}", "changed by somebody else")):
        b.refused("secret", "edit", file, env=editor(b, body), says=says)
        assert file.read_text().rstrip("\n") == before.rstrip("\n"), body
    file.write_text(before)
    run = b.run("secret", "edit", file, env=editor(b, ":"))
    assert run.status == 0 and "Nothing was changed" in run.out and file.read_text() == before, run
    b.refused("secret", "edit", says="Must specify a file")
    b.refused("secret", "edit", "none.yaml", says="none.yaml")
