/*
Package consent decides what a message agrees to. It is the engine's, the same for
every model and for none, because what it says runs.

A [Proposal] in conversation is a state. It is offered by the reply that shows it. The
message right after that one decides: a clear assent agrees to all that was shown
together, a clear no declines it, a choice takes some and drops some ([ChoiceOf]), and
anything else, a doubt, a question, a correction, another subject, suspends it. A
suspended proposal isn't carried out by a go, but shown again, and offered anew by
that; one turn later it has lapsed, and only its name brings it back. Naming a proposal
([Decide]) agrees to it unless it removes, renames or moves something and wasn't in the
last reply: then it is shown again as well. Whatever state it is in, a proposal stays in
the log of operations and can be approved there by its id.

A message is an assent if it is made of nothing but phrases of agreement, order,
permission, politeness and reasons for it, all of them in words.txt ([Read]). One that
names the change by its verb, or why a thing isn't needed, agrees only where that change
is all that was shown: "ja, löschen" to a deletion, "ok, save it" to what adds.

[Decide] and [After] are pure functions of what the session remembers and what still
waits. They run nothing and know no files: package agent carries out the verdict.
*/
package consent
