/*
Package passage finds what a document says in answer to a question. [Read] cuts its
lines into passages, [Ask] reads what the question wants (a date, a person, an amount, a
place) and by which words, and [Question.Answer] ranks the sentences of several documents:
they must name what the question is about; those that hold what is wanted come before those
that don't, of those that say the same thing the newest, with what it took the place of
behind it. [Question.Later] are the lines that were told after those, of whom or what they name. [Halves] are the questions that are asked in one.

[Prices] are the amounts of money in a sentence, [PriceOf] is that of one thing, and
[ReadSum] reads a question for what several come to, which [Question.Amounts] answers with the
sentences that name them: nothing is added up. A number is a price only where little else is
possible, and of a thing only where it stands beside it.

Which words weigh little, which mean much the same and how things are asked for is in
en.txt. It looks nothing up: the documents come from who asks.
*/
package passage
