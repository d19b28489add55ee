/*
Package state remembers what kist knows of a vault between two starts and could
work out again from the files: the last known text of each document, so that
another program's change can be written down as a diff, and an index over the
operation log. It is one bbolt file, disposable and never the truth.

[Open] returns a [DB]. A [Document] and its text are put and read by path; an
[Entry] stands for one operation, is put together with how far each log file was
read, and is listed by any of its keys, newest first.

Order and loss. Reads see a write at once. Writes wait in memory and reach the
file together, in the background; what the file holds after a crash is always
what was known at some earlier moment, with nothing of a later call and nothing
of an earlier one missing. [DB.Flush] and [DB.Close] wait for all of it.

Failure. On a full disk the writes go on waiting in memory, to a bound; beyond
it, after a failed sync, or when the file turns out to be damaged, the DB gives
up: every call returns what [DB.Err] returns, and the caller goes on without.
Open looks at all of a file but the contents of texts, and sets a damaged one
aside; one that is damaged later is set aside at the next Open. A text that is
damaged alone counts as not kept. A panic of bbolt never leaves this
package.

Blocking. Calls wait for other calls, a page of at most some hundred records at a
time, and a writer that is far ahead of the disk waits for it. An iterator holds
no lock and no transaction while its caller works, so that the caller may write.

The file's buckets, where crc is of the key and of what follows it:

	docs   path                    -> crc, flags, sha-256, stamp
	texts  path                    -> crc, method, text (flate or as it is)
	ops    id                      -> crc, keys, value
	by     key 0x00 id             -> crc (nothing in older rows); the key "" has a row for each id
	logs   log file                -> crc, position
	meta   "format", "count", "filled"

The package knows nothing of Markdown, of operations or of the log's form, and
never reads the vault's files.
*/
package state
