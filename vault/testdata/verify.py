#!/usr/bin/env python3
"""Verify the operation logs of vaults, by vault/FORMAT.md alone.

    verify.py [--strict] VAULT...

Works out every text that a log tells of, from the files as they are and from files that
were created, over each change in both directions, and looks at the hash of each. Also
looks at digests and at the order of a device's numbers. Prints a line per vault and a
line per fault; the exit code is 1 if there is a fault. With --strict it is one as well
if a change can't be reached, unless only its hashes were kept, or a record can't be read.
"""
import base64
import hashlib
import json
import os
import re
import sys

import yaml

Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # all scalars are texts
TOOK = ("completed", "superseded")
RANK = {"proposed": 1, "approved": 2, "begun": 3, "superseded": 5}  # all others are ends


class Fault(Exception):
    pass


def sha(data):
    """The hash of a text; '' for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


# --- records ---------------------------------------------------------------------------


def documents(data):
    """Yield the line and the bytes of each record: what is between --- and ... lines."""
    start, doc = 0, None
    for number, line in enumerate(data.split(b"\n"), 1):
        if line == b"---":
            start, doc = number, []
        elif line == b"..." and doc is not None:
            yield start, b"\n".join(doc) + b"\n"
            doc = None
        elif doc is not None:
            doc.append(line)


def patch_of(change):
    """The bytes of a change's patch; None: it has none."""
    if "patch_bytes" in change:
        code = change["patch_bytes"]
        if isinstance(code, list):
            return bytes(int(n) for n in code)
        return base64.b64decode("".join(code.split()), validate=True)
    return change["patch"].encode() if "patch" in change else None


def read_record(doc):
    r = yaml.load(doc.decode(), Loader)
    if not isinstance(r, dict) or not r.get("id") or not r.get("event"):
        raise Fault("no record")
    for c in r.get("changes", []):
        c["bytes"] = patch_of(c)
    entity = r.get("entity")
    if entity is not None and "path" not in entity and r.get("changes"):
        entity["path"] = r["changes"][0]["path"]
    return r


# --- patches ---------------------------------------------------------------------------

HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$")
NEAR = re.compile(rb" near (\d),(\d) ([0-9a-f]{12})(?: part (\d+),(\d+))?$")


def lines_of(data):
    lines = data.split(b"\n")
    return [l + b"\n" for l in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


class Hunk:
    def __init__(self, m):
        self.start = [int(m[1]), int(m[3])]
        self.count = [1 if n is None else int(n) for n in (m[2], m[4])]
        self.near = NEAR.match(m[5])
        self.sides = [[], []]  # removed and added lines, with those that stay in both


def parse(patch):
    """Return (there is a file before, and after) and the hunks."""
    lines = lines_of(patch)
    if len(lines) < 2 or not lines[0].startswith(b"--- ") or not lines[1].startswith(b"+++ "):
        raise Fault("a patch without header")
    exists = [l[4:].rstrip(b"\n") != b"/dev/null" for l in lines[:2]]
    hunks, last = [], []
    for line in lines[2:]:
        kind = line[:1]
        if not hunks or [len(s) for s in hunks[-1].sides] == hunks[-1].count:
            if kind != b"\\":
                m = HUNK.match(line.rstrip(b"\n"))
                if not m:
                    raise Fault("no hunk: %r" % line)
                hunks.append(Hunk(m))
                continue
        if kind == b"\\":  # no line feed at the end of the line above
            for side in last:
                side[-1] = side[-1][:-1]
            continue
        last = [hunks[-1].sides[i] for i, kinds in enumerate((b" -", b" +")) if kind in kinds]
        if not last or not kind:
            raise Fault("line %r in a hunk" % line)
        for side in last:
            side.append(line[1:])
    for h in hunks:
        if [len(s) for s in h.sides] != h.count:
            raise Fault("a hunk that is cut off")
    return exists, hunks


def apply(text, patch, back=False):
    """What a patch makes of a text, None being no file; with back, turned around."""
    exists, hunks = parse(patch)
    old, new = (1, 0) if back else (0, 1)
    if exists[old] != (text is not None):
        raise Fault("there is a file, or none, against the patch")
    lines, out, done = lines_of(text or b""), [], 0
    for h in hunks:
        n = h.count[old]
        at = h.start[old] - 1 if n else h.start[old]
        if at < done or at + n > len(lines):
            raise Fault("a hunk outside of the text")
        out += lines[done:at]
        was, is_now = h.sides[old], h.sides[new]
        here = lines[at : at + n]
        head = tail = b""
        if h.near and h.near[4] is not None:  # the last line feed of a part is none
            whole = b"".join(here)
            head, tail = whole[: int(h.near[4])], whole[len(whole) - int(h.near[5]) :]
            was, is_now = b"".join(was)[:-1], b"".join(is_now)[:-1]
            if head + was + tail != whole:
                raise Fault("a part that isn't there")
            out.append(head + is_now + tail)
        else:
            if here != was:
                raise Fault("lines that aren't there")
            out += is_now
        if h.near:
            before, after = int(h.near[1]), int(h.near[2])
            around = lines[max(0, at - before) : at], lines[at + n : at + n + after]
            if [len(a) for a in around] != [before, after]:
                raise Fault("too few lines around a hunk")
            total = sha(b"".join(around[0]) + head + b"\0" + tail + b"".join(around[1]))
            if total[:12].encode() != h.near[3]:
                raise Fault("another sum of the lines around a hunk")
        done = at + n
    out = b"".join(out + lines[done:])
    if not exists[new]:
        if out:
            raise Fault("deletes a file, but not its text")
        return None
    return out


# --- digests ---------------------------------------------------------------------------


def text_json(text):
    out = json.dumps(text, ensure_ascii=False)
    for c in "<>&\u2028\u2029":
        out = out.replace(c, "\\u%04x" % ord(c))
    return re.sub("[\udc80-\udcff]", r"\\ufffd", out)  # bytes that aren't UTF-8


def digest(r):
    def pairs(items):
        return "{" + ",".join('"%s":%s' % (k, text_json(v)) for k, v in items) + "}"

    changes = []
    for c in r["changes"]:
        patch = (c["bytes"] or b"").decode(errors="surrogateescape")
        items = [("Path", c["path"]), ("Before", c.get("before", "")), ("After", c.get("after", "")), ("Patch", patch)]
        changes.append(pairs(items + ([("From", c["from"])] if c.get("from") else [])))
    e = r["entity"]
    entity = pairs([("Type", e.get("type", "")), ("ID", e.get("id", "")), ("Path", e.get("path", ""))])
    whole = "[%s,%s,%s,[%s]]" % (text_json(r["id"]), text_json(r["type"]), entity, ",".join(changes))
    return sha(whole.encode())


# --- vaults ----------------------------------------------------------------------------


class Vault:
    def __init__(self, root):
        self.root, self.faults, self.unread = root, [], []
        self.edges = []  # (path before, hash, path after, hash, patch, what it is)
        self.ops = 0

    def fault(self, where, why):
        self.faults.append("%s: %s: %s" % (self.root, where, why))

    def folder(self):
        try:
            with open(os.path.join(self.root, "kist.yaml"), "rb") as f:
                return yaml.load(f, Loader)["folders"]["operations"]
        except (OSError, KeyError, TypeError, yaml.YAMLError):
            return "operations"

    def read(self):
        """Read the log; changes that were made become edges."""
        told = {}  # by operation and device: status, and the changes that say what was done
        proposed = {}
        for folder, _, names in sorted(os.walk(os.path.join(self.root, self.folder()))):
            for name in sorted(n for n in names if n.endswith(".yaml")):
                device = name[:-5][3:]
                file = os.path.join(folder, name)
                with open(file, "rb") as f:
                    data = f.read()
                for line, doc in documents(data):
                    where = "%s:%d" % (os.path.relpath(file, self.root), line)
                    try:
                        r = read_record(doc)
                    except (Fault, yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError) as e:
                        self.unread.append("%s: %s" % (where, str(e).split("\n")[0]))
                        continue
                    self.record(r, device, where, told, proposed)
        for (op, device), (status, changes, where) in told.items():
            if status not in TOOK:
                continue
            elsewhere = [c for (o, _), (_, c, _) in told.items() if o == op and c] if not changes else []
            changes = changes or (elsewhere or [proposed.get(op, [])])[0]
            for c in changes:
                before, after = c.get("before", ""), c.get("after", "")
                if c.get("from"):
                    self.edges.append((c["from"], before, c["path"], after, None, where))
                elif before != after:
                    self.edges.append((c["path"], before, c["path"], after, c["bytes"], where))
        self.ops = len({op for op, _ in told})

    def record(self, r, device, where, told, proposed):
        key = r["id"], device
        status, changes, first = told.get(key, ("", None, where))
        if RANK.get(r["event"], 4) >= (RANK.get(status, 4) if status else 0):
            status = r["event"]
        if r.get("changes"):
            if r["event"] == "proposed":
                proposed[r["id"]] = r["changes"]
            else:
                changes = r["changes"]
        told[key] = status, changes, first
        if r.get("digest") and r.get("changes") and digest(r) != r["digest"]:
            self.fault(where, "another digest")
        for c in r.get("changes", []):
            if c["bytes"] is not None and (c.get("from") or c.get("before") == c.get("after")):
                self.fault(where, "a patch that changes nothing")

    def text(self, path):
        """The bytes of a file of the vault; None: there is none."""
        try:
            with open(os.path.join(self.root, path), "rb") as f:
                return f.read()
        except (OSError, ValueError):
            return None

    def verify(self):
        """Work out all texts. Returns how many changes were verified, bare, unreached."""
        at = {}
        for edge in self.edges:
            at.setdefault((edge[0], edge[1]), []).append((edge, False))
            at.setdefault((edge[2], edge[3]), []).append((edge, True))
        known, queue = {}, []

        def learn(node, text):
            if node in at and node not in known:
                known[node] = text
                queue.append(node)

        for path in {p for e in self.edges for p in (e[0], e[2])}:
            text = self.text(path)
            learn((path, sha(text)), text)
            learn((path, ""), None)
        verified = set()
        while queue:
            node = queue.pop()
            for edge, back in at[node]:
                other = (edge[0], edge[1]) if back else (edge[2], edge[3])
                patch, text = edge[4], known[node]
                if edge[0] == edge[2] and patch is None or id(edge) in verified:
                    continue  # only hashes
                if edge[0] == edge[2]:
                    try:
                        text = apply(text, patch, back)
                        if sha(text) != other[1]:
                            raise Fault("leads to another text")
                        if sha(apply(text, patch, not back)) != node[1]:
                            raise Fault("doesn't lead back")
                    except Fault as e:
                        self.fault(edge[5], "%s: %s" % (edge[2], e))
                verified.add(id(edge))
                learn(other, text)
        bare = [e for e in self.edges if e[0] == e[2] and e[4] is None]
        missed = [e for e in self.edges if id(e) not in verified and e not in bare]
        return len(verified), len(bare), missed


def main(args):
    strict = "--strict" in args
    roots = [a for a in args if a != "--strict"]
    if not roots:
        sys.exit(__doc__)
    faults, total = [], [0, 0, 0, 0]
    for root in roots:
        v = Vault(root)
        v.read()
        done, bare, missed = v.verify()
        if strict:
            for e in missed:
                v.fault(e[5], "%s: no text leads to it" % e[2])
            for u in v.unread:
                v.fault(u, "not read")
        print("%s: %d operations, %d changes verified, %d of hashes alone, %d not reached, %d records not read" % (root, v.ops, done, bare, len(missed), len(v.unread)))
        faults += v.faults
        total = [a + b for a, b in zip(total, (v.ops, done, bare, len(missed)))]
    print("all %d vaults: %d operations, %d changes verified, %d of hashes alone, %d not reached, %d faults" % (len(roots), *total, len(faults)))
    for f in faults:
        print("FAULT", f)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
