/*
Package interpret makes typed meaning of what the user said, in a situation: natural
language understanding in the narrow sense. A [Reader] reads a message into a [Meaning]
for each clause: an intent of package intent with its arguments, or none.

  - clause.go cuts a message into clauses, at the ends of sentences and where the trained
    model of package intent sees that something else begins, each with its negation and
    question form (frame.go), and whether it hangs on a condition (condition.go).
  - reading.go asks the trained model what each clause wants. Rules never make an intent of
    words: veto.go says what a clause can't mean, whatever the model thinks of it. What may
    be meant of a task or a memory, and less surely, is returned beside the meaning: it
    counts where there is one that it is about.
  - fill.go and its like find the arguments: the model marks where they stand
    (arguments.go), and they are read as dates, priorities (package value), things to do
    (todo.go), projects (package refer), the name of a new one (venture.go, title.go). A
    reading without its arguments is none.
  - orders.go cuts orders about tasks apart that stand in one sentence; ordered.go reads
    those of a task that is named as one, "the coach one".
  - belongs.go reads that a task belongs to another project, for which the model has no label.
  - deed.go and query.go read single kinds of messages: what was done, said in passing,
    and questions about kist's own doings.

It changes nothing, asks nothing and knows no tools: what to do about a meaning is up to
who asked for it. Nothing is random, and the clock is the situation's.
*/
package interpret
