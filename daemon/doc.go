/*
Package daemon is the process that owns one vault: it holds the lock, opens
vault, index and agent, serves them, and takes everything down again.

[Run] does all of it and returns when its context ends, when a client asks it to
stop, or when it finds itself orphaned. [Options] says for which vault;
what else can be set comes from kist.yaml, the machine's config.yaml and the
environment, see [Config] and [Models].

	err := daemon.Run(ctx, daemon.Options{Vault: dir, Version: v, Log: log, Ready: announce})

# Order

Start: lock, kist.yaml, token, vault, index, agent, sockets, servers, followers,
daemon.json, ready. Each part is closed in the opposite order when a later one
fails and when the daemon stops, each within a time limit, so that a stop takes
about three seconds at most. The lock comes last; where a part didn't close in
time, only the end of the process gives the lock up, since something may still
be writing.

# One owner

Two locks are held for life, and the system drops both however the process
ends. The one on .kist/lock is what counts. .kist may be deleted at any time,
though, and then another process could lock a new file of that name; so the
vault's folder itself is locked too, where the system can do that. A daemon
whose lock file was deleted or replaced, or whose vault is gone, notices within
seconds and stops by itself. The socket file is replaced only by a holder of the
locks.

# What a vault may ask

kist.yaml comes with the vault, which may be anybody's. What its agent section asks
less than the built-in policy counts only after this machine's user trusted just that;
what it asks more counts at once, also while the daemon runs (see rules and trust). The
user's word lies in the user's folder for state, as kist/trust/ and a name made of the
vault's path, and is tied to that vault by a mark in .kist, so that another one in its
place isn't trusted: .kist may have come with the vault too. Models and servers can't be named
by a vault at all.

# Connections

Each listener accepts at once. A connection that hasn't shown the token has seconds and
makes room for the next one; of those that have, the one that was idle for longest does.
A start that was told to end is cut off after a second, whatever it waits for.

# Goroutines

One error group holds the watcher, the index's follower, the loop of sync, both servers and the
orphan watch; if one breaks, all stop and Run returns its error. Callbacks of
Options are called from goroutines of the group, one at a time each.

The package decides nothing about documents, and answers no request itself.
*/
package daemon
