/*
Package vault is the domain of kist: a folder of Markdown and YAML that its
owner edits with any program, and the one door through which kist itself
changes it.

A [Vault] is opened on a folder by [Open] and, while [Vault.Run] runs, sees
what other programs save. Its parts:

  - Reading: [Vault.Read], [Vault.Walk] and [Vault.Document] give bytes, never
    a re-rendering. Every access goes through a [disk.Tree], so that no path and
    no link leads out of the folder, and no file has two paths.
  - Writing: a [Batch] of [Step] values, each a set of file [Change] values, is
    carried out by [Vault.Apply] (or first proposed by [Vault.Propose] and later
    approved). Package entity turns an intention into a Step without
    touching anything. See [Vault.Apply] for the order of
    events that keeps a crash or a concurrent editor from losing anything.
  - The operation log, operations/YYYY/MM/DD-device.yaml (DD-device.unsent.yaml of what
    is to stay on this machine), is the write-ahead log
    and the history: [Vault.Operations], [Vault.Undo], [Vault.WatchOperations].
    FORMAT.md beside this file is the normative description.
  - Following: every change that the vault makes or sees gets a [Seq]. A follower
    such as the index remembers the Seq it has caught up with and asks
    [Vault.ChangedSince] for more. Where it has to compare everything, it asks
    [Vault.List], which followers share.

Conversations and sessions are records that kist appends to for its own
bookkeeping: they are written durably but are not operations.

The vault keeps no copy of the documents in memory and no database: projects
and tasks are read from their files at each call. It does not search (package
index) and decides nothing (package agent).
*/
package vault
