/*
Package terminal reads from a terminal and makes text fit for one.

An [Editor] reads messages with editing and a history. What the terminal sends is taken
apart into keys, what each key does is said in one table, the text and its cursor are an
input, and a screen paints it. A [Wrapper] breaks text that comes in pieces between its
words. [Line] and [Block] make text of unknown origin harmless, [Cells] says how wide it
will be.

The package knows xterm's sequences, which all terminals of today understand, and the
keys of some others. It looks nothing up in terminfo, and does nothing about a window
that changes its size until the next key.
*/
package terminal
