/*
Package recall finds in what a user says the facts that are worth remembering
beyond the conversation: preferences, people, constraints, dates, decisions and
other lasting facts about the person or their project.

[Extract] reads a message and returns candidates with the span they came from.
It would rather miss than invent: questions, suppositions, wishes, quotations, chores,
passing states, jokes and secrets are left alone, and so is what was just recalled
to the user, lest a memory breed copies of itself. [Near] and [Supersedes] compare
two memories, for duplicates and for facts that have changed.

The package is pure and deterministic and imports nothing of kist's. It stores
nothing, and never asks whether a fact is true.
*/
package recall
