/*
Package catalog knows what lists need of all documents of a vault, without reading them for
each list: their tasks. [List] is as of the call. Where the vault is watched it costs a wait
for what was saved before, and a look at the documents that changed since the last list; elsewhere
the times of all documents are looked at. Nothing is stored; what it keeps in memory is
bounded, and documents beyond that are read for each list.

It reads only. Of a vault with something hidden it tells what isn't.
*/
package catalog
