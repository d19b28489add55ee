/*
Package agent holds conversations about the vault: one user message in, a
stream of events out, and whatever was agreed on written as operations.

[Agent.Send] runs a turn: it finds the session, asks the [model.Model], runs the
tool calls that come back, feeds the results to the model, and repeats until the
model has only words left or a limit is reached. Then the turn goes into the
conversation file of the project it ended in, and the session is saved.

A session has a mode ([Start], [Message].Mode, or a tool): in project_create a draft
grows until it is a project, the others look at a project in one way. Its phase
follows from the draft, the open question and what waits for approval; no model sets
it. Beside its words a turn may leave memories, links and a summary behind (after.go),
by the same policy as everything else.

What a tool would change is decided here, not by the model: policy says whether
the steps of a call are applied at once, proposed and left waiting for the user's
approval, or refused. The user's "go" approves what waits (see
[model.ConsentOf]), each operation by its digest.

Order and loss: events arrive in the order in which things happened, an
[Operation] after it is durable, and the last one is [Done] or [Failed]. Nothing
is buffered: Send runs in the goroutine that ranges over it. A consumer that
stops early cancels the turn, which still records what was done until then.
Turns of one session wait for each other; those of different sessions run side
by side. The message is in the session's file before anything of it happens. A crash
in mid-turn leaves it there, with the operations that were completed: the next turn
puts both into the conversation and says so, and takes the message up again if the
user says go on.

A turn that has read text from outside (another machine's commits, a clipping of the
web) is tainted: what it would remove, or do outside the vault, waits for an approval
of its own, whatever policy says.

The package neither searches nor edits text by itself, and knows no particular
model: tools are in agent/tool, models behind agent/model.
*/
package agent
