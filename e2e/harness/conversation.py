"""One conversation with an API server: requests in an order, and the answers without what differs from run to run.

A conversation is the same function for both servers. Each request has a name that is unique in its conversation; the answers of two servers are compared
by that name.
"""
import collections
import datetime
import http.client
import json
import re
import time
import urllib.parse

JSON = "application/json"
YEAR = datetime.datetime.now(datetime.timezone.utc).year
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NOW = re.compile(r"\b(?:%d|%d)-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|\+00:00)" % (YEAR, YEAR + 1))
# The ranges of Service addresses that both servers are started with, and the ports of nodes.
ADDRESS = re.compile(r"\b10\.96\.\d+\.\d+|\bfd00:10:96::[0-9a-f]+")
NODE_PORT = re.compile(r"\b(\d+:)(3[0-2]\d\d\d)(?=/)")
# A version inside a message or a YAML document, the address of the server itself, and names made from a prefix of these conversations.
VERSION = re.compile(r'''((?:ResourceVersion in object meta: |ResourceVersion in record \(|resourceVersion\\*"?: ?\\*"?))(\d+)''')
SERVER = re.compile(r"\b(?:192\.0\.2\.1|127\.0\.0\.1):\d+")
CREDENTIAL = re.compile(r"\bX509SHA256=[0-9a-f]{64}")
MADE_UP = re.compile(r"\b(Bad_|made-)[bcdfghjklmnpqrstvwxz2456789]{5}\b")
AGES = {"Age", "Last Seen", "First Seen", "Last Schedule", "Duration"}
AGE = re.compile(r"^(\d+[smhdy])+$")
SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}"


class Answers:
    """Replaces what a server makes up by placeholders that name the step in which it first appeared. Numbers would not do: after a write too
    many in one server, the rest of the conversation would differ."""

    def __init__(self):
        self.seen = {}
        self.step = ""
        self.of_step = collections.Counter()
        self.ages = set()

    def begin(self, step):
        """The following answer is that of a step."""
        self.step = step
        self.of_step.clear()

    def _placeholder(self, family, value):
        values = self.seen.setdefault(family, {})
        if value not in values:
            self.of_step[family] += 1
            number = self.of_step[family]
            values[value] = "<%s of %s%s>" % (family, self.step, ", %d" % number if number > 1 else "")
        return values[value]

    def text(self, value):
        value = UUID.sub(lambda m: self._placeholder("uid", m[0]), value)
        value = NOW.sub(lambda m: "<micro time>" if m[1] else "<time>", value)
        value = ADDRESS.sub(lambda m: self._placeholder("address", m[0]), value)
        value = NODE_PORT.sub(lambda m: m[1] + self._placeholder("port", int(m[2])), value)
        value = VERSION.sub(lambda m: m[1] + self._placeholder("version", m[2]), value)
        value = MADE_UP.sub(r"\1<generated>", SERVER.sub("<server>", CREDENTIAL.sub("<credential>", value)))
        for name, placeholder in self.seen.get("generated", {}).items():
            value = value.replace(name, placeholder)
        return value

    def clean(self, value, member=None, parent=None):
        """The value without what differs from run to run."""
        if isinstance(value, dict):
            return self._object(value, member, parent)
        if isinstance(value, list):
            return [self.clean(item, member, parent) for item in value]
        if isinstance(value, str):
            return self.text(value)
        if member in ("nodePort", "healthCheckNodePort") and isinstance(value, int) and 30000 <= value <= 32767:
            return self._placeholder("port", value)
        if member in ("port", "targetPort") and isinstance(value, int) and 20000 <= value <= 65535:
            return "<port of the server>"
        return value

    def _object(self, value, member, parent):
        if member == "metadata" and parent is not None:
            value = self._metadata(value, parent)
        if value.get("kind") == "Table" and "rows" in value:
            value = self._table(value)
        if value.get("kind") == "TokenRequest" and isinstance(value.get("status"), dict):
            value = dict(value, status=dict(value["status"], token="<token>"))
        return {self.text(key): self.clean(item, key, value) for key, item in value.items()}

    def _metadata(self, value, parent):
        value = dict(value)
        version = value.get("resourceVersion")
        if isinstance(version, str) and version.isdigit() and version != "0":
            kind = str(parent.get("kind", ""))
            whole = "items" in parent or kind.endswith("List") or kind == "Table" or set(value) == {"resourceVersion"}
            value["resourceVersion"] = "<version of the list>" if whole else self._placeholder("version", version)
        if value.get("continue"):
            value["continue"] = "<continue>"
        if isinstance(value.get("managedFields"), list):
            # Their order depends on the second in which each was written.
            value["managedFields"] = sorted(value["managedFields"], key=lambda entry: [
                str(entry.get(key)) for key in ("manager", "operation", "subresource", "apiVersion")])
        prefix, name = value.get("generateName"), value.get("name")
        if isinstance(prefix, str) and isinstance(name, str) and re.fullmatch(re.escape(prefix[:58]) + SUFFIX, name):
            names = self.seen.setdefault("generated", {})
            names.setdefault(name, "%s<generated %d>" % (prefix, len(names) + 1))
        return value

    def _table(self, value):
        # Only the first table of a watch defines its columns.
        columns = value.get("columnDefinitions")
        if columns:
            self.ages = {i for i, column in enumerate(columns) if column.get("name") in AGES}
            self.ages.add(len(columns))  # IPAddresses have an age, but no column for it
        rows = [dict(row, cells=["<age>" if i in self.ages and isinstance(cell, str) and AGE.match(cell) else cell
                                 for i, cell in enumerate(row.get("cells") or [])]) for row in value.get("rows") or []]
        return dict(value, rows=rows)


class Conversation:
    """Sends requests and keeps the cleaned answers in `steps`: name to answer."""

    def __init__(self, config, name):
        self.config, self.name = config, name
        self.connection = None
        self.answers = Answers()
        self.steps = {}

    def _exchange(self, method, target, data, headers):
        for again in (True, False):
            fresh = self.connection is None
            try:
                if fresh:
                    self.connection = self.config.connect(20)
                self.connection.request(method, target, data, headers)
                response = self.connection.getresponse()
                payload = response.read()
                if response.will_close:
                    self.close()
                return response.status, response.msg, payload
            except (http.client.HTTPException, OSError) as error:
                self.close()
                if not again or fresh:
                    return 0, {}, ("no answer: " + type(error).__name__).encode()
        return None

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def ask(self, step, method, path, body=None, query=None, headers=None, keep=True, content=JSON):
        """Sends a request, keeps the answer under the name `step`, and returns its status and its body as it came. A body of bytes
        or str is sent as it is."""
        target = path
        if query:
            target += "?" + (query if isinstance(query, str) else urllib.parse.urlencode(query))
        if body is None or isinstance(body, bytes):
            data = body
        elif isinstance(body, str):
            data = body.encode()
        else:
            data = json.dumps(body).encode()
        sent = {"User-Agent": "conversation/1", "Accept": JSON, **self.config.headers}
        if data is not None and content:
            sent["Content-Type"] = content
        for key, value in (headers or {}).items():
            if value is None:
                sent.pop(key, None)
            else:
                sent[key] = value
        status, received, payload = self._exchange(method, target, data, sent)
        raw = parsed(payload, received.get("Content-Type") or "")
        if keep:
            if step in self.steps:
                raise ValueError("two requests are named " + step)
            self.answers.begin(step)
            answer = {"request": "%s %s" % (method, re.sub("(resourceVersion|continue)=[^&]{9,}", r"\1=...", target)),
                      "status": status, "type": received.get("Content-Type")}
            warnings = received.get_all("Warning") if received else None
            if warnings:
                answer["warnings"] = [self.answers.text(warning) for warning in warnings]
            if received and received.get("Retry-After"):
                answer["retry"] = received["Retry-After"]
            answer["body"] = self.answers.clean(raw)
            self.steps[step] = answer
        return status, raw

    def until(self, path, condition, seconds=3):
        """Waits until an object satisfies a condition, at most some seconds; nothing of it is compared."""
        end = time.time() + seconds
        while True:
            status, body = self.ask(None, "GET", path, keep=False)
            if (status == 200 and condition(body)) or time.time() > end:
                return body
            time.sleep(0.05)


def parsed(payload, content):
    """A body as JSON, as a list of JSON lines (the events of a watch), or as text."""
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        return "%d bytes" % len(payload)
    if "json" not in content:
        return text
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return text


# The client has a certificate for the one server only.
CERTIFICATE = {"authentication.kubernetes.io/credential-id": ["<credential>"]}

# Upstream's descriptions of columns are prose, which Kubeloop does not repeat.
DESCRIPTION = re.compile(r"\.columnDefinitions\[\d+\]\.description$")


def differences(real, ours, path=""):
    """The places in which two answers differ: (path, real value, our value)."""
    if DESCRIPTION.search(path):
        return []
    if isinstance(real, dict) and isinstance(ours, dict):
        found = []
        for key in list(real) + [key for key in ours if key not in real]:
            place = path + "." + key if path else key
            if key not in real:
                found.append((place, "(absent)", ours[key]))
            elif key not in ours:
                found += [(place, real[key], "(absent)")] * (key != "extra" or real[key] != CERTIFICATE)
            else:
                found += differences(real[key], ours[key], place)
        return found
    if isinstance(real, list) and isinstance(ours, list):
        if len(real) != len(ours) and not (real and ours and isinstance(real[0], dict) and isinstance(ours[0], dict)):
            return [(path, real, ours)]
        found = []
        for index in range(max(len(real), len(ours))):
            place = "%s[%d]" % (path, index)
            if index >= len(real):
                found.append((place, "(absent)", ours[index]))
            elif index >= len(ours):
                found.append((place, real[index], "(absent)"))
            else:
                found += differences(real[index], ours[index], place)
        return found
    return [] if type(real) is type(ours) and real == ours else [(path, real, ours)]
