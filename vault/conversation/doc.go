/*
Package conversation keeps what was said: the turns of each day in Markdown files that
people can read, and the state of a session in a file of its own.

Both are records of kist's own bookkeeping and no operations: [AppendTurn] adds to a
file, [SaveSession] replaces one, with the care of [vault.Vault.AppendRecord] and
[vault.Vault.WriteRecord] for editors that have it open. What anybody may have edited is
read as data: [RecentTurns] takes what still has the form of a turn, and [FindSession] refuses
a file that became something else. The forms are described in vault/FORMAT.md.
*/
package conversation
