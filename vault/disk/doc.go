/*
Package disk is a vault's folder as kist itself works on it: a [Tree] reads files below a
confined root, replaces them durably, and loses nothing that another program saves at
the same time.

A [Replacement] takes a file from one text to another, creates, removes or moves it. A
new text is written to a temporary file beside the target, made durable and exchanged
with it; what was displaced is looked at, since a program may have saved in that very
moment, and given its place back if it isn't what was expected. Then the change is
merged into what the program saved, or refused with a [ConflictError]. Displaced files
are watched (package displaced) for as long as a program has them open; what comes late
is merged by Options.Save or kept as a conflict copy.

Whoever writes holds the tree's lock. [Tree.LockFor] waits before it takes it until
nobody has the files open for writing, so that waiting for one program holds up no
other write.

The package knows no operation and no log: its paths are clean and it is told what to
do. Every call that changes the file system goes through package fsys, where tests make
each of them fail.
*/
package disk
