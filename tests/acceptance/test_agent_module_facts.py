"""Facts that modules define in Ruby or put into facts.d, gathered by volley-agent and by the real Facter."""
import json
import shutil
import subprocess

from apply.compare import agent_beside
from harness.bench import Skip

FACTS = {
    "rules": """
require 'facter'
Facter.add(:confined) do
  confine :kernel => %w[linux windows]
  confine(:os) { |os| os['family'].length > 2 }
  confine { true }
  setcode { 'three confines' }
end
Facter.add(:confined) { has_weight 2; setcode { 'weight 2' } }
Facter.add(:not_here) { confine :kernel => :darwin; setcode { 'darwin' } }
Facter.add(:command) { setcode 'printf " word "' }
Facter.add(:no_command) { setcode 'no-such-program-anywhere x' }
Facter.add(:empty) { setcode 'true' }
Facter.add(:other) { setcode { Facter.value(:late).to_s + Facter.value('os.family') + Facter.fact(:kernel).value } }
Facter.add(:of_own_parts) { setcode { Facter.value('parts.inner.1') } }
Facter.add(:parts) { setcode { { 'inner' => [1, { :sym => :bol }] } } }
Facter.add('Mixed.Case') { setcode { 1.5 } }
Facter.add(:kernel) { setcode { 'ignored: a core fact' } }
Facter.add(:virtual) { has_weight 10; setcode { 'replaced' } }
Facter.add(:constant, :value => 'given')
Facter.add(:raises) { setcode { raise 'on purpose' } }
Facter.add(:raises) { setcode { 'not tried any more' } }
Facter.add(:slow, :timeout => 0.2) { setcode { sleep 20 } }
Facter.add(:bad_value) { setcode { Object.new } }
Facter.add(:bytes) { setcode { "\\xff".dup.force_encoding('UTF-8') } }
Facter.add(:latin) { setcode { "\\xe4".dup.force_encoding('ISO-8859-1') } }
Facter.add(:nothing) { setcode { nil } }
Facter.add(:nothing) { setcode { 'second way' } }
Facter.add(:falsehood) { setcode { false } }
Facter.add(:itself) { setcode { Facter.value(:itself) } }
Facter.add(:time) { setcode { Time.at(0).utc } }
Facter.add(:library) { require 'site_words'; setcode { SiteWords::WORD } }
$stdout.puts 'not an answer'
Facter.define_fact(:defined) { define_resolution(:one) { setcode { 'by name' } } }
Facter.define_fact(:defined) { define_resolution(:two) { has_weight 5; setcode { 'heavier' } } }
""",
    "aggregates": """
Facter.add(:sums, :type => :aggregate) do
  chunk(:last, :require => [:first, :second]) { |one, two| { 'last' => one['list'] + two['list'] } }
  chunk(:first) { { 'list' => [1], 'deep' => { 'a' => 1 } } }
  chunk(:second) { { 'list' => [2], 'deep' => { 'b' => 2 } } }
end
Facter.add(:joined, :type => :aggregate) { chunk(:a) { 1 }; chunk(:b) { 2 }; aggregate { |all| all.values.inject(:+) } }
Facter.add(:cyclic, :type => :aggregate) { chunk(:a, :require => :b) { 1 }; chunk(:b, :require => :a) { 2 } }
Facter.add(:unmerged, :type => :aggregate) { chunk(:a) { { 'x' => 1 } }; chunk(:b) { { 'x' => [1] } } }
""",
    "execution": """
E = Facter::Core::Execution
Facter.add(:which) { setcode { [E.which('sh') ? true : false, E.which('no-such-program'), Facter::Util::Resolution.which('/bin/sh')] } }
Facter.add(:run) { setcode { [E.execute('echo a b'), E.exec('no-such-program'), E.execute('no-such', :on_fail => :gone), Facter::Util::Resolution.exec('echo x | tr x y')] } }
Facter.add(:fails) { setcode { begin; E.execute('no-such'); rescue E::ExecutionFailure => e; e.class.name; end } }
Facter.add(:limit) { setcode { E.execute('sleep 30', :timeout => 1, :on_fail => 'late') } }
Facter.add(:env) { setcode { E.with_env('WORD' => 'w') { E.execute('sh -c "echo $WORD $LC_ALL"') } } }
""",
    "late": "Facter.add(:late) { setcode { 'late' } }\nFacter.add(:in_file_of_another_name) { setcode { 1 } }\n",
    "broken": "Facter.add(:before_the_error) { setcode { 1 } }\nraise 'half way'\n",
    "syntax": "Facter.add(:x) {\n",
}
NAMES = """confined not_here command no_command empty other of_own_parts parts mixed.case kernel virtual constant raises slow bad_value bytes
 latin nothing falsehood itself time library defined sums joined cyclic unmerged which run fails limit env late
 in_file_of_another_name before_the_error x""".split()


def ready(b, method="agentless"):
    if not agent_beside(b.volley).exists():
        raise Skip(f"{agent_beside(b.volley)} is not built")
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "apply-method": method, "modulepath": ["modules"]}))
    b.inventory(json.dumps({"targets": [{"uri": "here", "config": {"transport": "local"}}]}))
    b.write("project/plans/facts.pp", "plan site::facts() {\n  apply_prep('here')\n  return get_target('here').facts\n}\n")
    b.env |= {"VOLLEY_AGENT_FOLDER": str(b.folder / "agent")}


def facts_of(b, *words):
    run = b.run("plan", "run", "site::facts", "--format", "json", *words)
    assert run.status == 0, run
    return run.json, run


def kept(b):
    return sorted(path.name for path in (b.folder / "agent/state").iterdir() if path.name.startswith("facts-"))


def test_facts_in_ruby_are_those_of_facter(b):
    """issue 13: weights, confines, aggregates, commands, errors, values: as with the real Facter"""
    ready(b)
    if not shutil.which("facter") or not shutil.which("ruby"):
        raise Skip("facter is not installed")
    for name, text in FACTS.items():
        b.write(f"project/modules/words/lib/facter/{name}.rb", text)
    b.write("project/modules/words/lib/site_words.rb", "module SiteWords; WORD = 'w'; end\n")
    libraries = b.folder / "project/modules/words/lib"
    theirs = json.loads(subprocess.run(["facter", "--json", "--custom-dir", str(libraries / "facter"), *NAMES], capture_output=True,
                                       env={**b.env, "RUBYLIB": str(libraries)}, text=True, timeout=120).stdout.split("not an answer\n")[-1])
    ours, run = facts_of(b)
    wrong = {name: (theirs[name], ours.get(name)) for name in NAMES if theirs[name] != ours.get(name)}
    assert not wrong, wrong
    text = run.err + run.out
    for reason in ("on purpose", "half way", "syntax.rb", "took longer"):
        assert reason in text, (reason, run)


def test_code_for_facts_is_sent_once_and_checked(b):
    """issue 13: nothing is fetched again while nothing changes; what somebody changed there is replaced"""
    ready(b)
    if not shutil.which("ruby"):
        raise Skip("ruby is not installed")
    fact = b.write("project/modules/words/lib/facter/word.rb", "Facter.add(:word) { setcode { 'one' } }\n")
    b.write("project/modules/words/lib/puppet/type/unused.rb", "raise 'never loaded'\n")
    assert facts_of(b)[0]["word"] == "one"
    first = kept(b)
    assert len(first) == 1, first
    folder = b.folder / "agent/state" / first[0]
    assert folder.stat().st_mode & 0o77 == 0, "others can look into it"
    assert not (folder / "words/lib/puppet").exists()
    made = (folder / "bridge.rb").stat().st_mtime_ns
    assert facts_of(b)[0]["word"] == "one"
    assert (folder / "bridge.rb").stat().st_mtime_ns == made, "it was written again"
    (folder / "words/lib/facter/word.rb").write_text("Facter.add(:word) { setcode { 'changed by hand' } }\n")
    assert facts_of(b)[0]["word"] == "one"
    fact.write_text("Facter.add(:word) { setcode { 'two' } }\n")
    assert facts_of(b)[0]["word"] == "two"
    assert len(kept(b)) == 2, kept(b)


def test_external_facts_of_modules_need_no_ruby(b):
    """issue 13: facts.d of modules; facts in Ruby are left out where there is no Ruby, which --log-level info mentions"""
    ready(b)
    if (b.folder / "/opt/puppetlabs/puppet/bin/ruby").exists():
        raise Skip("a Ruby of Puppet is here")
    b.write("project/modules/words/lib/facter/word.rb", "Facter.add(:word) { setcode { 'one' } }\n")
    b.write("project/modules/words/facts.d/text.txt", "of_text=1\n")
    b.write("project/modules/words/facts.d/program.sh", "#!/bin/sh\necho of_program=2\n", 0o755)
    tools = b.folder / "tools"
    tools.mkdir()
    for name in ("sh", "id", "ls", "sha256sum", "cut", "uname", "cat", "mkdir", "mv", "rm", "find", "chmod", "env", "tr", "sed", "mktemp"):
        (tools / name).symlink_to(shutil.which(name))
    b.env["PATH"] = str(tools)
    ours, run = facts_of(b, "--log-level", "info")
    assert ours["of_text"] == "1" and ours["of_program"] == "2" and "word" not in ours, ours
    assert "it has no Ruby" in run.err, run


def test_facts_may_use_puppet_where_it_is(b):
    """issue 13: Puppet is loaded when a fact speaks of it, with its settings"""
    ready(b)
    if not shutil.which("puppet") or not shutil.which("ruby"):
        raise Skip("puppet is not installed")
    b.write("project/modules/words/lib/facter/word.rb", "Facter.add(:of_puppet) { setcode { [Puppet.version, Puppet[:vardir]] } }\n"
            "Facter.add(:is_there) { setcode { defined?(Puppet) ? true : false } }\n")
    ours, run = facts_of(b)
    asked = subprocess.run(["puppet", "config", "print", "vardir"], capture_output=True, text=True, env=b.env, timeout=120).stdout.strip()
    version = subprocess.run(["puppet", "--version"], capture_output=True, text=True, env=b.env, timeout=120).stdout.strip()
    assert ours.get("of_puppet") == [version, asked] and ours["is_there"] is True, (ours.get("of_puppet"), asked, run)


def test_facts_may_require_parts_of_puppet(b):
    """issue 13: as those of stdlib do, whichever part comes first"""
    ready(b)
    if not shutil.which("puppet") or not shutil.which("ruby"):
        raise Skip("puppet is not installed")
    version = subprocess.run(["puppet", "--version"], capture_output=True, text=True, env=b.env, timeout=120).stdout.strip()
    for parts in (["puppet"], ["puppet/type", "puppet/type/package"], ["puppet/version"], ["puppet/util/execution"]):
        b.write("project/modules/words/lib/facter/word.rb", "".join(f"require '{part}'\n" for part in parts) +
                "Facter.add(:of_puppet) { setcode { [Puppet.version, Puppet::Type.type(:package).name.to_s, Puppet[:vardir].empty?] } }\n")
        ours, run = facts_of(b)
        assert ours.get("of_puppet") == [version, "package", False], (parts, ours.get("of_puppet"), run)
        assert "could not be read" not in run.err, run


def test_volley_facts_has_those_of_modules(b):
    """issue 13: volley facts, by name and all"""
    ready(b)
    if not shutil.which("ruby"):
        raise Skip("ruby is not installed")
    b.write("project/modules/words/lib/facter/word.rb", "Facter.add(:word) { setcode { { 'of' => Facter.value(:osfamily) } } }\n")
    family = json.loads((b.run("facts", "os.family", "-t", "here", "--format", "json")).out)["items"][0]["value"]["os.family"]
    assert b.run("facts", "word.of", "-t", "here", "--format", "json").value() == {"word.of": family}
    everything = b.run("facts", "-t", "here", "--format", "json").value()
    assert everything["word"] == {"of": family} and "osfamily" not in everything, everything


def test_ruby_facts_do_not_replace_external_ones(b):
    """issue 13: an external fact weighs 10000"""
    ready(b)
    if not shutil.which("ruby"):
        raise Skip("ruby is not installed")
    b.write("project/modules/words/lib/facter/word.rb", "Facter.add(:word) { has_weight 9999; setcode { 'ruby' } }\n"
            "Facter.add(:heavy) { has_weight 10001; setcode { 'ruby' } }\n")
    b.write("project/modules/words/facts.d/text.txt", "word=external\nheavy=external\n")
    ours, _ = facts_of(b)
    assert (ours["word"], ours["heavy"]) == ("external", "ruby"), ours
