/*
Package extract takes what somebody tells apart: [Sentences] cuts a message into its
sentences, each one word for word, and says of each what it is: something to do, a
decision, a plain statement, a question, a word to kist itself, or a courtesy. Dumps,
updates and plain talk are read by it alike. [Told] are the sentences that must not be
lost: the agent sees to it that each is found in a file afterwards.

A date belongs to the part of the sentence that it stands in, and no text is cut and
glued into another. Its words are in words.txt.

It stores nothing, knows no project, and doesn't decide what is done with a sentence.
*/
package extract
