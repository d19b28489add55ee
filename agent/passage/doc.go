/*
Package passage finds what a document says in answer to a question. [Read] cuts its
lines into passages, [Ask] reads what the question wants (a date, a person, an amount, a
place) and by which words, and [Question.Answer] ranks the passages of several documents:
those that hold what is wanted before those that don't, of those that say the same thing
the newest, with what it took the place of behind it.

Which words weigh little, which mean much the same and how things are asked for is in
en.txt. It looks nothing up: the documents come from who asks.
*/
package passage
