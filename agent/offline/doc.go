/*
Package offline is the partner that needs no model: deterministic Go which
reads what the user said, calls kist's tools, and puts their results into short
plain sentences. It is the default where nothing is configured, and what tests
of the agent run on.

A [Partner] is a model.Model. From message to reply:

  - Package language cuts the text into words, with contractions expanded and
    quoted words marked; clause.go into clauses, at the ends of sentences and where
    the trained model of package intent sees that something else begins, each with
    its frame ("can you", "I have to"; frame.go), negation and question form, and
    whether it hangs on a condition (condition.go).
  - reading.go asks the trained model what each clause wants. Rules never make an
    intent of words: veto.go says what a clause can't mean, whatever the model
    thinks of it. What may be meant of a task or a memory, and less surely, counts
    where there is one that it is about.
  - fill.go finds the arguments: the model marks where they stand (arguments.go), and
    they are read as dates, priorities (package value), projects (subject.go, naming.go),
    the name of a new one (venture.go). A reading without its arguments is none.
  - belongs.go reads that a task belongs to another project, for which the model has no
    label: from where a project stands, and whether there is such a task.
  - which.go finds the tasks and memories that words mean, which are rarely titles;
    forget.go what was told, noted or decided.
  - turn.go turns each understood clause into tool calls, and is asked again
    with their results. It keeps nothing in between: every time it works
    through the message from the start and reads the results so far from the
    message list.
  - question.go has the questions that kist asks, by kind, and who reads the answers.
    Their words are in words/en.txt, and nothing reads them back. What can be done by
    one yes isn't asked: its calls are made as proposals, which the engine shows.
  - tasks.go, keep.go, switch.go, answer.go, talk.go say what came of it.

It doesn't draft, summarise or reason about prose, and says so once in each
session. The clock is the situation's; nothing is random.
*/
package offline
