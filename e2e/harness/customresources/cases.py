"""The definitions and objects that record.py sends."""

MERGE = "application/merge-patch+json"


def definition(schema=None, plural="widgets", group="example.com", kind="Widget", scope="Namespaced", names=None, versions=None,
               metadata=None, **spec):
    if versions is None:
        versions = [version("v1", schema)]
    body = {"group": group, "scope": scope, "names": dict({"plural": plural, "kind": kind}, **(names or {})),
            "versions": versions}
    body.update(spec)
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": dict({"name": plural + "." + group}, **(metadata or {})), "spec": body}


def version(name="v1", schema=None, served=True, storage=True, **more):
    result = {"name": name, "served": served, "storage": storage}
    result["schema"] = {"openAPIV3Schema": schema if schema is not None else {"type": "object"}}
    result.update(more)
    return result


def root(**properties):
    return {"type": "object", "properties": properties}


def spec(**properties):
    return root(spec={"type": "object", "properties": properties})


def field(**schema):
    """A definition whose only field has this schema."""
    return definition(spec(f=keyword(schema)))


def keyword(schema):
    names = {"list_type": "x-kubernetes-list-type", "keys": "x-kubernetes-list-map-keys", "map_type": "x-kubernetes-map-type",
             "preserve": "x-kubernetes-preserve-unknown-fields", "embedded": "x-kubernetes-embedded-resource",
             "int_or_string": "x-kubernetes-int-or-string", "rules": "x-kubernetes-validations", "ref": "$ref", "schema": "$schema",
             "not_": "not"}
    return {names.get(name, name): value for name, value in schema.items()}


STRING = {"type": "string"}
INTEGER = {"type": "integer"}
STATUS = {"status": {}}
SCALE = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}


# Members that Go tells apart from absent ones, although it does not write them.
EMPTY = [(name, {}) for name in ("definitions", "patternProperties", "dependencies", "properties", "not_", "externalDocs")] + [
    (name, []) for name in ("required", "enum", "allOf", "anyOf", "oneOf", "keys", "rules")] + [
    (name, "") for name in ("title", "id", "schema", "ref", "format", "list_type", "map_type")]


def columns(*all_columns):
    return definition(versions=[version("v1", additionalPrinterColumns=list(all_columns))])


def selectable(*paths, schema=None):
    return definition(versions=[version("v1", schema or spec(color=STRING, size=INTEGER, on={"type": "boolean"}, list={
        "type": "array", "items": STRING}), selectableFields=[{"jsonPath": path} for path in paths])])


def scale(**paths):
    return definition(versions=[version("v1", subresources={"scale": dict(SCALE, **paths)})])


def items(list_type=None, keys=None, **schema):
    result = {"type": "array", "items": keyword(schema)}
    if list_type is not None:
        result["x-kubernetes-list-type"] = list_type
    if keys is not None:
        result["x-kubernetes-list-map-keys"] = keys
    return definition(spec(f=result))


KEYED = {"type": "object", "properties": {"name": STRING, "size": {"type": "integer", "default": 1}, "o": {
    "type": "object"}, "n": {"type": "string", "nullable": True}}, "required": ["name", "o", "n"]}
INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]

DEFINITIONS = [
    ("minimal", definition()),
    ("all defaults kept", definition(names={"singular": "wid", "listKind": "Widgets"}, conversion={"strategy": "None"})),
    ("kind in mixed case", definition(kind="WidgetKind")),
    ("name differs", definition(metadata={"name": "other.example.com"})),
    ("no group", definition(group="")),
    ("group without dot", definition(group="example")),
    ("bad group", definition(group="Example.com")),
    ("no scope", definition(scope="")),
    ("bad scope", definition(scope="Both")),
    ("no plural", definition(plural="")),
    ("bad plural", definition(plural="Widgets")),
    ("no kind", definition(kind="")),
    ("bad kind", definition(kind="Wid_get")),
    ("list kind is kind", definition(names={"listKind": "Widget"})),
    ("bad list kind", definition(names={"listKind": "Widget.List"})),
    ("bad singular", definition(names={"singular": "Widget"})),
    ("bad short names", definition(names={"shortNames": ["ok", "Bad", "1a"]})),
    ("bad categories", definition(names={"categories": ["all", "Not-ok", ""]})),
    ("no versions", definition(versions=[])),
    ("bad version name", definition(versions=[version("V1")])),
    ("no storage version", definition(versions=[version("v1", storage=False)])),
    ("two storage versions", definition(versions=[version("v1"), version("v2")])),
    ("two versions of one name", definition(versions=[version("v1"), version("v1", storage=False)])),
    ("two storage versions with different schemas", definition(versions=[
        version("v1", spec(a=STRING)), version("v2", spec(b={"type": "integer", "maximum": 3, "nullable": True}), subresources={
            "status": {}, "scale": SCALE})])),
    ("no schema", definition(versions=[{"name": "v1", "served": True, "storage": True}])),
    ("empty schema", definition(versions=[{"name": "v1", "served": True, "storage": True, "schema": {}}])),
    ("one version without schema", definition(versions=[version("v1"), {"name": "v2", "served": True, "storage": False}])),
    ("preserve unknown fields", definition(preserveUnknownFields=True)),
    ("no preserve unknown fields", definition(preserveUnknownFields=False)),
    ("deprecated", definition(versions=[version("v1", deprecated=True, deprecationWarning="no longer")])),
    ("deprecation warning without deprecation", definition(versions=[version("v1", deprecationWarning="no longer")])),
    ("empty deprecation warning", definition(versions=[version("v1", deprecated=True, deprecationWarning="")])),
    ("long deprecation warning", definition(versions=[version("v1", deprecated=True, deprecationWarning="x" * 257)])),
    ("deprecation warning with line break", definition(versions=[version("v1", deprecated=True, deprecationWarning="a\nb")])),
    ("unknown conversion", definition(conversion={"strategy": "Magic"})),
    ("no conversion strategy", definition(conversion={})),
    ("webhook without client", definition(conversion={"strategy": "Webhook"})),
    ("webhook with nothing", definition(conversion={"strategy": "Webhook", "webhook": {"conversionReviewVersions": []}})),
    ("webhook without url", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"], "clientConfig": {}}})),
    ("webhook with url", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com/convert"}}})),
    ("webhook with bad url", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"], "clientConfig": {"url": "http://me@example.com/convert?a=b#c"}}})),
    ("webhook with service", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1beta1", "v1"], "clientConfig": {"service": {"name": "s", "namespace": "n"}}}})),
    ("webhook with bad service", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"], "clientConfig": {"service": {"name": "", "namespace": "", "path": "x", "port": 0}}}})),
    ("webhook with unknown review versions", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v3", "V3", "v3"], "clientConfig": {"url": "https://example.com/convert"}}})),
    ("webhook with several versions", definition(versions=[version("v1"), version("v2", storage=False)], conversion={
        "strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com/convert"}}})),
    ("webhook with an invalid bundle", definition(conversion={"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com/convert", "caBundle": "bm9uc2Vuc2U="}}})),
    ("client without webhook strategy", definition(conversion={"strategy": "None", "webhook": {
        "conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com/"}}})),
    ("protected group", definition(group="widgets.k8s.io")),
    ("protected group approved", definition(group="widgets.k8s.io", metadata={"annotations": {
        "api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1"}})),
    ("protected group unapproved", definition(group="widgets.kubernetes.io", metadata={"annotations": {
        "api-approved.kubernetes.io": "unapproved, just a test"}})),
    ("protected group with bad annotation", definition(group="widgets.k8s.io", metadata={"annotations": {
        "api-approved.kubernetes.io": "yes"}})),
    ("scale", scale()),
    ("scale without paths", scale(specReplicasPath="", statusReplicasPath="")),
    ("scale with wrong paths", scale(specReplicasPath=".status.replicas", statusReplicasPath=".spec.replicas",
                                     labelSelectorPath=".metadata.labels")),
    ("scale without dots", scale(specReplicasPath="spec.replicas", statusReplicasPath="status", labelSelectorPath="x")),
    ("column", columns({"name": "A", "type": "string", "jsonPath": ".spec.a"})),
    ("column without anything", columns({"name": "", "type": "", "jsonPath": ""})),
    ("column with bad type", columns({"name": "A", "type": "text", "format": "iso", "jsonPath": "spec.a"})),
    ("two columns", columns({"name": "A", "type": "date", "format": "date-time", "jsonPath": ".spec.a", "priority": 1},
                            {"name": "B", "type": "number", "format": "double", "jsonPath": ".spec.b", "description": "d"})),
    ("selectable fields", selectable(".spec.color", ".spec.size", ".spec.on")),
    ("selectable field twice", selectable(".spec.color", ".spec.color")),
    ("selectable list", selectable(".spec.list")),
    ("selectable unknown field", selectable(".spec.none")),
    ("selectable bad path", selectable("spec.color")),
    ("selectable empty path", selectable("")),
    ("selectable array notation", selectable(".spec['color']")),
    ("selectable object", selectable(".spec")),
    ("selectable metadata", selectable(".metadata.name", schema=root(metadata={"type": "object", "properties": {"name": STRING}}))),
    ("too many selectable fields", selectable(*[".spec.f%d" % i for i in range(9)],
                                              schema=spec(**{"f%d" % i: STRING for i in range(9)}))),
    ("root without type", definition({})),
    ("root of another type", definition({"type": "string"})),
    ("nullable root", definition({"type": "object", "nullable": True})),
    ("additional properties at the root", definition({"type": "object", "additionalProperties": STRING})),
    ("status with any of at the root", definition(versions=[version("v1", {"type": "object", "anyOf": [{"required": [
        "spec"]}]}, subresources=STATUS)])),
    ("status with string root", definition(versions=[version("v1", {"type": "string"}, subresources=STATUS)])),
    ("status with required at the root", definition(versions=[version("v1", {"type": "object", "required": ["spec"], "properties": {
        "spec": {"type": "object"}}}, subresources=STATUS)])),
    ("metadata restricted", definition(root(metadata={"type": "object", "properties": {"name": {
        "type": "string", "pattern": "^a"}}}))),
    ("metadata with labels", definition(root(metadata={"type": "object", "properties": {"labels": {"type": "object"}}}))),
    ("metadata of another type", definition(root(metadata=STRING))),
    ("metadata required", definition(root(metadata={"type": "object", "required": ["name"]}))),
    ("kind of another type", definition(root(kind=INTEGER, apiVersion={"type": "object"}))),
    ("default in top-level metadata", definition(root(metadata={"type": "object", "default": {}, "properties": {"name": {
        "type": "string", "default": "a"}}}))),
    ("field without type", field()),
    ("field of unknown type", field(type="text")),
    ("field of type null", field(type="null")),
    ("array without items", field(type="array")),
    ("array of untyped items", field(type="array", items={})),
    ("items as array", field(type="array", items=[STRING])),
    ("unique items", field(type="array", items=STRING, uniqueItems=True)),
    ("properties and additional properties", field(type="object", properties={"a": STRING}, additionalProperties=STRING)),
    ("additional properties true", field(type="object", additionalProperties=True)),
    ("properties and additional properties false", field(type="object", properties={"a": STRING}, additionalProperties=False)),
    ("untyped additional properties", field(type="object", additionalProperties={})),
    ("preserve", field(type="object", preserve=True)),
    ("preserve without type", field(preserve=True)),
    ("preserve false", field(type="object", preserve=False)),
    ("id, ref and others", field(type="object", id="a", ref="#/x", patternProperties={"a": STRING}, definitions={"a": STRING},
                                 dependencies={"a": ["b"]}, additionalItems=True)),
    *(("empty %s" % name, field(type="object", **{name: value})) for name, value in EMPTY),
    *(("empty %s at the root" % name, definition(dict(root(), **keyword({name: value})))) for name, value in EMPTY),
    *(("empty %s at the root with status" % name, definition(versions=[version(
        "v1", dict(root(), **keyword({name: value})), subresources=STATUS)])) for name, value in EMPTY),
    ("empty members in items", field(type="array", items={"type": "object", "definitions": {}, "dependencies": {}, "enum": []})),
    ("schema keyword", field(type="object", schema="http://json-schema.org/draft-04/schema#")),
    ("pattern", field(type="string", pattern="^[a-z]+$")),
    ("bad pattern", field(type="string", pattern="(")),
    ("look-ahead", field(type="string", pattern="(?=a)b")),
    ("back reference", field(type="string", pattern="(a)\\1")),
    ("bad class", field(type="string", pattern="[a-z")),
    ("bad repetition", field(type="string", pattern="*a")),
    ("too many repetitions", field(type="string", pattern="a{1001}")),
    ("int or string", field(int_or_string=True)),
    ("int or string with any of", field(int_or_string=True, anyOf=INT_OR_STRING)),
    ("int or string with all of", field(int_or_string=True, allOf=[{"anyOf": INT_OR_STRING}, {"pattern": "a"}])),
    ("int or string with type", field(int_or_string=True, type="string")),
    ("int or string with other any of", field(int_or_string=True, anyOf=[{"type": "integer"}, {"type": "boolean"}])),
    ("int or string preserved", field(int_or_string=True, preserve=True)),
    ("int or string embedded", field(int_or_string=True, embedded=True)),
    ("types in any of", field(type="object", anyOf=[{"type": "object"}, {"required": ["a"]}])),
    ("structure in nested schemas", field(type="object", properties={"a": STRING}, allOf=[{"properties": {"a": {
        "type": "string", "default": "a", "title": "t", "description": "d", "nullable": True}, "b": {"minLength": 1}}}],
        not_={"additionalProperties": STRING}, oneOf=[{"x-kubernetes-preserve-unknown-fields": True}], anyOf=[{"items": {
            "x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["a"], "x-kubernetes-map-type": "atomic"}}])),
    ("metadata in nested schema", field(type="object", properties={"metadata": {"type": "object"}},
                                        anyOf=[{"properties": {"metadata": {"required": ["a"]}}}])),
    ("nested rules of known fields", field(type="object", properties={"a": STRING, "b": STRING},
                                           oneOf=[{"required": ["a"]}, {"required": ["b"]}])),
    ("embedded", field(type="object", embedded=True, preserve=True)),
    ("embedded with properties", field(type="object", embedded=True, properties={"spec": {"type": "object"}})),
    ("embedded without anything", field(type="object", embedded=True)),
    ("embedded of another type", field(type="string", embedded=True)),
    ("embedded with additional properties", field(type="object", embedded=True, additionalProperties=STRING)),
    ("embedded with metadata", field(type="object", embedded=True, properties={"metadata": {
        "type": "object", "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string", "default": "a"}}}}})),
    ("embedded inside of metadata", field(type="object", embedded=True, preserve=True, properties={"metadata": {
        "type": "object", "properties": {"a": {"type": "object", "x-kubernetes-embedded-resource": True,
                                               "x-kubernetes-preserve-unknown-fields": True}}}})),
    ("embedded kind of another type", field(type="object", embedded=True, properties={"kind": INTEGER})),
    ("list type of an object", field(type="object", list_type="set")),
    ("list type without type", field(preserve=True, list_type="set")),
    ("unknown list type", items("bag", type="string")),
    ("set of strings", items("set", type="string")),
    ("set of objects", items("set", type="object")),
    ("set of atomic objects", items("set", type="object", map_type="atomic")),
    ("set of sets", field(type="array", list_type="set", items={"type": "array", "items": STRING, "x-kubernetes-list-type": "set"})),
    ("set of nullable", items("set", type="string", nullable=True)),
    ("map without keys", items("map", **KEYED)),
    ("map", items("map", ["name"], **KEYED)),
    ("map with default key", items("map", ["name", "size"], **KEYED)),
    ("map with unknown key", items("map", ["other"], **KEYED)),
    ("map with object key", items("map", ["o"], **KEYED)),
    ("map with nullable key", items("map", ["n"], **KEYED)),
    ("map with same keys", items("map", ["name", "name"], **KEYED)),
    ("map with optional key", items("map", ["name"], type="object", properties={"name": STRING})),
    ("map of strings", items("map", ["name"], type="string")),
    ("map of nullable", items("map", ["name"], nullable=True, **KEYED)),
    ("keys without list type", items(None, ["name"], **KEYED)),
    ("keys of a set", items("set", ["name"], type="string")),
    ("map without items", field(type="array", list_type="map", keys=["a"])),
    ("map type", field(type="object", map_type="atomic")),
    ("map type of a string", field(type="string", map_type="atomic")),
    ("unknown map type", field(type="object", map_type="loose")),
    ("map type without type", field(preserve=True, map_type="granular")),
    ("default", field(type="string", default="a")),
    ("default null", field(type="string", default=None)),
    ("default of the wrong type", field(type="string", default=1)),
    ("default out of range", field(type="integer", default=11, maximum=10)),
    ("default with unknown fields", field(type="object", default={"a": "b", "c": 1}, properties={"a": STRING})),
    ("default of an object", field(type="object", default={"a": "b"}, properties={"a": {"type": "string", "default": "c"}})),
    ("default not in enum", field(type="string", default="c", enum=["a", "b"])),
    ("default of a list", field(type="array", default=["a", 1], items=STRING)),
    ("default without required", field(type="object", default={}, required=["a"], properties={"a": STRING})),
    ("default of embedded", field(type="object", embedded=True, preserve=True, default={"metadata": {"labels": {"a": 1}}})),
    ("default of embedded without kind", field(type="object", embedded=True, preserve=True, default={"metadata": {"name": "a"}})),
    ("default in embedded metadata", field(type="object", embedded=True, preserve=True, properties={"metadata": {
        "type": "object", "properties": {"name": {"type": "string", "default": "a/b"}}}})),
    ("default kind", field(type="object", embedded=True, preserve=True, properties={"kind": {"type": "string", "default": "Wid get"}})),
    ("unknown format", field(type="string", format="zip")),
    ("formats", definition(spec(a={"type": "integer", "format": "int8"}, b={"type": "number", "format": "double"},
                                c={"type": "object", "format": "date"}, d={"type": "string", "format": "date-time"}))),
    ("rules of nothing", field(type="string", rules=[{"rule": ""}])),
    ("rule fields", field(type="object", properties={"a": STRING}, rules=[
        {"rule": " ", "message": "m"}, {"rule": "true", "message": " "}, {"rule": "true", "message": "a\nb"},
        {"rule": "true\n", "messageExpression": " "}, {"rule": "true", "reason": "Because"},
        {"rule": "true", "fieldPath": ".b"}, {"rule": "true", "fieldPath": " "}, {"rule": "true &&\ntrue"}])),
    ("versions with different selectable fields", definition(versions=[
        version("v1", spec(a=STRING), selectableFields=[{"jsonPath": ".spec.a"}]), version("v2", spec(a=STRING), storage=False)])),
    ("versions with different schemas", definition(versions=[
        version("v1", spec(a={"type": "text"})), version("v2", spec(a={}), storage=False)])),
    ("versions with different columns and subresources", definition(versions=[
        version("v1", subresources={"scale": {}}), version("v2", storage=False, subresources=STATUS, additionalPrinterColumns=[{
            "name": "", "type": "x", "jsonPath": "y"}])])),
    ("change of the group", (definition(), {"spec": {"group": "other.com"}})),
    ("change of the kind", (definition(), {"spec": {"names": {"kind": "Gadget", "listKind": "GadgetList"}}})),
    ("change of the plural", (definition(), {"spec": {"names": {"plural": "gadgets"}}})),
    ("change of the scope", (definition(), {"spec": {"scope": "Cluster"}})),
    ("change of the storage version", (definition(versions=[version("v1"), version("v2", storage=False)]),
                                       {"spec": {"versions": [version("v1", storage=False), version("v2")]}})),
    ("removal of the stored version", (definition(), {"spec": {"versions": [version("v2")]}})),
    ("change of names", (definition(), {"spec": {"names": {"shortNames": ["w"], "categories": ["all"]}}})),
    ("change of the schema", (definition(), {"spec": {"versions": [version("v1", spec(a={"type": "string", "format": "zip"}))]}})),
    ("change of the status", (definition(), {"status": {"storedVersions": ["v9"]}})),
]

BASE = "/apis/example.com/v1/namespaces/default/widgets"
CLUSTER = "/apis/example.com/v1/gadgets"


def widget(name="a", metadata=None, api_version="example.com/v1", **content):
    return dict({"apiVersion": api_version, "kind": "Widget", "metadata": dict({"name": name}, **(metadata or {}))}, **content)


def create(name="a", metadata=None, path=BASE, query="", **content):
    return ("POST", path + query, widget(name, metadata, **content))


VALUES = spec(
    i={"type": "integer", "minimum": 1, "maximum": 10}, i32={"type": "integer", "format": "int32"},
    i64={"type": "integer", "format": "int64"}, x={"type": "integer", "minimum": 1, "exclusiveMinimum": True, "maximum": 5,
                                                   "exclusiveMaximum": True},
    m={"type": "integer", "multipleOf": 3}, n={"type": "number", "minimum": 0.5, "maximum": 2.5, "multipleOf": 0.5},
    fl={"type": "number", "format": "float"}, b={"type": "boolean"}, s={"type": "string", "minLength": 2, "maxLength": 4},
    p={"type": "string", "pattern": "^[a-c]+$"}, e={"type": "string", "enum": ["one", "two"]},
    ei={"type": "integer", "enum": [1, 2]}, l={"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1,
                                               "maxItems": 2},
    o={"type": "object", "properties": {"a": STRING, "b": INTEGER}, "required": ["a"], "minProperties": 1, "maxProperties": 2},
    mp={"type": "object", "additionalProperties": {"type": "integer", "maximum": 3}, "minProperties": 1, "maxProperties": 2},
    nf={"type": "object", "additionalProperties": False}, nu={"type": "string", "nullable": True, "enum": ["a", None]},
    ios={"x-kubernetes-int-or-string": True, "maximum": 10, "pattern": "%$"},
    any={"type": "object", "properties": {"a": STRING, "b": STRING}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    one={"type": "object", "properties": {"a": STRING, "b": STRING}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    all={"type": "integer", "allOf": [{"minimum": 2}, {"maximum": 1}]}, no={"type": "string", "not": {"pattern": "^x"}},
    best={"type": "object", "properties": {"k": STRING, "v": INTEGER}, "anyOf": [
        {"properties": {"k": {"enum": ["a"]}, "v": {"minimum": 5}}, "required": ["k", "v"]}, {"properties": {"k": {"enum": ["b"]}}}]},
    set={"type": "array", "items": STRING, "x-kubernetes-list-type": "set"},
    map={"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {
        "type": "object", "required": ["k"], "properties": {"k": STRING, "v": {"type": "integer", "maximum": 3}}}},
    map2={"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "j"], "items": {
        "type": "object", "properties": {"k": {"type": "string", "default": "x"}, "j": {"type": "integer", "default": 1}}}},
    **{"f-" + name: {"type": "string", "format": name} for name in (
        "date", "date-time", "duration", "byte", "uuid", "uuid3", "uuid4", "uuid5", "email", "hostname", "uri", "ipv4", "ipv6",
        "cidr", "mac", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "password", "bsonobjectid",
        "k8s-short-name", "k8s-long-name", "zip")},
)

FORMATS = {
    "date": ["2024-02-29", "2023-02-29", "2024-1-1", ""], "date-time": [
        "2024-02-29T01:02:03Z", "2024-02-29t01:02:03.5+01:00", "2024-02-29T25:00:00Z", "2024-02-29", "2024-02-29T01:02:03"],
    "duration": ["1h30m", "5 minutes", "1.5h", "-3s", "five", "", "10", "0"],
    "byte": ["YQ==", "YQ=", "", "a-b_", "YWJj"], "uuid": ["550e8400-e29b-41d4-a716-446655440000", "550E8400E29B41D4A716446655440000",
                                                        "550e8400"],
    "uuid3": ["a3bb189e-8bf9-3888-9912-ace4e6543002", "550e8400-e29b-41d4-a716-446655440000"],
    "uuid4": ["550e8400-e29b-41d4-a716-446655440000", "a3bb189e-8bf9-3888-9912-ace4e6543002"],
    "uuid5": ["a6edc906-2f9f-5fb2-a373-efac406f0ef2", "550e8400-e29b-41d4-a716-446655440000"],
    "email": ["a@b.c", "A B <a@b.c>", "a", "a@", "a@b", "a b@c.d", "\"a b\"@c.d", ""],
    "hostname": ["example.com", "a", "-a", "a_b", "1.2.3.4", "a..b", "example.c", "é.example.com", "a-", ""],
    "uri": ["http://a/b", "/a", "a", "mailto:a@b.c", "http://a b/", "", "http://[::1]:80/", "//a", "a:b", "http://a:b/", "%zz:/"],
    "ipv4": ["1.2.3.4", "01.2.3.4", "1.2.3", "::1", "::ffff:1.2.3.4", "256.1.1.1"], "ipv6": ["::1", "1.2.3.4", "fe80::1%eth0", "1::2::3",
                                                                                          "::ffff:1.2.3.4"],
    "cidr": ["10.0.0.0/8", "10.0.0.1/33", "::/0", "10.0.0.0", "010.0.0.0/8", "1.2.3.4/08"], "mac": ["01:02:03:04:05:06", "01-02-03-04-05-06",
                                                                                "0102.0304.0506", "01:02", "1:2:3:4:5:6"],
    "isbn": ["978-3-16-148410-0", "0321751043", "123"], "isbn10": ["0-321-75104-3", "080442957X", "0321751044"],
    "isbn13": ["978-3-16-148410-0", "978-3-16-148410-1"], "creditcard": ["4111 1111 1111 1111", "4111111111111112"],
    "ssn": ["123-45-6789", "123456789", "123 45 6789"], "hexcolor": ["#fff", "00FF00", "#ff", "#gggggg"],
    "rgbcolor": ["rgb(1,2,3)", "rgb( 255 , 0 , 10 )", "rgb(256,0,0)", "rgb(01,0,0)"], "password": ["x"],
    "bsonobjectid": ["507f1f77bcf86cd799439011", "507f"], "k8s-short-name": ["a-b", "A", "a.b"], "k8s-long-name": ["a.b-c", "a..b"],
    "zip": ["anything"],
}

VALUE_STEPS = [
    create(spec=value) for value in (
        {"i": 5, "i32": 1, "x": 3, "n": 1.5, "s": "abc", "l": ["a"]}, {"i": 11}, {"i": 0}, {"i": "5"}, {"i": 5.0}, {"i": 5.5}, {"i": True},
        {"i": None}, {"i": []}, {"i": {}}, {"i32": 2147483648}, {"i32": -2147483649}, {"i32": 1.5}, {"i32": 1e3}, {"x": 1}, {"x": 5},
        {"m": 4}, {"m": 6}, {"n": 0.25}, {"n": 3}, {"n": 1.7}, {"n": 1}, {"n": "1"}, {"fl": 1e39}, {"fl": 1}, {"b": "true"}, {"b": 1},
        {"s": "a"}, {"s": "abcde"}, {"s": "äöü"}, {"s": 1}, {"p": "abd"}, {"p": "abc"}, {"e": "three"}, {"e": 1}, {"ei": 3}, {"ei": 1.5},
        {"ei": 2.0}, {"l": []}, {"l": ["a", "b", "c"]}, {"l": ["abcd", 1]}, {"l": "a"}, {"l": [None]}, {"o": {}}, {"o": {"b": 1}},
        {"o": {"a": "1", "b": "2"}}, {"o": {"a": "x", "c": 1}}, {"o": []}, {"mp": {}}, {"mp": {"a": 4, "b": 1, "c": "x"}},
        {"mp": {"a.b": "x"}}, {"nf": {"a": 1}}, {"nu": None}, {"nu": "a"}, {"nu": "b"}, {"ios": 1}, {"ios": 11}, {"ios": "5%"}, {"ios": "5"},
        {"ios": 1.5}, {"ios": True}, {"any": {}}, {"any": {"a": "x"}}, {"one": {}}, {"one": {"a": "x", "b": "y"}}, {"one": {"b": "y"}},
        {"all": 0}, {"all": 3}, {"no": "x1"}, {"no": "y"}, {"best": {"k": "a", "v": 1}}, {"best": {"k": "c", "v": 9}},
        {"best": {"k": "c"}}, {"set": ["a", "b", "a", "a"]}, {"map": [{"k": "a"}, {"k": "b"}, {"k": "a"}]}, {"map": [{}, {}]},
        {"map": ["a"]}, {"map2": [{}, {"k": "x", "j": 1}, {"k": "y"}]}, {"unknown": 1}, {"o": {"a": "x", "unknown": {"deep": 1}}}, "text",
        None, {"i": 9223372036854775807}, {"i64": 9223372036854775808}, {"i64": 1e30})
]
VALUE_STEPS = [(step[0], step[1] + "?dryRun=All", step[2]) for step in VALUE_STEPS]

RAW = [
    ("POST", BASE + "?dryRun=All&fieldValidation=Strict", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a",'
     '"unknown":1,"labels":{"a":"b"}},"spec":{"i":1,"i":2,"unknown":1,"l":["a"],"o":{"a":"b","x":1}},"extra":1}'),
    ("POST", BASE + "?dryRun=All&fieldValidation=Warn", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a",'
     '"unknown":1},"spec":{"i":1,"i":2,"unknown":1}}'),
    ("POST", BASE + "?dryRun=All&fieldValidation=Ignore", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a",'
     '"unknown":1},"spec":{"i":1,"i":2,"unknown":1}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","labels":{"a":1}}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","finalizers":"x"}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":"a"}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"a"}}'),
    ("POST", BASE + "?dryRun=All", '{"metadata":{"name":"a"}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"Not Valid"}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","finalizers":["foo","a.b",'
     '"example.com/x","orphan"]}}'),
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"generateName":"a-"},"spec":{'),
    ("POST", BASE + "?dryRun=All", "[]"),
]

DEFAULTED = spec(
    a={"type": "string", "default": "x"}, o={"type": "object", "default": {}, "properties": {"b": {"type": "integer", "default": 1}}},
    p={"type": "object", "properties": {"c": {"type": "boolean", "default": True}}},
    l={"type": "array", "items": {"type": "object", "properties": {"d": {"type": "string", "default": "y"}, "e": STRING}}},
    m={"type": "object", "additionalProperties": {"type": "object", "properties": {"f": {"type": "number", "default": 0.5}}}},
    n={"type": "string", "nullable": True, "default": "z"}, any={"type": "object", "x-kubernetes-preserve-unknown-fields": True,
                                                              "properties": {"k": {"type": "object", "properties": {"s": STRING}}}},
    emb={"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
    emb2={"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "object", "properties": {
        "a": STRING}}}}, free={"type": "object", "additionalProperties": True}, ios={"x-kubernetes-int-or-string": True, "default": "8%"})

DEFAULT_STEPS = [(step[0], step[1] + "?dryRun=All", step[2]) for step in (create(spec=value) for value in (
    {}, {"a": None, "n": None, "o": None, "p": {}, "l": [{}, {"d": None, "e": None}, None], "m": {"x": {}, "y": {"f": 2}}},
    {"any": {"u": {"v": None, "w": [1, None]}, "k": {"s": "a", "t": 1}}, "free": {"a": 1, "b": {"c": 1}, "d": [{"e": 1}]}},
    {"emb": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "unknown": 1, "creationTimestamp": None}, "spec": {"a": 1}}},
    {"emb": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x/y", "labels": {"a b": "c"}}}},
    {"emb": {"kind": "pod kind", "apiVersion": "a/b/c"}}, {"emb": {}}, {"emb": {"apiVersion": "", "kind": 1}},
    {"emb": {"apiVersion": "v1", "kind": "Pod", "metadata": 1}},
    {"emb2": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": "Y"}, "spec": {"a": "b", "c": "d"}, "x": 1}},
    {"ios": None}, {"ios": 3}))]

PARTS = definition(versions=[version("v1", root(
    spec={"type": "object", "properties": {"replicas": {"type": "integer"}, "a": STRING}},
    status={"type": "object", "required": ["phase"], "properties": {
        "replicas": INTEGER, "phase": {"type": "string", "enum": ["Up", "Down"]}, "selector": STRING}}),
    subresources={"status": {}, "scale": dict(SCALE, labelSelectorPath=".status.selector")})])

A = BASE + "/a"
PART_STEPS = [
    create(spec={"a": "x"}, status={"phase": "Up"}),
    ("GET", A + "/scale"),
    ("PUT", A + "/scale", {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a", "namespace": "default"},
                           "spec": {"replicas": 3}}),
    ("GET", A), ("GET", A + "/scale"),
    ("PATCH", A + "/scale", {"spec": {"replicas": 4}}, MERGE), ("PATCH", A + "/scale", {"spec": {"replicas": -4}}, MERGE),
    ("PATCH", A + "/status", {"status": {"phase": "Up", "replicas": 2, "selector": "a=b"}, "spec": {"a": "ignored"},
                              "metadata": {"labels": {"ignored": "yes"}}}, MERGE),
    ("GET", A + "/scale"), ("PATCH", A + "/status", {"status": {"phase": "Sideways"}}, MERGE),
    ("PATCH", A + "/status", {"status": {"phase": None}}, MERGE), ("PATCH", A + "/status", {"status": "text"}, MERGE),
    ("PATCH", A + "/status", {"status": {"replicas": -1}}, MERGE), ("PATCH", A + "/status", {"status": {"selector": 1}}, MERGE),
    ("PATCH", A, {"status": {"phase": "Down"}}, MERGE), ("PATCH", A, {"spec": {"a": "y"}}, MERGE),
    ("PATCH", A, {"metadata": {"labels": {"l": "m"}}}, MERGE), ("PATCH", A, {"spec": {"replicas": -1}}, MERGE),
    ("PATCH", A, {"spec": {"replicas": 3000000000}}, MERGE), ("PATCH", A, {"spec": {"replicas": "x"}}, MERGE),
    ("PUT", A, widget(spec={"a": "z"})), ("PATCH", A, {"spec": {"a": "q"}}, "application/strategic-merge-patch+json"),
    ("PATCH", A, [{"op": "replace", "path": "/spec/a", "value": "r"}], "application/json-patch+json"),
    ("PATCH", A, [{"op": "replace", "path": "/spec/a", "value": 1}], "application/json-patch+json"),
    ("GET", A + "/other"), ("GET", BASE + "/none"), ("GET", BASE + "/none/scale"), ("DELETE", A), ("GET", A),
]

RATCHET_STEPS = [
    create(spec={"a": "long", "o": {"b": 1, "c": 2}, "l": ["aaaa"], "m": [{"k": "a", "v": 9}, {"k": "b", "v": 1}], "s": ["x", "x"]}),
    ("PATCH", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com", {"spec": {"versions": [version(
        "v1", spec(a={"type": "string", "maxLength": 2}, o={"type": "object", "properties": {
            "b": {"type": "integer", "minimum": 5}, "c": {"type": "integer", "minimum": 5}}}, l={"type": "array", "items": {
                "type": "string", "maxLength": 2}}, m={"type": "array", "x-kubernetes-list-type": "map",
                                                       "x-kubernetes-list-map-keys": ["k"], "items": {
                "type": "object", "required": ["k"], "properties": {"k": STRING, "v": {"type": "integer", "maximum": 3}}}},
            s={"type": "array", "items": STRING, "x-kubernetes-list-type": "set"}, n=STRING))]}}, MERGE),
    ("WAIT", ""),
    ("PATCH", A, {"spec": {"n": "new"}}, MERGE), ("PATCH", A, {"spec": {"o": {"b": 2}}}, MERGE),
    ("PATCH", A, {"spec": {"o": {"b": 7}}}, MERGE), ("PATCH", A, {"spec": {"a": "longer"}}, MERGE),
    ("PATCH", A, {"spec": {"l": ["aaaa", "b"]}}, MERGE), ("PATCH", A, {"spec": {"m": [{"k": "a", "v": 9}, {"k": "b", "v": 2}]}}, MERGE),
    ("PATCH", A, {"spec": {"m": [{"k": "a", "v": 8}, {"k": "b", "v": 2}]}}, MERGE), ("PATCH", A, {"spec": {"s": ["y", "y"]}}, MERGE),
    ("PATCH", A, {"spec": {"s": ["y"]}}, MERGE), ("PATCH", A, {"spec": {"s": ["y", "y"]}}, MERGE), create("b", spec={"a": "long"}),
]

VERSIONS = definition(kind="Gadget", plural="gadgets", scope="Cluster", versions=[
    version("v1beta1", spec(a=STRING, b={"type": "string", "default": "old"}), storage=False, deprecated=True),
    version("v1", spec(a=STRING, c={"type": "string", "default": "new"})),
    version("v2", spec(a=STRING), storage=False, served=False), version("v2alpha1", spec(a=STRING), storage=False, deprecated=True,
                                                                        deprecationWarning="try another")])


def gadget(name="a", api_version="example.com/v1", **content):
    return dict({"apiVersion": api_version, "kind": "Gadget", "metadata": {"name": name}}, **content)


V1BETA1 = "/apis/example.com/v1beta1/gadgets"
VERSION_STEPS = [
    ("POST", CLUSTER, gadget(spec={"a": "x", "b": "pruned"})), ("GET", V1BETA1 + "/a"), ("GET", CLUSTER + "/a"),
    ("POST", V1BETA1, gadget("b", "example.com/v1beta1", spec={"a": "y", "b": "kept?"})), ("GET", CLUSTER + "/b"),
    ("GET", V1BETA1 + "/b"), ("GET", "/apis/example.com/v2/gadgets/a"), ("GET", "/apis/example.com/v2alpha1/gadgets/a"),
    ("GET", V1BETA1), ("PATCH", V1BETA1 + "/a", {"spec": {"a": "z"}}, MERGE), ("GET", CLUSTER + "/a"),
    ("POST", CLUSTER, gadget("c", "example.com/v1beta1")), ("DELETE", V1BETA1 + "/a"),
    ("GET", "/apis/example.com/v1/namespaces/default/gadgets"),
]

SELECTABLE = definition(versions=[version("v1", spec(color=STRING, size=INTEGER, on={"type": "boolean"}), selectableFields=[
    {"jsonPath": ".spec.color"}, {"jsonPath": ".spec.size"}, {"jsonPath": ".spec.on"}])])
SELECT_STEPS = [
    create("a", spec={"color": "red", "size": 1, "on": True}), create("b", spec={"color": "blue"}), create("c"),
] + [("GET", BASE + "?fieldSelector=" + selector) for selector in (
    "spec.color%3Dred", "spec.color!%3Dred", "spec.size%3D1", "spec.on%3Dtrue", "spec.color%3D", "spec.other%3Dx", ".spec.color%3Dred",
    "spec.color%3Dblue,metadata.name%3Db")]

APPLY = "application/apply-patch+yaml"


def apply(name="a", manager="one", path=BASE, part="", query="", **content):
    body = content.pop("body", None) or widget(name, **content)
    return ("PATCH", path + "/" + name + part + "?fieldManager=" + manager + query, body, APPLY)


# What an apply leaves as null is validated; only bodies lose their nulls.
NULLS = definition(versions=[version("v1", root(
    spec={"type": "object", "properties": {
        "size": STRING, "n": INTEGER, "b": {"type": "boolean"}, "tags": {"type": "array", "items": STRING},
        "deep": {"type": "object", "properties": {"s": STRING, "t": {"type": "number"}}},
        "map": {"type": "object", "additionalProperties": STRING},
        "extra": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "set": {"type": "string", "default": "x"}, "may": {"type": "string", "nullable": True},
        "list": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {
            "type": "object", "required": ["k"], "properties": {"k": STRING, "v": STRING}}}}},
    status={"type": "object", "properties": {"phase": STRING}}), subresources=STATUS)])
NULL_STEPS = [apply("n", spec=value) for value in (
    {"size": None}, {"n": None}, {"b": None}, {"tags": None}, {"deep": None}, {"deep": {"s": None}}, {"deep": {"t": None}},
    {"map": {"a": None}}, {"extra": None}, {"extra": {"a": None}}, {"set": None}, {"may": None}, {"list": [{"k": "a", "v": None}]},
    {"list": None}, {"tags": [None]}, None)] + [
    create("c", spec={"size": None, "tags": None, "extra": None, "deep": {"s": None}, "may": None, "set": None}),
    ("PATCH", BASE + "/c", {"spec": {"size": "a", "deep": {"t": None}}}, MERGE),
    ("PATCH", BASE + "/c", [{"op": "add", "path": "/spec/tags", "value": None}], "application/json-patch+json"),
    apply("c", part="/status", status={"phase": None}), apply("c", part="/status", status=None),
    apply("b", spec={"extra": {"a": 1}}), apply("b", "two", spec={"extra": {}}), apply("b", spec={"extra": {}}),
    ("GET", BASE + "/b"), apply("b", "three", spec={"size": None}), apply("b", "three", spec={"may": None})]

# Without the subresource, the status is a member as any other.
PLAIN_STATUS = definition(root(spec={"type": "object", "properties": {"a": STRING}}, status={
    "type": "object", "properties": {"phase": STRING}}))
OWNED_STATUS_STEPS = [
    apply(status={"phase": "New"}), ("OWNERS", A), apply(manager="two", status={"phase": "Old"}),
    ("PUT", A + "?fieldManager=put", widget(status={"phase": "Put"})),
    ("PATCH", A + "?fieldManager=merge", {"status": {"phase": "Merged"}, "spec": {"a": "b"}}, MERGE), ("OWNERS", A),
    ("POST", BASE + "?fieldManager=post", widget("b", status={"phase": "New"})), ("OWNERS", BASE + "/b"),
    apply("b", "two", query="&force=true", status={"phase": "Old"}), ("OWNERS", BASE + "/b")]

# A parent that keeps unknown members lets an apply name them in all parts; pruning drops them where a schema lists members.
KEPT = definition(spec(
    k={"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {
        "known": {"type": "object", "properties": {"a": STRING, "deep": {"type": "object", "properties": {"c": STRING}}}},
        "list": {"type": "array", "items": {"type": "object", "properties": {"a": STRING}}},
        "keyed": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"], "items": {
            "type": "object", "required": ["a"], "properties": {"a": STRING}}},
        "map": {"type": "object", "additionalProperties": {"type": "object", "properties": {"a": STRING}}},
        "emb": {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {
            "type": "object", "properties": {"a": STRING}}}}}},
    strict={"type": "object", "properties": {"a": STRING, "when": {"type": "string", "format": "date-time"}, "free": {"type": "object"},
                                             "any": {"x-kubernetes-preserve-unknown-fields": True},
                                             "none": {"type": "object", "additionalProperties": False}}}))
KEPT_STEPS = [step for name, value in enumerate((
    {"k": {"known": {"a": "1", "b": "2"}}}, {"k": {"known": {"deep": {"c": "1", "d": {"e": 1}}}, "x": {"y": [1]}}},
    {"k": {"list": [{"a": "1", "b": "2"}]}}, {"k": {"keyed": [{"a": "1", "b": "2"}]}}, {"k": {"map": {"m": {"a": "1", "b": "2"}}}},
    {"k": {"emb": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"a": "1", "b": "2"}, "c": 1}}},
    {"strict": {"a": "1", "b": "2"}}, {"strict": {"when": 5}}, {"strict": {"when": "2024-02-29T01:02:03Z"}},
    {"strict": {"free": {"a": 1}}}, {"strict": {"free": [1]}}, {"strict": {"any": [{"a": 1}]}}, {"strict": {"none": {"a": 1}}}))
    for step in (apply("k%d" % name, spec=value), ("GET", BASE + "/k%d" % name))]
KEPT_STEPS += [("OWNERS", BASE + "/k%d" % name) for name in (0, 1, 2, 3, 4, 5, 8, 11)]

# Metadata of embedded objects in forms that Go reads in its own way.
EMBEDDED = definition(spec(e={"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {
    "type": "object", "properties": {"a": STRING}}}}, l={"type": "array", "items": {
        "type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}}))
EMBEDDED_METADATA = (
    None, {}, {"name": ""}, {"name": None}, {"generateName": ""}, {"generateName": "a-"}, {"namespace": ""}, {"namespace": "Not Valid"},
    {"labels": None}, {"labels": {}}, {"labels": {"a": None}}, {"labels": {"a": 1}}, {"labels": []}, {"annotations": None},
    {"annotations": {"a": None}}, {"finalizers": None}, {"finalizers": []}, {"finalizers": [None]}, {"finalizers": ["x"]},
    {"ownerReferences": None}, {"ownerReferences": [{}]}, {"ownerReferences": [None]}, {"creationTimestamp": "2026-01-01T00:00:00Z"},
    {"creationTimestamp": ""}, {"creationTimestamp": None}, {"creationTimestamp": "yesterday"}, {"deletionTimestamp": None},
    {"managedFields": None}, {"managedFields": []}, {"managedFields": [None]}, {"managedFields": [{}]}, {"managedFields": "x"},
    {"managedFields": [{"manager": "m", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:a": {}}}]},
    {"managedFields": [{"manager": "m", "operation": "Drop", "fieldsType": "FieldsV2", "fieldsV1": 1}]},
    {"managedFields": [{"operation": "Update", "manager": "a\tb"}]}, {"managedFields": [{"operation": "Update", "manager": "m" * 129}]},
    {"managedFields": [{"fieldsV1": None, "time": None}]}, {"managedFields": [{"operation": "Update", "fieldsType": "FieldsV1",
                                                                               "subresource": "s" * 300}]},
    {"generation": None}, {"generation": "1"}, {"generation": 1}, {"resourceVersion": "5"}, {"resourceVersion": 5}, {"uid": None},
    {"selfLink": "x"}, {"unknown": None}, {"deletionGracePeriodSeconds": None}, {"name": "a", "labels": {"b": "c", "a": "b"}})
EMBEDDED_STEPS = [
    create(spec={field: value if field == "e" else [value]}, query="?dryRun=All&fieldValidation=Strict")
    for metadata in EMBEDDED_METADATA for field in ("e", "l")
    for value in (dict({"apiVersion": "v1", "kind": "Pod"}, metadata=metadata),)] + [
    create(spec={"e": value}, query="?dryRun=All") for value in (
        {"apiVersion": "v1", "kind": ""}, {"apiVersion": None, "kind": None}, {"apiVersion": "a/b", "kind": "-a"}, {"apiVersion": "/", "kind": "A"},
        {"apiVersion": "v1", "kind": "Pod", "metadata": None, "spec": None}, {"kind": "Pod"}, None)] + [
    apply("e%d" % i, spec={"e": dict({"apiVersion": "v1", "kind": "Pod"}, metadata=metadata)}) for i, metadata in enumerate(
        (None, {"labels": None}, {"name": ""}, {"managedFields": []}, {"labels": {"a": None}}, {"creationTimestamp": None}))]

# Numbers with a fraction: in messages Go prints them with an exponent from 1e6 on, in JSON from 1e21 on.
BOUNDS = definition(spec(**{"n%d" % i: {"type": "number", "maximum": bound} for i, bound in enumerate((
    1000000, 123456.75, 1234567, 9223372036854775000, 2e23, 1e21, 1e-5))}, least={"type": "number", "minimum": 1e7},
    factor={"type": "number", "multipleOf": 2500000}, whole={"type": "integer", "maximum": 1000000}, any={
        "type": "object", "x-kubernetes-preserve-unknown-fields": True}))
BOUND_STEPS = [("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com")] + [
    ("POST", BASE + "?dryRun=All", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"%s":%s}}' % value)
    for value in (("n0", "1000000.5"), ("n0", "1000001"), ("n0", "1e30"), ("n1", "123457"), ("n2", "1234567.25"), ("n3", "1e19"),
                  ("n4", "3e23"), ("n5", "2e21"), ("n6", "0.00002"), ("n6", "2e-5"), ("least", "9999999.5"), ("least", "-1e-7"),
                  ("factor", "1250000.0"), ("factor", "3"), ("whole", "1000001"), ("whole", "1e7"), ("whole", "1e6"),
                  ("any", '{"a":1e-7,"c":1e21,"d":-0,"e":1e-5,"f":1e6,"g":2e23,"h":5e-324,"i":9223372036854775808}'))]

# The generation counts an unknown field of an apply, which is stored and not shown, and a number that is an integer only in the storage.
GENERATIONS = definition(root(spec={"type": "object", "properties": {"n": {"type": "number"}, "free": {"type": "object"}}}))
PLURALS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + GENERATIONS["metadata"]["name"]
GENERATION_STEPS = [("POST", BASE, '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"n"},"spec":{"n":3.0,"free":{"u":1}}}')] + [
    ("PATCH", BASE + "/n", '{"spec":{"n":%s,"free":{"u":%s}}}' % pair, MERGE) for pair in (
        ("3", 1), ("3.0", 1), ("3.0", 1), ("30e-1", 1), ("3", 2), ("3.5", 2), ("3.50", 2), ("35e-1", 2), ("-0", 2), ("-0.0", 2), ("0", 2),
        ("12345678901234567890", 2), ("12345678901234567891", 2), ("1e20", 2), ("100000000000000000000", 2))] + [
    ("PATCH", BASE + "/n", '[{"op":"replace","path":"/spec/n","value":%s}]' % value, "application/json-patch+json") for value in ("5", "5.0", "5")] + [
    step for value in (1, 1, 2) for step in (
        apply("n", spec={"free": {"u": value}}), apply("n", spec={"free": {"u": value}}, query="&dryRun=All"), ("GET", BASE + "/n"))] + [
    ("PATCH", BASE + "/n?fieldManager=one", '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"n"},"spec":{"free":{"u":2},"n":5.0}}', APPLY),
    apply("m", spec={"free": {"u": {"v": 1}}}, status={"x": 1}), ("GET", BASE + "/m"), ("PATCH", BASE + "/n", '{"spec":{"n":5}}', MERGE),
    apply("n", spec={"free": {}}), apply("n", spec={"free": {"u": 3}}),
    ("PATCH", PLURALS, [{"op": "add", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/free/"
                                             "x-kubernetes-preserve-unknown-fields", "value": True}], "application/json-patch+json"), ("WAIT", ""),
    ("GET", BASE + "/n"), ("GET", BASE + "/m"), ("PATCH", BASE + "/n", '{"metadata":{"labels":{"a":"b"}}}', MERGE)]

OBJECTS = [
    ("values", definition(VALUES), VALUE_STEPS + RAW),
    ("formats", definition(VALUES), [("POST", BASE + "?dryRun=All", widget(spec={"f-" + name: value}))
                                     for name, values in FORMATS.items() for value in values]),
    ("defaults and pruning", definition(DEFAULTED), DEFAULT_STEPS),
    ("status and scale", PARTS, PART_STEPS),
    ("ratcheting", definition(spec(
        a=STRING, o={"type": "object", "properties": {"b": INTEGER, "c": INTEGER}}, l={"type": "array", "items": STRING},
        m={"type": "array", "items": {"type": "object", "properties": {"k": STRING, "v": INTEGER}}},
        s={"type": "array", "items": STRING}, n=STRING)), RATCHET_STEPS),
    ("versions", VERSIONS, VERSION_STEPS),
    ("selectable fields", SELECTABLE, SELECT_STEPS),
    ("metadata of embedded objects", EMBEDDED, EMBEDDED_STEPS),
    ("bounds with fractions", BOUNDS, BOUND_STEPS),
    ("nulls of an apply", NULLS, NULL_STEPS),
    ("status that is no subresource", PLAIN_STATUS, OWNED_STATUS_STEPS),
    ("apply below kept unknown members", KEPT, KEPT_STEPS),
    ("generations", GENERATIONS, GENERATION_STEPS),
]
