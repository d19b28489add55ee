/*
Package ladder reads the calls of models that have no good way to make them. It stands
around a model and hides how its calls come about:

  - native: the server reads them from what the model writes, in its own format;
  - union: the answer is one JSON object, {"say": words, "call": a call or null}, to which
    the server holds the model by a schema; the words are passed on while they come;
  - text: the model is asked to write a call as [ACTION: tool {arguments}].

A model begins as high as its server says it can and goes down where that doesn't work:
at once where a request is refused for it, and after a step of nothing but calls that made
no sense. It stays there from turn to turn. With Options.Again it is tried from the top
again at the beginning of a turn: after that time, and where its server says that it or the
model is another one; what fails there once more is back where it stood at once, and is left
alone for as long again. Whatever the rung, a call that a model writes into its text is a
call, and isn't shown.
*/
package ladder
