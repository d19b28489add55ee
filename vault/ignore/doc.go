/*
Package ignore answers whether a file is of no interest to kist, by the rules of
.gitignore files.

[Rules] is built by [New] and asked by [Rules.Match], for a folder before what is
in it. A file that git would not add because of a rule is not watched, not
indexed and not listed. In rising precedence the rules are:

  - litter that editors and synchronisers leave next to the files they save, such
    as ~$note.md (see the table litter; never folders, and never a copy that was
    kept because of a conflict: that is somebody's text);
  - .git/info/exclude;
  - the .gitignore of each folder, from the root of the vault down, and after each
    the folder's .kistignore, which has the same syntax and is for kist alone.

The last rule that matches decides, and "!rule" takes a file back in; but nothing
below an ignored folder is looked at, so nothing there can be taken back in. A
folder that kist itself uses, such as projects, is ignored like any other if a
rule says so.

The meaning of a rule is git's to the byte, which a test compares with git
check-ignore: "?" and "[...]" stand for one byte, "*" stops at a slash. Three
things differ. Files that git tracks although a rule matches them are ignored
here, because no index of git's is read. Rules above the vault and those of
core.excludesFile are not read, so that a vault means the same on each machine.
Upper and lower case always differ.

A vault may come from anybody, so matching takes time proportional to the path
times the rules and never more: see [MaxFile] and [MaxChain].

What was read is kept until [Rules.Forget]. All methods may be called from any
goroutine.
*/
package ignore
