/*
Package history records what other programs save.

A document's baseline, what is known of it, is its text as the log explains it: the text
that the last operation on it left. When the file holds another one, some program saved
it, and the difference is recorded as an operation of the actor editor, or sync where another
device's log names the text. So the changes of a path in the log form a chain: each
begins where the one before ended.

[History.Follow] compares what changed with what is known, once it is left alone. An
operation doesn't wait for that: before it begins it logs the saves that it stands on
([History.Unrecorded]), and what it wrote becomes known when it is completed
([History.Begin], [History.Keep]). Many documents that are gone at once are not taken
for deleted ([History.Vanished]). What is known is kept in the state database, which is
disposable.
*/
package history
