/*
Package window keeps what a language model is sent within its window: instructions, tools,
history, results of tools and the room to answer are one budget, which holds before each
request. A server that gets too much either refuses or, worse, leaves out the beginning
without a word.

[Fit] gives up, in this order and only as far as needed: passages of the vault, turns of
the history, the oldest first, results of earlier steps, tools that are seldom needed, the
descriptions of tools. The user's message and the rules are never given up: a request that
doesn't fit with them alone is an error.

A [Model] does that for another model, and learns from what its server counts how many
tokens a text really is, and whether it leaves out what is too long for it.
*/
package window
