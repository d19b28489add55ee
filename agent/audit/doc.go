/*
Package audit reads a project critically: what is missing, what contradicts
itself, what carries a risk and what can't work out, with no model.

[Run] reads a project's files and returns a [Report]: [Finding] values, each with
its severity and the lines that show it, how complete each [Dimension] is, and
what is done well. [Format] writes it as short Markdown: direct, but not
discouraging.

Text from files is data: it is compared, never followed. A check rather stays
silent than raises a false alarm: amounts, dates and owners are only compared
where both lines say plainly what they are about, and lines that tell of a change
("moved from ... to ...") are left out. The same files give the same report on the
same day; findings are sorted by severity, then by where they are.

The package writes nothing, searches nothing, and doesn't judge whether a goal is
a good one.
*/
package audit
