/*
Package sync carries a vault between machines, by git.

An [Engine] is one vault's. [Engine.Setup] names a remote, after which [Engine.Run] keeps the
two together: after changes, when they have been quiet, at an interval, and on [Engine.Now]. One
round commits what was changed here, fetches, merges, and pushes; it never forces, resets or
rewrites anything. The message of a commit is made from the operations of the log, whose ids and
device are its trailers.

A merge is made of trees, as a commit that nobody sees yet: files that one side changed are
taken, renames followed, what both changed is merged by [semantic.Merge], and a change wins over
a deletion. What contradicts ours is kept whole in a conflict copy beside the document. Then the
files on the disk are taken from the old commit to the new one, documents by operations of the
actor sync through the vault's door, and at last the branch and the user's index move. A journal
outside of the vault has a round that was killed in between finished by the next one.

What the user staged, ignored or is in the middle of (a rebase, a merge) is left alone. Links, submodules, files with filters, very
large files, and in a larger repository what lies outside of the vault, are never committed, and git puts them in place.

A [WorkTree] tells the vault what the user's own git does: while it is in the middle of something
nothing is written, and what it puts in place is nobody's edit.

The settings, the private index and the journal lie in a folder of this machine, in no
vault: a vault that somebody else made can't name a remote. One round runs at a time. The
package asks nobody anything, and decides nothing that a [Conflict] leaves to the user.
*/
package sync
