"""Random, mostly valid programs that make catalogs; program(seed) returns a case as run.py takes it.

Nearly every reference names something that is there, and parameters mostly fit their types: programs with mistakes end
early, and show little. Every tenth choice or so is odd on purpose.
"""
import random

CLASSES, DEFINES = ["k", "l", "m", "n::o", "p"], ["t", "u", "n::v"]
TAGS, VARIABLES = ["ta", "tb", "a", "k", "n", "o", "tc::td"], ["x", "y", "z", "w"]
ATTRIBUTES = {
    "notify": "message withpath", "file": "content ensure mode owner source target recurse backup",
    "user": "ensure uid gid groups home password shell managehome", "group": "ensure gid members",
    "exec": "path unless onlyif refreshonly creates cwd environment", "package": "ensure provider source",
    "service": "ensure enable hasstatus provider", "schedule": "period repeat range", "tidy": "age recurse matches",
    "filebucket": "server port", "resources": "purge unless_uid",
}
TYPES = ["notify"] * 6 + ["file"] * 3 + list(ATTRIBUTES)
PARAMETERS = {  # type of a parameter: values that it takes
    "": ["'s'", "5", "['q']", "undef", "{ k => 1 }"], "String ": ["'s'", '"é"'], "Integer ": ["7", "-1"],
    "Optional[String] ": ["undef", "'o'"], "Any ": ["undef", "[1, 'Notify[a]']", "default"],
    "Array ": ["[1, [2]]", "[]"], "Boolean ": ["true", "false"], "Enum['a', 'b'] ": ["'a'"],
    "Sensitive ": ["Sensitive('p')"], "Hash ": ["{ a => 1 }"],
}
SCALARS = ["'a'", "'v'", "''", "1", "0", "-3", "1.5", "true", "false", "undef", "'Notify[a]'", "'present'", '"é"',
           "'0644'", "default", "0x1F", "'1'"]
ODD_VALUES = ["/a.b/", "Integer[1, 2]", "SemVer('1.2.3')", "Timestamp('2020-01-01')", "Binary('aGVsbG8=')", "String",
              "Notify", "Resource['file']", "{ 1 => 2, [1] => 'x' }", "[1, 2].map |$i| { $i + 1 }", "Sensitive('s')",
              "Deferred('upcase', ['a'])", "[Deferred('upcase', [Sensitive('s')])]", "Deferred('nosuch')",
              "inline_epp('<%- | $q | -%><%= $q %>', { q => 5 })", "$facts['os']", "lookup('k2')", "fqdn_rand(9)"]
ODD_TITLES = ["'/a/'", "1", "''", "'a[b]'", "undef", "['a', 'b']", "[]", "'main'", "default", "\"a\\nb\"",
              "[['a'], 'c']", "Notify['a']", "'::a'"]
FACTS = ["$facts['os']['family']", "$hostname", "$trusted['certname']", "$environment", "$facts['none']", "$::osfamily"]
HIERARCHY = """version: 5
hierarchy:
  - name: node
    path: 'nodes/%{trusted.certname}.yaml'
  - name: common
    path: common.yaml
"""


def reference_name(type_name):
    return "::".join(part.capitalize() for part in type_name.split("::"))


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.serial, self.depth = 0, 0
        self.classes, self.defines = {}, {}  # name: {parameter: (type, whether it must be given)}
        self.declared = [("notify", "'base'")]  # at top, and never virtual
        self.inside = {}  # what a class declares, for those that inherit from it
        self.included, self.scopes, self.known = set(), [], [[]]
        self.files, self.settings = {}, {}

    # --- choices

    def chance(self, share):
        return self.random.random() < share

    def one(self, items):
        return self.random.choice(items)

    def any_of(self, *weighted):
        makers = [make for _, make in weighted]
        return self.random.choices(makers, [weight for weight, _ in weighted])[0]()

    def several(self, make, least, most, separator=", "):
        return separator.join(make() for _ in range(self.random.randint(least, most)))

    # --- values

    def title(self, type_name):
        if self.chance(0.08):
            return self.one(ODD_TITLES + ["'a'", "'b'"] * 8)
        self.serial += 1
        if type_name in ("file", "tidy"):
            return "'/r%d%s'" % (self.serial, self.one(["", "", "/", "/x"]))
        stem = self.one(["r%d"] * 5 + ["x y%d", "R%d", "é%d", "t::t%d", "%d"]) % self.serial
        return '"%s-${title}"' % stem if "define" in self.scopes else "'%s'" % stem

    def variable(self):
        known = self.known[-1] + self.known[0]
        if known and self.chance(0.7):
            return "$" + self.one(known)
        if self.scopes and self.chance(0.4):
            return "$" + self.one(["title", "name", "module_name", "caller_module_name"])
        return "$nosuch" if self.chance(0.02) else self.one(FACTS)

    def value(self):
        self.depth += 1
        try:
            if self.depth > 3:
                return self.one(SCALARS)
            return self.any_of(
                (10, lambda: self.one(SCALARS)), (2, lambda: "[%s]" % self.several(self.value, 0, 3)),
                (1.5, lambda: "{ %s }" % self.several(lambda: "%s => %s" % (self.one(SCALARS), self.value()), 0, 2)),
                (2, self.variable), (1, lambda: '"p-${%s}"' % self.variable()), (1.5, self.reference),
                (1, lambda: self.one(ODD_VALUES)), (0.7, self.call),
                (0.4, lambda: "%s ? { 'a' => %s, default => %s }" % (self.variable(), self.value(), self.value())))
        finally:
            self.depth -= 1

    def call(self):
        return self.one(["getvar('%s::x')" % self.one(CLASSES), "defined(%s)" % self.reference(),
                         "defined('%s')" % self.one(CLASSES + DEFINES + ["notify", "$x"]),
                         "tagged('%s')" % self.one(TAGS),
                         "lookup('%s::x', { default_value => 'd' })" % self.one(CLASSES), "sprintf('%05.1f', 3)",
                         "[%s].filter |$e| { $e }" % self.value(), "String(Sensitive('x'))"])

    def reference(self):
        if self.chance(0.02):
            return self.one(["Class['%s']" % self.one(CLASSES), "Notify['a', 'b']", "File['/a/']", "Notify",
                             "Stage['main']"])
        type_name, title = self.one(self.declared)
        return "%s[%s]" % (reference_name(type_name), title)

    def condition(self):
        return self.one([self.variable(), "true", "%s == %s" % (self.value(), self.value()), self.call()])

    # --- attributes

    def metaparameter(self):
        name = self.one(["require", "before", "notify", "subscribe"] * 2 + ["tag", "tag", "noop", "loglevel", "audit"])
        fixed = {"noop": "true", "loglevel": "debug", "audit": "all"}
        if name in fixed:
            return "%s => %s" % (name, fixed[name])
        if name == "tag":
            tag = self.one(TAGS)
            return "tag => %s" % self.one(["'%s'" % tag, "['%s', 'y']" % tag, "[['x'], 'Y::z', undef]"])
        return "%s => %s" % (name, self.any_of(
            (6, self.reference), (1, lambda: "'Notify[base]'"), (0.5, lambda: "undef"),
            (2, lambda: "[%s]" % self.several(self.reference, 0, 3))))

    def attributes(self, type_name, overrides=False):
        made = []
        if type_name in ATTRIBUTES:
            made = ["%s => %s" % (name, self.value()) for name in ATTRIBUTES[type_name].split() if self.chance(0.25)]
        else:
            parameters = self.defines.get(type_name) or self.classes.get(type_name) or {}
            made = ["%s => %s" % (name, self.one(PARAMETERS[type_])) for name, (type_, needed) in parameters.items()
                    if needed or self.chance(0.4)]
        if self.chance(0.35):
            made.append(self.metaparameter())
        if overrides:
            made = [one.replace("=>", "+>", 1) if self.chance(0.15) else one for one in made]
        elif made and self.chance(0.06):
            made[0] = "* => { %s }" % made[0]
        return ", ".join(made)

    # --- statements

    def statement(self):
        return self.any_of(
            (10, self.resource), (3, self.instance), (2, self.class_statement), (3, self.include), (4, self.collector),
            (1.5, self.defaults), (3, self.arrows), (1, self.create_resources),
            (1, lambda: "realize(%s)" % self.several(self.reference, 1, 2)),
            (1.2, lambda: "%s(%s)" % (self.one(["notice", "warning", "err", "info"]), self.value())),
            (0.8, lambda: "tag('%s')" % self.one(TAGS)), (1, self.assignment), (1.2, self.conditional),
            (1.2, self.loop))

    def defaults(self):
        type_name = self.one(TYPES + list(self.defines))
        return "%s { %s }" % (reference_name(type_name), self.attributes(type_name))

    def block(self):
        if len(self.scopes) > 5:
            return "  notice('deep')"
        self.scopes.append("block")
        lines = self.several(self.statement, 1, 2, "\n").split("\n") + ["notice('end')"]
        self.scopes.pop()
        return "\n".join("  " + line for line in lines)

    def resource(self):
        type_name, prefix = self.one(TYPES), self.one([""] * 8 + ["@", "@", "@@"])
        bodies = []
        for _ in range(1 if self.chance(0.8) else 2):
            title = self.title(type_name)
            if not self.scopes and not prefix and title.startswith("'"):
                self.declared.append((type_name, title))
            if self.scopes == ["class"] and title.startswith("'"):
                self.inside[self.current].append((type_name, title))
            bodies.append("%s: %s" % (title, self.attributes(type_name)))
        if self.chance(0.08):
            bodies.insert(0, "default: %s" % self.attributes(type_name))
        return "%s%s { %s }" % (prefix, type_name, "; ".join(bodies))

    def instance(self):
        if not self.defines:
            return self.resource()
        name = self.one(list(self.defines))
        return "%s%s { %s: %s }" % (self.one(["", "", "", "@", "@@"]), name, self.title(name), self.attributes(name))

    def class_statement(self):
        fresh = [name for name in self.classes if name not in self.included]
        if not fresh or self.scopes:
            return self.resource()
        name = self.one(fresh)
        self.included.add(name)
        stage = self.one(["", "", "stage => 'early'", "stage => late"])
        return "class { '%s': %s }" % (name, ", ".join(part for part in (self.attributes(name), stage) if part))

    def include(self):
        ready = [name for name, parameters in self.classes.items()
                 if name in self.included or not any(needed for _, needed in parameters.values())]
        if not ready:
            return self.class_statement()
        name = self.one(ready)
        self.included.add(name)
        form = self.one(["%s %s", "%s('%s')", "%s(Class['%s'])", "%s(['::%s'])"])
        return form % (self.one(["include", "include", "contain", "require"]), name)

    def query(self, depth=0):
        if depth < 2 and self.chance(0.3):
            form = self.one(["%s and %s", "%s or %s", "(%s) and %s", "%s or (%s)"])
            return form % (self.query(depth + 1), self.query(depth + 1))
        name, values = self.one([
            ("tag", ["'%s'" % tag for tag in TAGS]), ("title", ["'r1'", "'r2'", "'a'", "'base'"]),
            ("require", [self.reference()]),
            (self.one(["message", "ensure", "mode", "groups", "x"]), ["'a'", "1", "true", "undef", "'present'"])])
        return "%s %s %s" % (name, self.one(["==", "==", "!="]), self.one(values))

    def collector(self, overrides=True):
        type_name = self.one(TYPES + list(self.defines))
        brackets = ("<<|", "|>>") if self.chance(0.06) else ("<|", "|>")
        query = self.query() if self.chance(0.7) else ""
        text = "%s %s %s %s" % (reference_name(type_name), brackets[0], query, brackets[1])
        return text + " { %s }" % self.attributes(type_name, True) if overrides and self.chance(0.35) else text

    def arrows(self):
        def end():
            return self.any_of((5, self.reference), (2, lambda: self.collector(False)), (1, self.resource),
                               (0.3, self.instance), (1, lambda: "[%s]" % self.several(self.reference, 0, 3)))
        return self.several(end, 2, 4, self.one([" -> ", " ~> ", " <- ", " <~ "]))

    def create_resources(self):
        type_name = self.one(["notify", "file", "user"] + list(self.defines))
        items = self.several(lambda: "%s => { %s }" % (self.title(type_name), self.attributes(type_name)), 0, 2)
        return "create_resources('%s%s', { %s })" % (self.one(["", "", "@"]), type_name, items)

    def assignment(self):
        self.serial += 1
        text = "$v%d = %s" % (self.serial, self.value())
        if not self.scopes or self.scopes[-1] != "block":
            self.known[-1].append("v%d" % self.serial)
        return text

    def conditional(self):
        text = "%s %s {\n%s\n}" % (self.one(["if", "unless"]), self.condition(), self.block())
        return text + " else {\n%s\n}" % self.block() if self.chance(0.4) else text

    def loop(self):
        self.known.append(self.known[-1] + ["i"])
        text = "%s.each |$i| {\n%s\n}" % (self.one(["['a', 'b']", "[1, 2]", "{ a => 1 }", "['e']"]), self.block())
        self.known.pop()
        return text

    # --- definitions

    def definition(self, keyword, name, parent=""):
        parameters, written = {}, []
        for variable in VARIABLES[: self.one([0, 0, 1, 1, 2, 3])]:
            type_, needed = self.one(list(PARAMETERS)), self.chance(0.25)
            parameters[variable] = (type_, needed)
            written.append("%s$%s%s" % (type_, variable, "" if needed else " = " + self.one(PARAMETERS[type_])))
        self.current, self.inside[name] = name, []
        self.known.append(list(parameters))
        self.scopes.append(keyword)
        lines = ["%s[%s] { %s }" % (reference_name(type_name), title, self.attributes(type_name, True))
                 for type_name, title in self.inside.get(parent, [])[:1]]
        lines += [line for _ in range(self.random.randint(0, 9)) for line in self.statement().split("\n")]
        self.scopes.pop()
        self.known.pop()
        (self.classes if keyword == "class" else self.defines)[name] = parameters
        head = "%s %s (%s) %s" % (keyword, name, ", ".join(written), "inherits %s " % parent if parent else "")
        return "%s{\n%s\n}" % (head, "\n".join("  " + line for line in lines))

    def data(self):
        values = ["a", "5", "[a, b]", "{a: 1}", "true", "~", "'%{facts.os.family}'"]
        lines = ["%s::%s: %s" % (name, parameter, self.one(values))
                 for name, parameters in self.classes.items() for parameter in parameters if self.chance(0.5)]
        self.files["hiera.yaml"] = HIERARCHY
        options = "lookup_options:\n  k2: {merge: %s}\n" % self.one(["unique", "first"])
        self.files["data/common.yaml"] = "\n".join(["---\n" + options + "k2: [a]"] + lines) + "\n"
        self.files["data/nodes/node1.example.com.yaml"] = "k2: [b]\n"

    def text(self):
        chunks = [self.definition("define", name) for name in self.random.sample(DEFINES, self.random.randint(0, 2))]
        for name in self.random.sample(CLASSES, self.random.randint(0, 4)):
            parents = [one for one in self.classes if not any(needed for _, needed in self.classes[one].values())]
            made = self.definition("class", name, self.one(parents) if parents and self.chance(0.35) else "")
            if self.chance(0.12):
                path = name.split("::")
                self.files["modules/%s/manifests/%s.pp" % (path[0], "/".join(path[1:]) or "init")] = made + "\n"
            else:
                chunks.append(made)
        chunks += [self.statement() for _ in range(self.random.randint(4, 25))]
        if self.chance(0.07):
            chunks.append("node %s {\n%s\n}" % (self.one(["/node1/", "default", "'node1.example.com'"]), self.block()))
        if self.chance(0.4):
            self.random.shuffle(chunks)
        if self.chance(0.2):
            self.data()
        if self.chance(0.15):
            self.settings.update(strict=self.one(["warning", "off"]), strict_variables=False)
        stages = "stage { 'early': before => Stage['main'] }\nstage { 'late': require => Stage['main'] }"
        return "\n".join(["notify { 'base': }", stages] + chunks)


def program(seed):
    made = Program(seed)
    case = {"name": "random %d" % seed, "mode": "catalog", "code": made.text()}
    return {**case, "files": made.files, "settings": made.settings}
