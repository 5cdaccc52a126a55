"""The definitions with rules in CEL, and the objects, that record.py --cases cel_cases sends."""
from cel_functions import FUNCTIONS  # noqa: F401, which record.py evaluates
from cases import BASE, INTEGER, MERGE, STATUS, STRING, definition, keyword, root, spec, version, widget

BOOLEAN = {"type": "boolean"}
NUMBER = {"type": "number"}
APPLY = "application/apply-patch+yaml"


def rule(text, **more):
    return dict({"rule": text}, **more)


def ruled(rules, **properties):
    """A definition whose spec has these rules, texts or whole rules."""
    schema = {"type": "object", "properties": properties,
              "x-kubernetes-validations": [rule(one) if isinstance(one, str) else one for one in rules]}
    return definition(root(spec=schema))


def array(items=None, **more):
    return dict({"type": "array", "items": items or STRING}, **keyword(more))


def text(format=None, **more):
    return dict({"type": "string", **({"format": format} if format else {})}, **more)


def mapping(values=None, **more):
    return dict({"type": "object", "additionalProperties": values or STRING}, **more)


SMALL = {"maxItems": 10}
KEYED = array({"type": "object", "required": ["k"], "properties": {"k": text(maxLength=10), "v": INTEGER}}, list_type="map",
              keys=["k"], **SMALL)
FIELDS = dict(a=INTEGER, b=INTEGER, s=text(maxLength=30), t=text(maxLength=30), n=NUMBER, f=BOOLEAN, l=array(text(maxLength=10), **SMALL),
              m=mapping(text(maxLength=10), maxProperties=10), o={"type": "object", "properties": {"x": INTEGER}})


def bad(name, *rules):
    return name, ruled(rules, **FIELDS)


DEFINITIONS = [
    bad("rule", "self.a > 0"),
    bad("unknown field", "self.z > 0"),
    bad("unknown nested field", "self.o.z > 0"),
    bad("unknown field of has", "has(self.z)"),
    bad("unknown variable", "that.a > 0"),
    bad("wrong type", "self.a > 'x'"),
    bad("wrong types twice", "self.a > 'x' && self.s > 1"),
    bad("string and int", "self.s + self.a == 'x'"),
    bad("double and int", "self.n > 1"),
    bad("not a bool", "self.a"),
    bad("string result", "self.s"),
    bad("syntax", "self.a >"),
    bad("open parenthesis", "(self.a > 0"),
    bad("unknown function", "self.s.foo()"),
    bad("unknown global function", "foo(self.s)"),
    bad("wrong argument", "self.s.startsWith(1)"),
    bad("string without size", "self.a.size() > 0"),
    bad("two rules", "self.a > 0", "self.z > 0"),
    bad("message expression", rule("self.a > 0", messageExpression="'s is ' + self.s")),
    bad("costly message expression", rule("self.a > 0", messageExpression="'a is ' + string(self.a)")),
    bad("message expression of int", rule("self.a > 0", messageExpression="self.a")),
    bad("message expression of unknown field", rule("self.a > 0", messageExpression="self.z")),
    bad("bad rule and message expression", rule("self.z > 0", messageExpression="self.z")),
    bad("transition", "self.a >= oldSelf.a"),
    bad("optional transition", rule("oldSelf.hasValue() || self.a > 0", optionalOldSelf=True)),
    bad("optional transition as value", rule("oldSelf.a > 0", optionalOldSelf=True)),
    bad("optional without transition", rule("self.a > 0", optionalOldSelf=True)),
    bad("field path", rule("self.a > 0", fieldPath=".a", reason="FieldValueRequired")),
    bad("mixed list literal", "self.a in [1, 'x']"),
    bad("bad duration literal", "duration('x') == duration('1s')"),
    bad("bad timestamp literal", "timestamp('x') == timestamp('2024-01-01T00:00:00Z')"),
    bad("bad regex literal", "self.s.matches('(')"),
    bad("null", "self.s == null"),
    bad("macros", "self.l.all(x, x != '') && self.l.exists(x, x == 'a') && self.l.exists_one(x, x == 'a') && "
        "self.l.map(x, x + 'b').filter(x, x.size() > 1).size() > 0"),
    bad("map macros", "self.m.all(k, self.m[k] != '') && 'a' in self.m"),
    bad("two variables", "self.m.all(k, v, k != v) && self.l.all(i, v, i < 10)"),
    bad("transformations", "self.l.transformList(i, v, v).size() > 0 && self.m.transformMap(k, v, v).size() > 0"),
    bad("object macro", "self.o.all(k, k != '')"),
    bad("root", "self.metadata.name == 'a'"),
    ("root rule", definition({"type": "object", "properties": {"spec": {"type": "object"}}, "x-kubernetes-validations": [
        rule("self.metadata.name.startsWith('a') && self.kind == 'Widget' && self.apiVersion != ''")]})),
    ("labels in root rule", definition({"type": "object", "properties": {"spec": {"type": "object"}}, "x-kubernetes-validations": [
        rule("has(self.metadata.labels)")]})),
    ("rule of a string", definition(spec(f=text(maxLength=10, **{"x-kubernetes-validations": [rule("self.startsWith('a')")]})))),
    ("rule of a list", definition(spec(f=array(text(maxLength=10), rules=[rule("self.size() < 3")], **SMALL)))),
    ("rule of an element", definition(spec(f=array({"type": "string", "maxLength": 10, "x-kubernetes-validations": [
        rule("self != 'x'")]}, **SMALL)))),
    ("transition of an element", definition(spec(f=array({"type": "string", "maxLength": 10, "x-kubernetes-validations": [
        rule("self == oldSelf")]}, **SMALL)))),
    ("transition of an element of a map", definition(spec(f=array({"type": "object", "required": ["k"], "properties": {
        "k": text(maxLength=10), "v": INTEGER}, "x-kubernetes-validations": [rule("self.v >= oldSelf.v")]}, list_type="map", keys=["k"],
        **SMALL)))),
    ("preserved fields", ruled(["has(self.p) && self.p.x == 1"], p={"type": "object", "x-kubernetes-preserve-unknown-fields": True})),
    ("preserved value", ruled(["has(self.p)"], p={"x-kubernetes-preserve-unknown-fields": True})),
    ("rule of a preserved value", definition(spec(p={"x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-validations": [
        rule("true")]}))),
    ("int or string", ruled(["type(self.p) == int ? self.p < 5 : self.p.endsWith('%')"], p={"x-kubernetes-int-or-string": True})),
    ("names", ruled(["self.__namespace__ == self.a__dash__b && self.a__dot__b == self.a__slash__b && self.a__underscores__b == self._c"],
                    **{name: text(maxLength=5) for name in ("namespace", "a-b", "a.b", "a/b", "a__b", "_c")})),
    ("unescaped name", ruled(["self.namespace == 'a'"], namespace=STRING)),
    ("name that is no identifier", ruled(["self['1a'] == 'a'"], **{"1a": STRING})),
    ("index of an object", ruled(["self['a'] == 'a'"], a=STRING)),
    ("formats", ruled(["self.d < duration('1h') && self.t < timestamp('2030-01-01T00:00:00Z') && self.y.getFullYear() > 2000 && "
                       "size(self.b) > 1"], d=text("duration"), t=text("date-time"), y=text("date"), b=text("byte", maxLength=10))),
    ("libraries", ruled([
        "self.l.isSorted() && self.l.indexOf('a') < self.l.lastIndexOf('b') && [1, 2].sum() == 3 && [1.5, 2.5].max() > 2.0",
        "self.s.find('[a-z]+') == 'a' && self.s.findAll('[a-z]').size() > 1 && self.s.findAll('a', 1) == ['a']",
        "url(self.s).getScheme() == 'https' && isURL(self.s) && url(self.s).getQuery()['a'][0] == 'b'",
        "quantity(self.s).isGreaterThan(quantity('1Mi')) && isQuantity(self.s) && quantity('1').add(1).compareTo(quantity('2')) == 0",
        "ip(self.s).family() == 4 && isIP(self.s) && !ip(self.s).isLoopback() && string(ip(self.s)) == self.s",
        "cidr(self.s).containsIP('10.0.0.1') && isCIDR(self.s) && cidr(self.s).ip().family() == 4 && cidr(self.s).prefixLength() < 16",
        "!format.dns1123Label().validate(self.s).hasValue() && format.named('uuid').hasValue()",
        "semver(self.s).isGreaterThan(semver('1.0.0')) && isSemver(self.s) && semver('v1.2', true).minor() == 2",
        "sets.contains(self.l, ['a']) && sets.equivalent(self.l, self.l) && sets.intersects(self.l, ['b'])",
        "self.s.lowerAscii().trim().replace('a', 'b').split(',').join('-').substring(1).charAt(0) == 'x'",
        "self.?o.?x.orValue(1) == 1 && optional.of(1).hasValue() && self.?s.hasValue()",
        "'%s is %d'.format([self.s, self.a]) != ''", "self.l.sort() == self.l && lists.range(3).size() == 3"], **FIELDS)),
    ("unknown library", ruled(["math.greatest(1, 2) == 2"], **FIELDS)),
    ("reverse of a string", ruled(["self.s.reverse() == ''"], **FIELDS)),
    ("default that follows the rules", ruled([], f=dict(text(maxLength=5), default="a", **{"x-kubernetes-validations": [
        rule("self == 'a'")]}))),
    ("default against the rules", ruled([], f=dict(text(maxLength=5), default="b", **{"x-kubernetes-validations": [
        rule("self == 'a'", message="must be a")]}))),
    ("schema error beside a rule", ruled(["self.z"], a={"type": "text"})),
    ("costly", ruled(["self.l.all(x, self.l.all(y, x == y))"], l=array(STRING))),
]


def post(query="", **content):
    return ("POST", BASE + query, widget("a", **content))


def put(**content):
    return ("PATCH", BASE + "/a", content, MERGE)


def dry(*specs):
    return [post("?dryRun=All", spec=one) for one in specs]


def named(name, rules, specs, **properties):
    return name, ruled(rules, **properties), dry(*specs)


TWICE = dict(FIELDS, d=text("duration"), w=text("date-time"), y=text("date"), by=text("byte", maxLength=20),
             i={"x-kubernetes-int-or-string": True}, nu=text(maxLength=10, nullable=True))

LIBRARY = {
    "isSorted": ("self.l.isSorted()", [{"l": ["a", "b"]}, {"l": ["b", "a"]}, {"l": []}]),
    "sums": ("[self.a, self.b].sum() == 3 && [self.a, self.b].max() == 2 && [self.a, self.b].min() == 1",
             [{"a": 1, "b": 2}, {"a": 2, "b": 2}, {"a": 9223372036854775807, "b": 1}]),
    "max of nothing": ("self.l.max() == 'a'", [{"l": ["a"]}, {"l": []}]),
    "positions": ("self.l.indexOf('a') == 0 && self.l.lastIndexOf('a') == 2", [{"l": ["a", "b", "a"]}, {"l": ["b"]}]),
    "find": ("self.s.find('[0-9]+') == '12' && self.s.findAll('[a-z]+', 2) == ['a', 'b']", [{"s": "a12b34"}, {"s": "x"}]),
    "url": ("url(self.s).getScheme() == 'https' && url(self.s).getHost() == 'a.b:80' && url(self.s).getHostname() == 'a.b' && "
            "url(self.s).getPort() == '80' && url(self.s).getEscapedPath() == '/c%20d' && url(self.s).getQuery() == {'k': ['v', 'w']}",
            [{"s": "https://a.b:80/c d?k=v&k=w"}, {"s": "https://a.b/"}, {"s": "not a url"}]),
    "quantity": ("quantity(self.s).isLessThan(quantity('1Gi')) && sign(quantity(self.s).add(quantity('1k'))) == 1",
                 [{"s": "500Mi"}, {"s": "2Gi"}, {"s": "-1Mi"}, {"s": "five"}]),
    "quantity as int": ("quantity(self.s).asInteger() == 1000 && quantity(self.s).isInteger() && quantity(self.s) == quantity('1k')",
                        [{"s": "1k"}, {"s": "0.5"}, {"s": "2k"}]),
    "ip": ("ip(self.s).family() == 6 && ip.isCanonical(self.s) && !ip(self.s).isLoopback() && ip(self.s).isGlobalUnicast()",
           [{"s": "2001:db8::1"}, {"s": "2001:DB8::1"}, {"s": "::1"}, {"s": "10.0.0.1"}, {"s": "x"}, {"s": "::ffff:1.2.3.4"}]),
    "cidr": ("cidr(self.s).containsIP('10.1.0.1') && cidr(self.s).containsCIDR('10.1.0.0/24') && cidr(self.s).masked() == cidr(self.s)",
             [{"s": "10.1.0.0/16"}, {"s": "10.1.0.0/25"}, {"s": "10.1.1.1/16"}, {"s": "10.0.0.0"}, {"s": "10.0.0.0/33"}]),
    "format": ("!format.dns1123Label().validate(self.s).hasValue()", [{"s": "a-b"}, {"s": "A"}]),
    "format of nothing": ("format.named(self.s).hasValue()", [{"s": "uuid"}, {"s": "uid"}]),
    "semver": ("semver(self.s).isGreaterThan(semver('1.2.3-rc.1')) && semver(self.s).major() == 1 && isSemver(self.s)",
               [{"s": "1.2.3"}, {"s": "1.2.3-rc.0"}, {"s": "2.0.0"}, {"s": "v1"}, {"s": "1.2"}]),
    "sets": ("sets.contains(self.l, ['a']) && sets.equivalent(self.l, ['a', 'b'])", [{"l": ["b", "a", "a"]}, {"l": ["b"]}]),
    "strings": ("self.s.lowerAscii().trim().split('-') == ['a', 'b'] && self.s.replace('A', 'c').contains('c')",
                [{"s": " A-B "}, {"s": "a-b"}]),
    "substring": ("self.s.substring(2, 4) == 'cd' && self.s.charAt(1) == 'b'", [{"s": "abcd"}, {"s": "ab"}]),
    "optionals": ("self.?o.?x.orValue(5) > 3 && self.?s.optMap(x, x.size()).orValue(0) < 3", [{}, {"o": {"x": 1}}, {"s": "abc"}]),
    "two variables": ("self.m.all(k, v, k == v) && self.l.all(i, v, v == string(i))",
                      [{"m": {"a": "a"}, "l": ["0", "1"]}, {"m": {"a": "b"}, "l": []}, {"m": {}, "l": ["1"]}]),
    "lists": ("self.l.sort() == ['a', 'b'] && self.l.distinct().size() == 2 && self.l.reverse()[0] == 'a'",
              [{"l": ["b", "a"]}, {"l": ["a", "a"]}]),
    "missing field": ("self.a > 1", [{"a": 2}, {"b": 1}]),
    "missing key": ("self.m['a'] == 'x'", [{"m": {"a": "x"}}, {"m": {"b": "x"}}]),
    "missing element": ("self.l[1] == 'x'", [{"l": ["a", "x"]}, {"l": ["x"]}]),
    "division": ("10 / self.a > 1 && 10 % self.a >= 0", [{"a": 3}, {"a": 0}]),
    "modulus": ("10 % self.a >= 0", [{"a": 0}]),
    "overflow": ("self.a + 1 > 0", [{"a": 9223372036854775807}]),
    "error and false": ("self.a > 1 || self.b > 1", [{"b": 2}, {"a": 2}, {"b": 0}]),
    "conversion": ("int(self.s) > 5", [{"s": "6"}, {"s": "x"}]),
    "has": ("has(self.s) && !has(self.t) && (!has(self.o) || has(self.o.x))", [{"s": "a"}, {"s": "", "t": ""}, {"s": "a", "o": {}}]),
    "nullable": ("!has(self.nu) || self.nu == 'a'", [{"nu": None}, {"nu": "a"}, {"nu": "b"}, {}]),
    "int or string": ("type(self.i) == int ? self.i < 5 : self.i.endsWith('%')", [{"i": 4}, {"i": 5}, {"i": "5%"}, {"i": "5"}]),
    "int or string unguarded": ("self.i < 5", [{"i": 4}, {"i": "5%"}]),
    "duration": ("self.d < duration('1h') && self.d.getMinutes() == 30", [{"d": "30m"}, {"d": "90m"}, {"d": "30 minutes"}]),
    "time": ("self.w < timestamp('2024-06-01T00:00:00Z') && self.w.getFullYear() == 2024 && self.w.getMonth() == 0",
             [{"w": "2024-01-31T23:59:59Z"}, {"w": "2024-01-31T23:59:59.5-07:00"}, {"w": "2024-07-01T00:00:00Z"}]),
    "date": ("self.y.getDayOfMonth() == 28", [{"y": "2024-02-29"}, {"y": "2024-02-28"}]),
    "bytes": ("size(self.by) == 3 && self.by == b'abc'", [{"by": "YWJj"}, {"by": "YWJ="}]),
    "doubles": ("self.n > 1.5 && self.n < 3.0", [{"n": 2}, {"n": 1.5}, {"n": 3.5}]),
    "booleans": ("self.f", [{"f": True}, {"f": False}]),
    "formatted": ("'%s:%d:%.1f:%s'.format([self.s, self.a, self.n, self.l]) == 'x:1:2.5:[\"a\"]'",
                  [{"s": "x", "a": 1, "n": 2.5, "l": ["a"]}, {"s": "y", "a": 1, "n": 2.5, "l": []}]),
    "regex": ("self.s.matches('^[a-z]+$')", [{"s": "abc"}, {"s": "ABC"}]),
    "unicode": ("self.s.size() == 2", [{"s": "äö"}, {"s": "😀a"}, {"s": "abc"}]),
    "exists one": ("self.l.exists_one(x, x == 'a')", [{"l": ["a", "b"]}, {"l": ["a", "a"]}]),
}

MESSAGES = [
    rule("self.a != 1"), rule("self.a != 2", message="a must not be 2 "), rule("self.a != 3", messageExpression="'s is ' + self.s"),
    rule("self.a != 4", message="fixed", messageExpression="''"), rule("self.a != 5", message="fixed", messageExpression="'x\\ny'"),
    rule("self.a != 6", message="fixed", messageExpression="self.t"), rule("self.a != 7", reason="FieldValueForbidden", message="no"),
    rule("self.a != 8", reason="FieldValueRequired", fieldPath=".s"), rule("self.a != 9", reason="FieldValueDuplicate"),
    rule("self.a != 10", fieldPath=".o.x", message="at x"), rule("self.a != 11", fieldPath=".m['k']", message="at k"),
    rule("self.a != 12", messageExpression="'no: ' + self.l[3]"), rule("self.a != 13 &&\ntrue", message="two lines")]

SCALARS = definition(spec(
    s=text(maxLength=10, **{"x-kubernetes-validations": [rule("self != 'x'", message="not x"), rule("self != 'y'", reason="FieldValueDuplicate")]}),
    i=dict(INTEGER, **{"x-kubernetes-validations": [rule("self != 1")]}), f=dict(BOOLEAN, **{"x-kubernetes-validations": [rule("self")]}),
    n=dict(NUMBER, **{"x-kubernetes-validations": [rule("self < 1.0")]}),
    l=array({"type": "string", "maxLength": 5, "x-kubernetes-validations": [rule("self != 'x'")]}, **SMALL),
    m=mapping({"type": "string", "maxLength": 5, "x-kubernetes-validations": [rule("self != 'x'")]}, maxProperties=10),
    nu=text(maxLength=5, nullable=True, **{"x-kubernetes-validations": [rule("self != 'x'")]}),
    ios={"x-kubernetes-int-or-string": True, "x-kubernetes-validations": [rule("self != 1 && self != 'x'")]}))

MOVING = {"type": "object", "properties": dict(
    FIELDS, k=KEYED, set=array(text(maxLength=5), list_type="set", **SMALL),
    at=dict(array(text(maxLength=5), **SMALL))), "x-kubernetes-validations": [
    rule("self.a >= oldSelf.a", message="a must not shrink"), rule("!has(oldSelf.s) || self.s == oldSelf.s", message="s is immutable"),
    rule("!has(oldSelf.k) || self.k == oldSelf.k", message="k is fixed"),
    rule("!has(oldSelf.set) || self.set == oldSelf.set", message="set is fixed"),
    rule("!has(oldSelf.at) || self.at == oldSelf.at", message="at is fixed"),
    rule("oldSelf.hasValue() || self.a < 100", optionalOldSelf=True, message="a starts small")]}

CORRELATED = {"type": "object", "properties": dict(
    k=array({"type": "object", "required": ["k"], "properties": {"k": text(maxLength=10), "v": dict(INTEGER, **{
        "x-kubernetes-validations": [rule("self >= oldSelf", message="v must not shrink")]})}}, list_type="map", keys=["k"], **SMALL),
    m=mapping({"type": "string", "maxLength": 5, "x-kubernetes-validations": [rule("self == oldSelf", message="entry is fixed")]},
              maxProperties=10))}

RATCHET = spec(a=dict(INTEGER, **{"x-kubernetes-validations": [rule("self < 5", message="too large")]}), b=INTEGER,
               l=array({"type": "object", "required": ["k"], "properties": {"k": text(maxLength=5), "v": dict(INTEGER, **{
                   "x-kubernetes-validations": [rule("self < 5")]})}}, list_type="map", keys=["k"], **SMALL),
               at=array(dict(INTEGER, **{"x-kubernetes-validations": [rule("self < 5")]}), **SMALL))

LOOSE = spec(a=INTEGER, b=INTEGER, l=array(
    {"type": "object", "required": ["k"], "properties": {"k": text(maxLength=5), "v": INTEGER}}, list_type="map", keys=["k"], **SMALL),
    at=array(INTEGER, **SMALL))

CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com"
PARTS = definition(versions=[version("v1", dict(root(
    spec={"type": "object", "properties": {"a": INTEGER}},
    status={"type": "object", "properties": {"a": INTEGER, "b": INTEGER}, "x-kubernetes-validations": [
        rule("self.a >= oldSelf.a", message="status must not shrink"), rule("self.a < 10")]}),
    **{"x-kubernetes-validations": [rule("!has(self.status) || !has(self.spec) || self.status.a <= self.spec.a", message="at most spec"),
                                    rule("self.metadata.name != 'b'", message="not b")]}), subresources=STATUS)])

EMBEDDED = ruled([rule("self.e.metadata.name == 'a' && self.e.kind == 'Pod' && self.e.spec.x == 1")], e={
    "type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "object", "properties": {"x": INTEGER}}}})

NAMES = ruled(["self.__namespace__ == 'a' && self.a__dash__b == 'b' && self.a__dot__c == 'c' && self.a__slash__d == 'd' && "
               "self.a__underscores__e == 'e'", "self.m['__x__'] == 'x' && self.m['a.b'] == 'y'"],
              **{name: text(maxLength=5) for name in ("namespace", "a-b", "a.c", "a/d", "a__e")}, m=mapping(text(maxLength=5), maxProperties=5))

COSTLY = ruled(["self.l.all(x, self.l.all(y, self.l.all(z, x + y != z)))"], l=array(text(maxLength=1), maxItems=60))

OBJECTS = [named(name, [text_], specs, **TWICE) for name, (text_, specs) in LIBRARY.items()] + [
    ("messages", ruled(MESSAGES, **FIELDS), dry(*[{"a": value, "s": "x"} for value in range(14)])),
    ("scalars", SCALARS, dry({"s": "x"}, {"s": "y"}, {"s": "z"}, {"i": 1}, {"f": False}, {"n": 2}, {"l": ["a", "x"]}, {"m": {"a": "x"}},
                             {"nu": None}, {"nu": "x"}, {"ios": 1}, {"ios": "x"}, {"ios": 2}, {"s": "x", "i": 1, "f": False})),
    ("invalid object", ruled(["self.a > 1"], a=INTEGER, s=text(maxLength=2), r=text(enum=["a"])), dry(
        {"a": "x"}, {"a": 1, "s": "abc"}, {"a": 1, "r": "b"}, {"a": 1})),
    ("transitions", definition(root(spec=MOVING)), [
        post(spec={"a": 100}), post(spec={"a": 1, "s": "x", "k": [{"k": "a", "v": 1}, {"k": "b", "v": 2}], "set": ["a", "b"],
                                          "at": ["a", "b"]}),
        put(spec={"a": 0}), put(spec={"a": 2}), put(spec={"s": "y"}), put(spec={"s": None}),
        put(spec={"k": [{"k": "b", "v": 2}, {"k": "a", "v": 1}]}), put(spec={"k": [{"k": "a", "v": 1}]}), put(spec={"set": ["b", "a"]}),
        put(spec={"set": ["b"]}), put(spec={"at": ["b", "a"]}), put(spec={"a": 200}), put(spec=None), post()]),
    ("correlated values", definition(root(spec=CORRELATED)), [
        post(spec={"k": [{"k": "a", "v": 5}, {"k": "b", "v": 5}], "m": {"x": "1"}}),
        put(spec={"k": [{"k": "b", "v": 6}, {"k": "a", "v": 4}]}), put(spec={"k": [{"k": "c", "v": 1}, {"k": "a", "v": 5}]}),
        put(spec={"m": {"x": "2"}}), put(spec={"m": {"y": "2"}}), put(spec={"m": {"x": None}})]),
    ("ratcheting", definition(LOOSE), [
        post(spec={"a": 9, "b": 1, "l": [{"k": "x", "v": 9}], "at": [9]}),
        ("PATCH", CRD, {"spec": {"versions": [version("v1", RATCHET)]}}, MERGE), ("WAIT", ""),
        put(spec={"b": 2}), put(spec={"a": 8}), put(spec={"a": 3}), put(spec={"a": 9}), put(spec={"l": [{"k": "y", "v": 1}, {"k": "x", "v": 9}]}),
        put(spec={"l": [{"k": "x", "v": 8}]}), put(spec={"at": [9, 1]}), put(spec={"at": [1]})]),
    ("status", PARTS, [
        post(spec={"a": 5}), ("POST", BASE, widget("b", spec={"a": 5})),
        ("PATCH", BASE + "/a/status", {"status": {"a": 6}}, MERGE), ("PATCH", BASE + "/a/status", {"status": {"a": 4}}, MERGE),
        ("PATCH", BASE + "/a/status", {"status": {"a": 3}}, MERGE), ("PATCH", BASE + "/a/status", {"status": {"b": 3}}, MERGE),
        put(spec={"a": 3}), put(spec={"a": 20}), ("PATCH", BASE + "/a/status", {"status": {"a": 11}}, MERGE)]),
    ("apply", ruled(["self.a < 5"], a=INTEGER, b=INTEGER), [
        ("PATCH", BASE + "/a?fieldManager=x", widget("a", spec={"a": 5}), APPLY),
        ("PATCH", BASE + "/a?fieldManager=x", widget("a", spec={"a": 4}), APPLY),
        ("PATCH", BASE + "/a?fieldManager=x", widget("a", spec={"a": 6}), APPLY)]),
    ("embedded", EMBEDDED, dry({"e": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"x": 1}}},
                               {"e": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"}, "spec": {"x": 1}}})),
    ("names", NAMES, dry({"namespace": "a", "a-b": "b", "a.c": "c", "a/d": "d", "a__e": "e", "m": {"__x__": "x", "a.b": "y"}},
                         {"namespace": "b", "a-b": "b", "a.c": "c", "a/d": "d", "a__e": "e", "m": {"__x__": "x", "a.b": "z"}})),
    ("lists that are sets", ruled(["self.set + ['c', 'a'] == ['c', 'b', 'a']", "self.set == ['b', 'a'] && ['b', 'a'] != self.at"], set=array(
        text(maxLength=5), list_type="set", **SMALL), at=array(text(maxLength=5), **SMALL)), dry(
            {"set": ["a", "b"], "at": ["a", "b"]}, {"set": ["a"], "at": []})),
    ("cost", COSTLY, dry({"l": ["a"]}, {"l": ["a"] * 60})),
]

POLICY_PATH = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
BINDING_PATH = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
MAPS = "/api/v1/namespaces/default/configmaps"
RULES = [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE", "DELETE"], "resources": ["configmaps"]}]

DEVICE_SELECTORS = [
    "device.driver == 'd.example.com'", "device.attributes['d.example.com'].model == 'a'", "device.attributes['d.example.com'].healthy",
    "device.capacity['d.example.com'].memory.isGreaterThan(quantity('1Gi'))", "device.allowMultipleAllocations",
    "cel.bind(dra, device.attributes['d.example.com'], dra.healthy && dra.version.isGreaterThan(semver('1.0.0')))",
    "'d.example.com' in device.attributes && device.driver.startsWith('d')", "device.attributes['d.example.com'].exists(k, k == 'a')",
    "device.driver", "1", "device.model == 'a'", "driver == 'd'", "device.driver ==", "device.driver == 'a'x", "", "Bad Value!", "(device.driver",
    "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a == b && c == d && a.matches(c)))))",
]

def policy(*validations, name="p", **more):
    body = dict({"matchConstraints": {"resourceRules": RULES}, "validations": [
        {"expression": one} if isinstance(one, str) else one for one in validations]}, **more)
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": body}


def binding(*actions, name="b", **more):
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": name},
            "spec": dict({"policyName": "p", "validationActions": list(actions or ("Deny",))}, **more)}


def configmap(name="c", labels=None, **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": dict({"name": name}, **({"labels": labels} if labels else {})), "data": data}


def store(*maps):
    return [("POST", MAPS + "?dryRun=All", one if "kind" in one else configmap(**one)) for one in maps]


def bound(name, checked, steps, *more, before=()):
    """A policy and its binding, what exists before, and the requests."""
    return name, list(before) + [("POST", POLICY_PATH, checked)] + [("POST", BINDING_PATH, one) for one in (more or (binding(),))], steps


def written(name, *validations, **more):
    """The write of a policy."""
    return name, [], [("POST", POLICY_PATH + "?dryRun=All", policy(*validations, **more))]


HOOK_PATH = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"


def webhook(*conditions, policy="Fail"):
    """A webhook that does not answer, so that a request that it receives fails."""
    return {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "w"}, "webhooks": [{
            "name": "w.example.com", "clientConfig": {"url": "https://127.0.0.1:1/"}, "rules": RULES, "sideEffects": "None",
            "failurePolicy": policy, "timeoutSeconds": 1, "admissionReviewVersions": ["v1"],
            "matchConditions": [{"name": "c%d" % i, "expression": one} for i, one in enumerate(conditions)]}]}


def hooked(name, hook, steps):
    return name, [("POST", HOOK_PATH, hook)], steps


PARAMS = {"apiVersion": "v1", "kind": "ConfigMap"}
LIMITS = ("POST", MAPS, configmap("limits", {"kind": "limit"}, max="3"))

ASKED = "authorizer.path('/x').check('get').allowed()"
POLICIES = [
    written("policy", "object.data.a == 'x'"),
    written("wrong type", "object.metadata.name"),
    written("int", "1"),
    written("syntax", "object."),
    written("unknown variable", "self.a == 'x'"),
    written("unknown field of the request", "request.user == 'x'"),
    written("field of the user", "request.userInfo.username == 'x' && request.operation == 'CREATE' && request.kind.kind == 'ConfigMap'"),
    written("namespace", "namespaceObject.metadata.name == 'x' && namespaceObject.metadata.labels['a'] == 'b'"),
    written("unknown field of the namespace", "namespaceObject.metadata.uid == 'x'"),
    written("params without kind", "params.data.a == 'x'"),
    written("params", "params.data.a == 'x'", paramKind=PARAMS),
    written("variables", "variables.a > 1 && variables.b", variables=[
        {"name": "a", "expression": "1 + 1"}, {"name": "b", "expression": "variables.a == 2"}]),
    written("wrong variables", "variables.a > 'x' && variables.c", variables=[
        {"name": "a", "expression": "1 + 1"}, {"name": "b", "expression": "variables.z"}]),
    written("variables without any", "variables.a"),
    written("message expression", {"expression": "true", "messageExpression": "'a' + object.metadata.name"}),
    written("message expression of int", {"expression": "true", "messageExpression": "1"}),
    written("audit annotations", "true", auditAnnotations=[{"key": "a", "valueExpression": "'x'"}, {"key": "b", "valueExpression": "null"},
                                                          {"key": "c", "valueExpression": "1"}]),
    written("match conditions", "true", matchConditions=[{"name": "a", "expression": "object.metadata.name == 'x'"},
                                                         {"name": "b", "expression": "1"}, {"name": "c", "expression": "variables.a"}]),
    written("authorizer", "authorizer.group('apps').resource('deployments').namespace('a').name('b').check('get').allowed() && "
            "authorizer.path('/healthz').check('get').allowed() && authorizer.requestResource.check('x').reason() == '' && "
            "authorizer.serviceAccount('a', 'b').group('').resource('pods').subresource('log').check('get').allowed()"),
    written("authorizer in a message", {"expression": "true", "messageExpression": "authorizer.path('/x').check('get').reason()"}),
    ("conditions of a webhook", [], [("POST", HOOK_PATH + "?dryRun=All", webhook(
        "object.metadata.name == 'x'", "request.userInfo.groups.exists(g, g == 'a')"))]),
    ("selectors of devices", [], [("POST", "/apis/resource.k8s.io/v1/deviceclasses?dryRun=All", {
        "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "c.example.com"},
        "spec": {"selectors": [{"cel": {"expression": expression}}]}}) for expression in DEVICE_SELECTORS]),
    ("wrong conditions of a webhook", [], [("POST", HOOK_PATH + "?dryRun=All", webhook(
        "object.metadata.name", "self", "params == null", "true ||"))]),
    hooked("webhook with conditions", webhook("object.data.a == 'x'", "request.operation == 'CREATE'"), store({"a": "x"}, {"a": "y"})),
    hooked("webhook with failing conditions", webhook("object.data.a == 'x'", "object.data.b == 'x'"), store(
        {"a": "x"}, {"a": "y"}, {"b": "y"}, {"c": "x"}, {"a": "x", "b": "x"})),
    hooked("webhook that ignores failures", webhook("object.data.a == 'x'", policy="Ignore"), store({"a": "x"}, {"b": "x"})),
    hooked("webhook with an authorizer", webhook("authorizer.group('').resource('pods').check('get').allowed()",
                                                 "namespaceObject == null"), store({"a": "x"})),
    bound("validation", policy("object == null || (has(object.data) && object.data.a == 'x')"), store({"a": "x"}, {"a": "y"}, {"b": "y"})),
    bound("message", policy({"expression": "object.data.a == 'x'", "message": " a must be x "}), store({"a": "y"})),
    bound("message expression", policy({"expression": "object.data.a == 'x'", "message": "m", "messageExpression":
                                        "'a is ' + object.data.a"}), store({"a": "y"}, {"a": "x"})),
    bound("failing message expression", policy({"expression": "object.data.a == 'x'", "message": "m", "messageExpression":
                                                "string(object.data.z)"}), store({"a": "y"})),
    bound("reason", policy({"expression": "object.data.a == 'x'", "reason": "Forbidden"}, {"expression": "false", "reason":
                                                                                          "RequestEntityTooLarge"}), store({"a": "y"}, {"a": "x"})),
    bound("missing key", policy("object.data.a == 'x'"), store({"b": "y"})),
    bound("missing key ignored", policy("object.data.a == 'x'", failurePolicy="Ignore"), store({"b": "y"}, {"a": "y"})),
    bound("warning", policy("object.data.a == 'x'", "object.data.b == 'x'"), store({"a": "y", "b": "z"}), binding("Warn", "Audit")),
    bound("audit only", policy("object.data.a == 'x'"), store({"a": "y"}), binding("Audit")),
    bound("two bindings", policy("object.data.a == 'x'"), store({"a": "y"}), binding("Warn"), binding("Deny", name="b2")),
    bound("variables", policy("variables.long.size() > 2 || variables.a == 'x'", variables=[
        {"name": "a", "expression": "object.data.a"}, {"name": "long", "expression": "variables.a + variables.a"},
        {"name": "bad", "expression": "object.data.z"}]), store({"a": "x"}, {"a": "y"}, {"b": "y"})),
    bound("match conditions", policy("false", matchConditions=[{"name": "a", "expression": "object.data.a == 'x'"}]),
          store({"a": "x"}, {"a": "y"}, {"b": "y"})),
    bound("object selector", policy("false", matchConstraints={"resourceRules": RULES, "objectSelector": {"matchLabels": {"a": "b"}}}),
          store(configmap(labels={"a": "b"}), configmap())),
    bound("excluded", policy("false", matchConstraints={"resourceRules": RULES, "excludeResourceRules": [dict(RULES[0], resourceNames=["c"])]}),
          store(configmap("c"), configmap("d"))),
    bound("match of the binding", policy("false"), store(configmap("c"), configmap("d")), binding(matchResources={
        "resourceRules": [dict(RULES[0], resourceNames=["d"])]})),
    bound("request", policy("request.operation == 'CREATE' && request.resource.resource == 'configmaps' && request.name == 'c' && "
                            "request.namespace == 'default' && request.dryRun && has(request.userInfo.username) && !has(request.subResource) && "
                            "namespaceObject.metadata.name == 'default' && oldObject == null"), store({"a": "x"})),
    bound("old object", policy("oldObject == null || object == null || object.data.a == oldObject.data.a"), [
        ("POST", MAPS, configmap(a="x")), ("PATCH", MAPS + "/c", {"data": {"b": "x"}}, MERGE), ("PATCH", MAPS + "/c", {"data": {"a": "y"}}, MERGE),
        ("DELETE", MAPS + "/c")]),
    bound("deletion", policy("request.operation != 'DELETE' || oldObject.data.a == 'x'", "request.operation != 'DELETE' || object == null"), [
        ("POST", MAPS, configmap(a="y")), ("DELETE", MAPS + "/c"), ("PATCH", MAPS + "/c", {"data": {"a": "x"}}, MERGE), ("DELETE", MAPS + "/c")]),
    bound("parameters", policy("object.data.size() <= int(params.data.max)", paramKind=PARAMS), store({"a": "1"}, {k: "1" for k in "abcd"}),
          binding(paramRef={"name": "limits", "parameterNotFoundAction": "Deny"}), before=[LIMITS]),
    bound("selected parameters", policy("object.data.size() <= int(params.data.max)", paramKind=PARAMS), store({k: "1" for k in "abcd"}),
          binding(paramRef={"selector": {"matchLabels": {"kind": "limit"}}, "parameterNotFoundAction": "Deny"}), before=[LIMITS]),
    bound("missing parameters", policy("false", paramKind=PARAMS), store({"a": "1"}),
          binding(paramRef={"name": "none", "parameterNotFoundAction": "Deny"})),
    bound("missing parameters allowed", policy("false", paramKind=PARAMS), store({"a": "1"}),
          binding(paramRef={"name": "none", "parameterNotFoundAction": "Allow"})),
    bound("no parameters in the binding", policy("params == null", paramKind=PARAMS), store({"a": "1"})),
    bound("authorizer", policy("authorizer.group('').resource('pods').namespace('default').check('get').allowed() && "
                               "authorizer.requestResource.check('create').allowed()"), store({"a": "1"})),
    bound("two questions to the authorizer", policy(" && ".join(2 * [ASKED])), store({"a": "1"})),
    bound("three questions to the authorizer", policy(" && ".join(3 * [ASKED])), store({"a": "1"})),
    bound("a question for each element", policy("[1, 2, 3, 4, 5].all(x, %s)" % ASKED), store({"a": "1"})),
    bound("questions in variables", policy("variables.a && variables.b && variables.c", variables=[
        {"name": name, "expression": ASKED} for name in "abc"]), store({"a": "1"})),
    bound("questions of many validations", policy(*15 * [" && ".join(2 * [ASKED])]), store({"a": "1"})),
    bound("questions of conditions", policy("true", matchConditions=[
        {"name": name, "expression": " && ".join(2 * [ASKED])} for name in "abcd"]), store({"a": "1"})),
]

CHANGING_PATH = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies"
CHANGING_BINDING_PATH = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings"


def changing(*changes, **more):
    """A policy that changes config maps, with JSON patches or parts of objects."""
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": "m"}, "spec": dict({
        "matchConstraints": {"resourceRules": [dict(RULES[0], operations=["CREATE", "UPDATE"])]}, "reinvocationPolicy": "Never",
        "mutations": [
            {"patchType": "JSONPatch", "jsonPatch": {"expression": one}} if "JSONPatch" in one
            else {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": one}} for one in changes]}, **more)}


def changed(name, policy, steps, before=(), **more):
    return name, list(before) + [("POST", CHANGING_PATH, policy), ("POST", CHANGING_BINDING_PATH, {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": "mb"},
        "spec": dict({"policyName": "m"}, **more)})], steps


ADDED = "Object{metadata: Object.metadata{labels: Object.metadata.labels{added: 'x'}}}"
COPIED = "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('b~c'), value: object.data.a}]"
POLICIES += [
    (name, [], [("POST", CHANGING_PATH + "?dryRun=All", changing(*changes))]) for name, changes in (
        ("change", [ADDED, COPIED]), ("wrong syntax of a change", ["Object{"]), ("unknown variable in a change", ["Object{data: nothing}"]),
        ("wrong type of a change", ["1"]), ("wrong type of a patch", ["JSONPatch{op: 'remove', path: '/data/a'}"]))
] + [
    changed("change by a part", changing(ADDED), store({"a": "x"}, configmap("c", {"own": "y"}))),
    changed("change by a patch", changing(COPIED, "[JSONPatch{op: 'remove', path: '/data/a'}]"), store({"a": "x"})),
    changed("changes one after the other", changing(
        "[JSONPatch{op: 'add', path: '/data/b', value: object.data.a + 'y'}]", "Object{data: {'d': string(object.data.size())}}"),
            store({"a": "x"})),
    changed("failing test of a patch", changing("[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'remove', path: '/data/a'}]"),
            store({"a": "x"}, {"a": "y"})),
    changed("failing change", changing("Object{data: {'b': object.data.missing}}"), store({"a": "x"}, {"missing": "x"})),
    changed("failing change ignored", changing("Object{data: {'b': object.data.missing}}", failurePolicy="Ignore"), store({"a": "x"})),
    changed("variables and conditions of a change", changing(
        "Object{data: {'b': variables.twice}}", variables=[{"name": "twice", "expression": "object.data.a + object.data.a"}],
        matchConditions=[{"name": "a", "expression": "object.data.a != 'y'"}]), store({"a": "x"}, {"a": "y"})),
    changed("parameters of a change", changing("Object{data: {'max': params.data.max}}", paramKind=PARAMS), store({"a": "1"}), [LIMITS],
            paramRef={"name": "limits", "namespace": "default", "parameterNotFoundAction": "Deny"}),
    changed("missing parameters of a change", changing(ADDED, paramKind=PARAMS), store({"a": "1"}),
            paramRef={"name": "none", "namespace": "default", "parameterNotFoundAction": "Deny"}),
]

LOUD = [{"key": "loud", "valueExpression": "'value of ' + object.data.a"}]
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"


def annotated(name, steps, *actions, **more):
    return bound(name, policy(auditAnnotations=LOUD, **more), steps, *([binding(*actions)] if actions else []))


def deployment(name, replicas=2):
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": {
        "replicas": replicas, "selector": {"matchLabels": {"a": "b"}}, "template": {
            "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "example.com/c:1"}]}}}}


MARK = "Object{data: {'mark': 'x'}}"
SCALES = [{"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["UPDATE"], "resources": ["deployments/scale"]}]
CREATED = {"resourceRules": [dict(SCALES[0], operations=["CREATE"], resources=["deployments"])]}
WIDGETS = {"resourceRules": [{"apiGroups": ["example.com"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["widgets"]}]}
DEFINITIONS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
PARTS = definition(spec(keyed=KEYED, set=array(list_type="set"), at=array(list_type="atomic"), m=mapping()))
SCALE = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "d", "namespace": "default"}, "spec": {"replicas": 5}}
POLICIES += [
    annotated("audit annotation", store({"a": "x"})),
    annotated("failing audit annotation", store({"b": "x"})),
    annotated("failing audit annotation with a warning", store({"b": "x"}), "Warn"),
    annotated("failing audit annotation ignored", store({"b": "x"}), failurePolicy="Ignore"),
    bound("failing audit annotation beside a validation", policy("object.data.size() > 3", auditAnnotations=LOUD), store({"b": "x"})),
    written("function of patches in a validation", "jsonpatch.escapeKey('a/b') == 'a~1b'"),
    bound("validation of a scale", policy("object.spec.replicas <= 3 && oldObject.spec.replicas == 2 && object.kind == 'Scale'",
                                          matchConstraints={"resourceRules": SCALES}), [
        ("PUT", DEPLOYMENTS + "/d/scale?dryRun=All", SCALE),
        ("PATCH", DEPLOYMENTS + "/d/scale?dryRun=All", {"spec": {"replicas": 3}}, "application/merge-patch+json")],
        before=[("POST", DEPLOYMENTS, deployment("d"))]),
    changed("change of a scale", changing("Object{spec: Object.spec{replicas: 3}}", matchConstraints={"resourceRules": SCALES}), [
        ("PUT", DEPLOYMENTS + "/d/scale?dryRun=All", SCALE),
        ("PATCH", DEPLOYMENTS + "/d/scale?dryRun=All", {"spec": {"replicas": 7}}, "application/merge-patch+json")],
        [("POST", DEPLOYMENTS, deployment("d"))]),
    changed("change of a scale by a patch", changing(
        "[JSONPatch{op: 'replace', path: '/spec/replicas', value: oldObject.spec.replicas + 1}]", matchConstraints={"resourceRules": SCALES}), [
            ("PUT", DEPLOYMENTS + "/d/scale?dryRun=All", SCALE),
            ("PATCH", DEPLOYMENTS + "/d/scale?dryRun=All", {"spec": {"replicas": 7}}, "application/merge-patch+json")],
        [("POST", DEPLOYMENTS, deployment("d"))]),
    changed("refused change of a scale", changing(
        "[JSONPatch{op: 'replace', path: '/spec/replicas', value: -1}]", matchConstraints={"resourceRules": SCALES}), [
            ("PUT", DEPLOYMENTS + "/d/scale?dryRun=All", SCALE),
            ("PATCH", DEPLOYMENTS + "/d/scale?dryRun=All", {"spec": {"replicas": 7}}, "application/merge-patch+json")],
        [("POST", DEPLOYMENTS, deployment("d"))]),
    changed("change of a list by a part", changing(
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.containers{name: 'c', imagePullPolicy: 'Always'}, "
        "Object.spec.template.spec.containers{name: 'd', image: 'example.com/d:1'}]}}}}",
        matchConstraints=CREATED),
        [("POST", DEPLOYMENTS + "?dryRun=All", deployment("d"))]),
    ("literal in a variable", [], [("POST", CHANGING_PATH + "?dryRun=All", changing("Object{metadata: variables.part}", variables=[
        {"name": "part", "expression": "Object.metadata{labels: {'added': 'x'}}"}]))]),
    ("patch in a variable", [], [("POST", CHANGING_PATH + "?dryRun=All", changing("[JSONPatch{op: 'test', path: '/data'}] + variables.more", variables=[
        {"name": "more", "expression": "[JSONPatch{op: 'remove', path: '/data/a'}]"}]))]),
    ("literal in a condition", [], [("POST", CHANGING_PATH + "?dryRun=All", changing(MARK, matchConditions=[
        {"name": "a", "expression": "Object{} == Object{}"}]))]),
    ("function of patches in a part", [], [("POST", CHANGING_PATH + "?dryRun=All", changing("Object{data: {'a': jsonpatch.escapeKey('a/b')}}"))]),
    changed("unknown field of a part", changing("Object{nothing: 'x'}"), store({"a": "x"})),
    changed("wrong field of a part", changing("Object{data: {'b': 1}}"), store({"a": "x"})),
    changed("identity in a part", changing("Object{metadata: Object.metadata{name: 'other'}}"), store({"a": "x"})),
    changed("change of the metadata by a patch", changing("[JSONPatch{op: 'add', path: '/metadata/name', value: 'other'}]"), store({"a": "x"})),
    changed("empty change", changing("Object{}", "[JSONPatch{op: 'test', path: '/data/a', value: 'x'}]"), store({"a": "x"})),
    changed("values of a patch", changing(
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'l': 'x'}}, JSONPatch{op: 'copy', from: '/data/a', path: '/data/b'}, "
        "JSONPatch{op: 'move', from: '/data/a', path: '/data/c'}, "
        "JSONPatch{op: 'replace', path: '/data/b', value: object.metadata.?labels[?'l'].orValue('none')}]"), store({"a": "x"})),
    changed("atomic list in a part", changing(
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.containers{name: 'c', args: ['a'], command: ['b']}]}}}}", matchConstraints=CREATED),
        [("POST", DEPLOYMENTS + "?dryRun=All", deployment("d"))]),
    changed("atomic map in a part", changing("Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{"
                                             "nodeSelector: {'a': 'b'}}}}}", matchConstraints=CREATED),
            [("POST", DEPLOYMENTS + "?dryRun=All", deployment("d"))]),
    changed("item without its key in a part", changing(
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.containers{image: 'd'}]}}}}", matchConstraints=CREATED),
        [("POST", DEPLOYMENTS + "?dryRun=All", deployment("d"))]),
    changed("item twice in a part", changing(
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.containers{name: 'c'}, Object.spec.template.spec.containers{name: 'c', image: 'd'}]}}}}",
        matchConstraints=CREATED), [("POST", DEPLOYMENTS + "?dryRun=All", deployment("d"))]),
    changed("set in a part", changing("Object{metadata: Object.metadata{finalizers: ['example.com/b', 'example.com/a']}}"), [
        ("POST", MAPS + "?dryRun=All", dict(configmap("c"), metadata={"name": "c", "finalizers": ["example.com/a", "example.com/c"]}))]),
    changed("custom resource and a part", changing(
        "Object{spec: Object.spec{keyed: [Object.spec.keyed{k: 'b', v: 5}], set: ['c'], m: {'added': 'x'}}}", matchConstraints=WIDGETS),
        [("POST", BASE + "?dryRun=All", widget(spec={
            "keyed": [{"k": "a", "v": 1}, {"k": "b", "v": 2}], "set": ["a"], "m": {"own": "y"}}))], [("POST", DEFINITIONS_PATH, PARTS)]),
    changed("custom resource and an atomic list in a part", changing("Object{spec: Object.spec{at: ['b']}}", matchConstraints=WIDGETS),
            [("POST", BASE + "?dryRun=All", widget(spec={"at": ["a"]}))], [("POST", DEFINITIONS_PATH, PARTS)]),
    changed("custom resource and an unknown field in a part", changing("Object{spec: Object.spec{nothing: 1}}", matchConstraints=WIDGETS),
            [("POST", BASE + "?dryRun=All", widget(spec={"at": ["a"]}))], [("POST", DEFINITIONS_PATH, PARTS)]),
    changed("custom resource and a wrong value in a part", changing("Object{spec: Object.spec{keyed: [Object.spec.keyed{k: 'b', v: 'x'}]}}",
                                                                   matchConstraints=WIDGETS),
            [("POST", BASE + "?dryRun=All", widget(spec={"at": ["a"]}))], [("POST", DEFINITIONS_PATH, PARTS)]),
]

PATCHED = "[JSONPatch{op: 'add', path: '%s', value: %s}]"
TYPES_OF_CHANGES = (  # A: an apply configuration, P: a patch
    ('A', '{"metadata": 1}'),
    ('A', '{"metadata": {"labels": {"a":"b"}}}'),
    ('A', '{}'),
    ('A', 'object'),
    ('A', 'dyn(object)'),
    ('A', 'null'),
    ('A', 'Object{}'),
    ('A', 'Object.metadata{}'),
    ('A', 'Object.spec{replicas: 1}'),
    ('A', 'true ? Object{} : Object{spec: Object.spec{}}'),
    ('A', 'true ? Object{} : {}'),
    ('A', 'true ? Object{} : dyn(1)'),
    ('A', 'optional.of(Object{})'),
    ('A', '[Object{}][0]'),
    ('A', '[Object{}]'),
    ('A', 'Object{metadata: {"labels": {"a": "b"}}}'),
    ('A', 'Object{metadata: Object.spec{a: 1}}'),
    ('A', 'Object{metadata: Object.metadata.labels{a: 1}}'),
    ('A', 'Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 1}}}'),
    ('A', 'Object{metadata: Object.metadata{?labels: optional.none()}}'),
    ('A', "Object{x: JSONPatch{op: 'add'}}"),
    ('A', 'Foo{}'),
    ('A', 'Object.metadata{labels: {}}.labels'),
    ('A', 'Object{spec: 1}.spec == 1 ? Object{} : Object{}'),
    ('A', "Object{metadata: Object.metadata{labels: {'a': 1}}}"),
    ('P', '[1]'),
    ('P', '[]'),
    ('P', "[JSONPatch{op: 'add', path: '/a', value: 1}]"),
    ('P', '[JSONPatch{op: 1}]'),
    ('P', "[JSONPatch{op: 'add', foo: 1}]"),
    ('P', '[JSONPatch{}]'),
    ('P', 'JSONPatch{}'),
    ('P', '[dyn(JSONPatch{})]'),
    ('P', "[JSONPatch{op: 'add'}].filter(x, x.op == 'add')"),
    ('P', "[JSONPatch{op: 'add'}].filter(x, x.foo == 'add')"),
    ('P', "[1,2].map(x, JSONPatch{op: 'add', path: '/x', value: x})"),
    ('P', "true ? [JSONPatch{op: 'add'}] : []"),
    ('P', "[JSONPatch{op: 'add', path: '/x', value: Object.spec{a: 1}}]"),
    ('P', "[JSONPatch{op: 'add', path: '/x', ?value: optional.none()}]"),
    ('P', "[JSONPatch{op: 'add'}] + []"),
    ('P', "[JSONPatch{op: 'add'}] + [JSONPatch{op: 'x'}]"),
    ('P', '[Object{}]'),
    ('P', '[{"op": "add"}]'),
    ('P', 'dyn([1])'),
    ('P', "dyn([JSONPatch{op: 'add'}])"),
    ('P', 'object'),
    ('P', 'null'),
    ('P', "[JSONPatch{op: 'add', from: 1}]"),
    ('P', "[JSONPatch{op: 'add', value: null}]"),
    ('P', "[JSONPatch{op: 'add', value: b'abc'}]"),
    ('P', "[JSONPatch{op: 'bad'}]"),
    ('P', '[]+[]'),
    ('P', '[null]'),
    ('P', "[JSONPatch{op: 'add'}, {}]"),
    ('P', "[JSONPatch{op: 'add'}, null]"),
)
POLICIES += [
    ("types of changes", [], [("POST", CHANGING_PATH + "?dryRun=All", dict(changing(), spec=dict(changing()["spec"], mutations=[
        {"patchType": "JSONPatch", "jsonPatch": {"expression": text}} if kind == "P"
        else {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": text}}]))) for kind, text in TYPES_OF_CHANGES]),
] + [changed("change: " + text, changing(text), store({"a": "x"})) for text in (
    "Object{metadata: Object.spec{labels: {'a': 'b'}}}",
    "Object{metadata: Object.metadata{labels: Object.metadata.annotations{a: 'b'}, annotations: Object.x{a: 'b'}}}",
    "Object{metadata: {'labels': {'a': 'b'}}}",
    "Object{metadata: Object.metadata{?labels: optional.none()}}",
    "Object{data: {'b': 1.5}}",
    "Object{data: {1: 'a'}}",
    "Object{immutable: 'x'}",
    "Object{apiVersion: 'v2', kind: 'Foo'}",
    PATCHED % ("/nothing", "1"),
    PATCHED % ("/metadata/nothing", "{'a': 'b'}"),
    PATCHED % ("/data/b", "1"),
    PATCHED % ("/data", "[1]"),
    PATCHED % ("/data/b", "null"),
    PATCHED % ("/kind", "'Foo'"),
    PATCHED % ("/apiVersion", "'v2'"),
    PATCHED % ("/metadata", "Object.metadata{name: 'x', labels: Object.labels{a: 'b'}}"),
    PATCHED % ("/metadata/labels", "Object.metadata.labels{a: 'b'}"),
    PATCHED % ("/binaryData", "{'x': b'abc'}"),
    PATCHED % ("/data/b", "string(duration('90s'))"),
    PATCHED % ("/metadata/generation", "9007199254740993"),
    PATCHED % ("/metadata/generation", "1.5"),
    PATCHED % ("/metadata/creationTimestamp", "timestamp('2020-01-01T00:00:00.5Z')"),
    PATCHED % ("/metadata/labels", "{'a': duration('1m')}"),
    PATCHED % ("/metadata/labels", "{1: 'b'}"),
    PATCHED % ("/data/b", "optional.of('x')"),
    PATCHED % ("/data/b", "type(1)"),
    PATCHED % ("/data/b", "quantity('1')"),
    "[JSONPatch{op: 'replace', path: '/data/z', value: 'x'}]",
    "[JSONPatch{op: 'add', path: '/data/z'}]",
    "[JSONPatch{op: 'test', path: '/data/z', value: 'x'}]",
    "[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'replace', path: '/data/a', value: 'z'}]",
    "[JSONPatch{op: 'add', path: '/data/b', value: object.data.missing}]",
)] + [
    changed("failing condition of a change", changing(MARK, matchConditions=[{"name": "a", "expression": "object.data.z == 'x'"}]), store({"a": "x"})),
    changed("failing changes, both reported", changing("Object{data: {'b': object.data.y}}", "Object{data: {'b': object.data.z}}"), store({"a": "x"})),
    changed("a change after a failing one", changing("Object{data: {'b': object.data.y}}", MARK, failurePolicy="Ignore"), store({"a": "x"})),
    changed("costly changes", changing(*10 * ["Object{data: {'b': string(%s && %s)}}" % (ASKED, ASKED)]), store({"a": "x"})),
    changed("too costly a change", changing("Object{data: {'b': string(%s && %s && %s)}}" % (ASKED, ASKED, ASKED)), store({"a": "x"})),
]


def again(name, first, second, reinvocation):
    """Two policies, the first of which acts only after a change of the second."""
    one, two = changing(first, reinvocationPolicy=reinvocation), changing(second)
    pair = [("POST", CHANGING_PATH, dict(body, metadata={"name": key})) for key, body in (("m1", one), ("m2", two))]
    return name, pair + [("POST", CHANGING_BINDING_PATH, {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": "b" + key},
        "spec": {"policyName": key}}) for key in ("m1", "m2")], store({"a": "x"})


POLICIES += [again("reinvocation %s: %s" % (reinvocation, name), first, second, reinvocation) for reinvocation in ("Never", "IfNeeded") for name, first, second in (
    ("after a change of another", "Object{data: {'n': object.data.?b.orValue('none') + 'x'}}", "Object{data: {'b': 'y'}}"),
    ("counting", "Object{data: {'n': object.data.?n.orValue('') + 'x'}}", "Object{data: {'b': 'y'}}"),
    ("without a change of another", "Object{data: {'n': object.data.?n.orValue('') + 'x'}}", "Object{data: {'a': 'x'}}"),
    ("failing the first time", "Object{data: {'n': string(object.data.a)}}", "Object{data: {'b': 'y'}}"),
)]
