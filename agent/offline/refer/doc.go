/*
Package refer resolves references: which of the things that there are somebody means
with some words. People rarely say a whole name. They say a part of it, in another form
or with a typing error, and often with words beside it.

  - [To] holds a phrase against the names of projects, and returns a [Reference] with
    those that it can mean.
  - A [Scope] is the projects of a situation. [Scope.Subject] finds in all of a clause
    the phrase that leaves least doubt, [Scope.Goal] and [Scope.Aim] read one that stands
    where a project does, [Scope.Whole] also knows of projects that aren't there.

[Tasks] finds tasks, or whatever else has a title, by what is said of them, and [Pick] the
answer to a question that named several things.

It is told the text and its tokens, and knows nothing of clauses, of what is to be done or
of who asks what was meant: a Reference with several candidates, or with none, is a value.
*/
package refer
