"""Unpacks the newest Neovim of Debian, with Telescope, into a folder, without installing
anything: newest-nvim.py FOLDER. FOLDER/bin/nvim runs it with its own libraries; the folders of
its parsers and of Telescope are printed, a line each. Ends with 3 where Debian can't be reached."""
import hashlib
import lzma
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request

debian = "https://deb.debian.org/debian/"
root = os.path.abspath(sys.argv[1])


def get(path):
    with urllib.request.urlopen(debian + path, timeout=60) as answer:
        return answer.read()


try:
    listed = lzma.decompress(get("dists/sid/main/binary-amd64/Packages.xz")).decode()
except urllib.error.URLError as e:
    print(e, file=sys.stderr)
    sys.exit(3)
packages = {}
for paragraph in listed.split("\n\n"):
    fields = dict(re.findall(r"^([A-Za-z0-9-]+): (.*)$", paragraph, re.M))
    packages[fields.get("Package")] = fields
os.makedirs(os.path.join(root, "bin"), exist_ok=True)
todo, seen = ["neovim", "neovim-telescope"], set()
while todo:
    name = todo.pop()
    if name in seen or name not in packages:
        continue
    seen.add(name)
    fields = packages[name]
    for dependency in fields.get("Depends", "").split(","):
        first = re.match(r"\s*([a-z0-9.+-]+)", dependency)
        if first:
            todo.append(first[1])
    deb = get(fields["Filename"])
    if hashlib.sha256(deb).hexdigest() != fields["SHA256"]:
        sys.exit(f"{name}: not what the list of packages says")
    file = os.path.join(root, "package.deb")
    with open(file, "wb") as f:
        f.write(deb)
    subprocess.run(["dpkg-deb", "-x", file, root], check=True)
with open(os.path.join(root, "bin", "nvim"), "w") as f:
    f.write(f"""#!/bin/sh
export VIMRUNTIME={root}/usr/share/nvim/runtime
lib={root}/usr/lib/x86_64-linux-gnu
exec {root}/usr/lib64/ld-linux-x86-64.so.2 --library-path $lib {root}/usr/bin/nvim "$@"
""")
os.chmod(os.path.join(root, "bin", "nvim"), 0o755)
print(f"{root}/usr/lib/nvim\n{root}/usr/share/neovim-plenary:{root}/usr/share/neovim-telescope")
