/*
Package dial finds the daemon of a vault, starts it where that is wanted, and
calls it.

[Find] decides which vault a command means. [PathsFor] says where the daemon of
a vault keeps its lock, token, socket and log; package daemon uses the same
answer. [Connect] returns a [Client] with one field a service:

	vault, err := dial.Find(flag)
	client, err := dial.Connect(ctx, vault, dial.Options{Start: true, Client: "cli"})
	defer client.Close()
	hits, err := client.Search.Search(ctx, &kistv1.SearchRequest{Query: "boat"})

The only sign of life that counts is an answered health call: neither the socket
file nor daemon.json nor a process number means anything by itself. A client
never stops or restarts a daemon because of its version; it connects, and
[Client.Version] lets the caller say so.

# Starting a daemon

Where nothing answers and [Options.Start] is set, Connect runs

	<executable> up --log-file LOG VAULT

in a session of its own, in the root folder, with standard output and error
appended to LOG. A process started so must exit with [ExitLocked] when another
one holds the vault, which tells Connect to wait for that one instead; with any
other status Connect gives up and quotes the end of LOG. Where another daemon
answers before the started process has found that out, Connect ends that process.

One goroutine waits for the started process for as long as this process lives,
so that it is reaped. Connect itself polls, from every 2 ms to every 100 ms, and
blocks for at most [Options.Timeout].

The package opens nothing in a vault but the token and daemon.json. It does not
know what any answer means.
*/
package dial
