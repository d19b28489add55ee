/*
Package oplog is the operation log: what was done to the files, for undo, for the
history and for a start after a crash.

Its stored form is described in FORMAT.md, for programs in other languages too. A
[Record] is one event of an operation, [Encode] writes one, [Split] cuts a log's text
into records and [Decode] reads them. The records of an operation, which may stand in
several devices' files, say together what a [Folded] holds; [NewestFirst] and
[LastDoneFirst] order operations of several devices, whose clocks don't agree.

A [Log] follows the log's files. It appends this device's records, durably, and keeps an
index over all of them in the state database, by which [Log.List], [Log.Find] and
[Log.With] look operations up. Patches stay in the files. [Log.Chain] is what is known of
one file; since each change begins where another ended, [Log.TextAt] works out any text
that a file once had.

The package changes no document and decides nothing: package vault does.
*/
package oplog
