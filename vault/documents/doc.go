/*
Package documents is a vault's documents for reading, by the paths that people and
programs give: a [Folder] checks a path where it comes in and finds the file's own
([Folder.Locate]), reads and describes files, lists what there is ([Folder.Walk],
[Folder.List]) and what each path means by the [Layout]. What is hidden, ignored, a link
out of the vault or kept elsewhere by a cloud service is no document.

[Changes] numbers what changed, for followers such as the index.

Nothing here writes: package vault does.
*/
package documents
