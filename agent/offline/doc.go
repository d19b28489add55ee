/*
Package offline is the partner that needs no model: deterministic Go which
reads what the user said, calls kist's tools, and puts their results into short
plain sentences. It is the default where nothing is configured, and what tests
of the agent run on.

A [Partner] is a model.Model. From message to reply:

  - tokens.go cuts the text into words, with contractions expanded and quoted
    words marked; clause.go into clauses, each with its frame ("can you", "I'm
    thinking of", "I have to"; frame.go), negation and question form, and
    whether it hangs on a condition (condition.go). Asides, tags ("would you")
    and what goes before a request are dropped.
  - intent.go lets recognisers bid for each clause. They look for kinds of
    words (lexicon.go) in positions relative to frame and verb (pattern.go), not
    for whole phrases; projects.go, dates.go and slots.go find what the clause
    is about. The highest bid wins, if it is high enough.
  - turn.go turns each understood clause into tool calls, and is asked again
    with their results. It keeps nothing in between: every time it works
    through the message from the start and reads the results so far from the
    message list.
  - tasks.go, keep.go, switch.go, answer.go, talk.go say what came of it.

It doesn't draft, summarise or reason about prose, and says so once in each
session. The clock is the situation's; nothing is random.
*/
package offline
