/*
Package link knows what the links of documents lead to, and how they are written so that they
go on leading there: [Resolve] finds the document that a link means among the [Names] of all,
[Headings] the place in it. [Relink], [Reanchor] and [Retag] work out the edits of
one document that keep its links and tags right when another one is moved, or a heading or a
tag gets another name; they change nothing else. [Recard] does so for the cards of a canvas,
[Refilter] for the expressions of a base.

A link means, in this order: a file by a path that is relative to the document, where it is
written so; a file by its path from the vault's root; one by the end of that; a document by its
title or an alias. Of several files of one name counts, as in Obsidian, the one in the folder of
the document that has the link, then one below that folder, then the one nearest to the root
([Nearer]).

Nothing here reads files: package names knows them, package assist puts both to use.
*/
package link
