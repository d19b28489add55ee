/*
Package wire makes the events of an answer out of what a server's stream brings, for the
clients of all servers. A client reads its protocol and hands the pieces on, in the order
and in the state in which they come; what they make together is worked out here: text that
can be shown, thoughts apart from it, whole calls, and one end. An [Answer] takes the
pieces; an [SSE] reads the framing that two of the protocols share.

Nothing in an answer can be relied on. Runes are cut in two, control characters are sent,
thoughts stand in the text, calls come in parts, mixed, unnumbered or numbered wrongly.
What loses nothing is accepted; what goes beyond all limits is an error.
*/
package wire
