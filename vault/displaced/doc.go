/*
Package displaced watches the files that a write took out of their place. A program
that had one open may go on writing into it, a second or some hours later: it has a
document's name no more, so nobody else would ever see what is saved there.

A [Watch] looks at each [File] 100 ms after it was displaced, and then at growing
intervals, of two seconds at most, for as long as some program may write into it. What
comes is brought in once it stands still, each time anew, by the [Vault]: it is merged
by lines into the document, from what the file held at the last look, so that only what
was written since counts; or it becomes a conflict copy, which ends the watch, since
the program then writes into a file that everybody sees. A file that nobody has open
any more is looked at a last time and goes away.

Whether a file is open for writing is asked of the system by a lease. Where that can't
tell, a file is watched until nobody wrote into it for a minute.

One goroutine does all of it, and only while there is a file to look at. What can't be
brought in, because the disk takes no write for example, stays, and is tried again; what
is left when the Watch ends is the next process's to [Watch.Add]. The package knows
neither the operation log nor how to merge.
*/
package displaced
