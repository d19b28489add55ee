/*
Package spoken finds the calls that a language model writes into its words: a model whose
server doesn't read its format, or that has another family's in mind. A [Reader] takes the
words as they come and passes on what is to be shown; calls, and the markup around them,
are not.

What makes a call isn't a list of formats but one of two things:

  - the name of a tool with its arguments directly behind it, as in create_task({...}) or
    functions.create_task:0 {...};
  - a JSON object, or a list of them, that names a tool and its arguments.

The tags, special tokens and fences of all families are markup: they are dropped, and what
stands between them is read as calls with less evidence than elsewhere. In plain words a
name alone is a mention, and an object or a piece of code counts only where it names a tool
on offer, or can hardly be anything else. What may become a call is held back until that is
known, which the first words, keys or characters tell.

A block of code, a line between the quotes of code and a command behind a slash are calls only
where nothing else is said: among words they are examples. [Reader.Alone] tells whether the
other calls stood by themselves, too, for who has to know.

A call that makes no sense is yielded as it stands, to be refused with a reason. The package
validates nothing.
*/
package spoken
