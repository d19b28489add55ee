/*
Package filing sees to it that nothing said is lost. What the user told, and what no
operation of the turn holds, is kept word for word: in the making of a project under
Unsorted of the draft, else in the inbox note of the project, or of the vault; of plain talk only
what is likely news ([Likely]), and in projects that the user made only as an offer. Of a message
for which nothing was done or found, all that tells something is kept. What is clearly said to kist
is none: it is done, or named as not written down. All this is done at the end of each turn,
whatever the model did with the message, and by the same policy as a note.

A [Turn] says what there was; [Turn.File] has the agent, as a [Desk], write or offer what
is missing, and leaves in Held what waits for the answer to a question. [Turn.Rescue]
sees to the words of a proposal that no longer fits where it was to be written.
*/
package filing
