/*
Package turn is the answer to one user message while it comes about: the calls that are to
be made, what is said when their results are there, and the question at the end.

A [Turn] is built anew by [New] for every request of a turn, and keeps nothing in between:
it works through the message from the start each time and reads the results so far from the
message list. So it must come to the same calls each time. An [Act] is one thing to do: it
wants calls that can all be made at once ([Act.Want]), and goes on in Then when their results
are there. [Turn.More] makes a call whose arguments come from earlier results; while it isn't
answered, whoever asked returns and is asked again with the answer. [Turn.Offer] makes
proposals of what is called within it.

[Turn.Say] adds to the reply and [Turn.Ask] asks a question behind it. The words of
questions are in words/en.txt, and nothing reads them back: the kinds, such as [AskCreate],
and the arguments tell what was asked.

What is to be done about a message is not decided here.
*/
package turn
