/*
Package record does what is asked of single records: tasks, notes, decisions and memories.

A [Keeper] is a turn in which that is done; the offline partner has one for each message.
Something new is put where it belongs, which is asked about where no project is at hand
([Keeper.Obligation], [Keeper.Note], [Keeper.Decision], [Keeper.Remember]). What is there is
listed, narrowed by what the question says (tasks.go, keep.go), and found by the words that are
used for it: to complete, change or delete a task (which.go), to give it or the project
another day (reschedule.go), to forget or move what was kept (memory.go, forget.go). Where words
fit several it asks which is meant, and reads the answer. What seems to have been done, said in
passing, it only offers to tick off (offer.go).

What isn't about records it leaves to its [Neighbours]: projects as wholes, questions for
what the files say, and what nothing was understood of.
*/
package record
