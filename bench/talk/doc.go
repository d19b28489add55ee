/*
Package talk has things asked of kist's agent, by a script, and judges what became of it.

[Wishes] are what is asked for, each of which can tell from the files afterwards whether
it was done. Each is made on a [Stage] of its own: an agent and a model on a vault in a
folder that the caller gives and removes. [Stage.Play] runs one turn and returns a [Turn],
with a [Fault] for everything that must not be so, whatever the model did: that a turn
comes to no end, that a call's raw text is shown, that something ran which wasn't
validated.

[Run] does that for each rung of a model's ladder and for the offline partner beside it, and
returns a [Score] of each.

How good is good enough the package doesn't say, and it asks nobody anything.
*/
package talk
