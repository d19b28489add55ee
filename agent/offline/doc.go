/*
Package offline is the partner that needs no model: deterministic Go which
reads what the user said, calls kist's tools, and puts their results into short
plain sentences. It is the default where nothing is configured, and what tests
of the agent run on.

A [Partner] is a model.Model. From message to reply:

  - Package interpret reads each clause into a typed meaning, with the trained model of
    package intent; package refer finds the projects and tasks that words mean, which are
    rarely their whole names.
  - dispatch.go turns each meaning into acts of a [turn.Turn]: tool calls, and what is said
    when their results are there. It is asked again with the results, and works through the
    message from the start each time.
  - answers.go has who reads the answers to the questions that kist asks. What can be done by
    one yes isn't asked: its calls are made as proposals, which the engine shows.
  - Packages project, record, lookup, draft and operation say what came of it where projects as
    wholes, single tasks, notes, decisions and memories, questions for what the files say, the
    making of a project, and what kist did or proposed are concerned; plan.go, guided.go,
    study.go and queries.go of the rest.

It doesn't draft, summarise or reason about prose, and says so once in each
session. The clock is the situation's; nothing is random.
*/
package offline
