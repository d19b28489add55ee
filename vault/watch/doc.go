/*
Package watch tells which files below a folder may have changed.

A [Watcher] is built by [New] and works while [Watcher.Run] runs; it hands an
[Event] to its caller's function for each group of changes. An Event names
paths and never says what happened to them: the caller looks at the disk, which
is the only truth by the time that it reads the event. [Options] tunes it.

Order and loss. The first event for a path is passed on at once, so that a save
can be searchable in milliseconds. Further events for it within Settle are held
until the path is quiet for that long, at most for Ceiling, and passed on as one;
so the state after the last event is always reported. A path that vanished or
became empty waits one Settle first, since editors and git remove or truncate a
file on the way to saving it. Where events were or may have been lost (a full
queue, a folder moved away, a folder that was replaced, and now and then for
safety) the Event says Rescan. Between different paths no order is promised.

Blocking. One goroutine does nothing but empty the operating system's queue;
the one that runs Run converts, watches new folders and calls the caller's
function, never with a lock held. While that function runs, events pile up in
memory to a limit, beyond which they become one Rescan.

A root that became another folder, of which no event tells, is noticed within half a
minute, and within seconds by who calls [Watcher.Barrier].

[Watcher.Barrier] waits until every change made before it has been passed on, by
making a file and waiting for its event. The same file shows, each Heartbeat,
that events still come; if they don't, everything is watched anew, and polled if
that is of no use. [Watcher.Stats] counts such faults.

Where folders can't be watched, or their file system is one that doesn't tell
what other machines change, the Watcher looks at every file's size, time and
inode at intervals instead, and says so in [Watcher.State].

A new folder gets its watch first and is walked afterwards: a file written
before the watch existed is found by the walk, one written after it by the
watch. For a folder that is moved away a Rescan is reported rather than the files
that were in it, because knowing them would mean keeping every name in memory.

A file that says what is ignored (Options.Rules) is never reported; its change
makes a new session begin, with a Rescan.

The package doesn't read files, doesn't follow links, doesn't tell kist's own
writes from others', and doesn't decide whether something was deleted.
*/
package watch
