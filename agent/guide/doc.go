/*
Package guide knows how to lead somebody through thinking a project over: which
of nine dimensions a text says something about, which question to ask next, what
kind of answer came back, and how complete the picture is.

It is pure and deterministic: text in, values out. [Score] and [Split] read a
brain dump, [Complexity] says how many questions it deserves, [Next] picks one of
them for a [State], [ReadAnswer] reads what was said in reply, and [Completeness]
measures what has been written down so far. What it knows is in files to be read
and changed by people: lexicon.txt and classes.txt (words), questions.md and
openings.md (what is said).

It keeps nothing, writes nothing, and imports nothing of kist's; the session, the
draft and the words around a question are the caller's.
*/
package guide
