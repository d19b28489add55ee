/*
Package catalog knows what lists need of all documents of a vault, without reading them for
each list: that there are ([Documents]), and their tasks ([List]). Both are as of the call. Where
the vault is watched that costs a wait for what was saved before, and a look at the documents that
changed since the last list; elsewhere the times of all documents are looked at. Nothing is stored;
what it keeps in memory goes with the documents, and tasks beyond a bound are read for each list.

It is the one that follows the documents for all who answer from memory: package names learns
from [Refresh] and [News] which ones it has to read.

It reads only. Of a vault with something hidden it tells what isn't.
*/
package catalog
