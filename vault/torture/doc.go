/*
Package torture tries to make kist lose something. Editors, each a process of
its own, save the files of a vault in every way that editors do, while a daemon,
a process too, carries out operations on the same files and is killed by SIGKILL
again and again: at the nth call of the write path, at a moment of chance, and
again while it recovers. In some rounds its file system fails, in recovery too.

[Run] does all that and returns a [Result]; the processes are the calling program
itself, which begins with [Play]. What lies above the vault and must agree with its
files is put into the daemon as a [Follower]. Package index/torture does so with the
search index, and is the command:

	go run ./index/torture --minutes 1
	go run ./index/torture --kills 1000 --saves 1000000 --minutes 90

[Storm] is the editors' saves alone, for other tests.

After each kill a new daemon starts, the editors pause, and the judge, which is
the parent process and has a reader of the operation log of its own, waits until
no temporary file is left and the log explains every text, for half a minute at
most. All of this is a fault then:

  - A lost save. Each save carries a line that exists nowhere else, its marker: a
    new number in the editor's line of the document, or an appended line. An
    editor reads a file before it saves it, as a person would see it, and goes on
    only when the file holds the markers of all saves before; until then it
    leaves the file alone. What it then drops of its own markers it has replaced
    knowingly. All other markers must be in the document, or in another visible
    file such as a conflict copy, or in the removed lines of a completed
    operation that isn't an editor's: then kist removed them because it was told
    to, and undoing that brings them back. A marker that is only in a temporary
    file, or in an operation that did not remove it, is lost.
  - A lost operation. An operation is acknowledged when the daemon has written so
    to its standard output. It must be completed in the log. An editor with an
    old buffer may save over it, and nothing else may take its text away.
  - A torn file. Each line of a document ends in a checksum, and a document has a
    known list of lines: what lacks one or has half of one is torn. The half that
    a slow editor had written when an operation began may not stay either.
  - A conflict copy that is torn or bears another document's name.
  - A text that neither an editor wrote nor an operation in the log left.
  - A broken chain. The log explains every text of every file, the editors' too:
    each operation starts from what the one before it left, and a file holds what
    the last one left.
  - An undo that isn't exact. Taking back all completed operations, the last one
    first, leads to the original tree byte for byte: by the patches in the log
    after each restart, and by [vault.Vault.Undo] at the end of every third
    folder.
  - An unended operation: begun, and nothing after it; or a proposal that was
    approved and not begun.
  - A failed operation whose text stands.
  - A temporary file that is left.
  - A follower that differs from the files, once it was brought up to date.

With [Options].Still there are no editors: then all is the daemon's own doing.

Editors also hold files open that they write into only when an operation has displaced
them: at once when they see that, or up to some minutes later ([Options].Late). They
keep them open over the daemon's death and over checks; only when a folder ends do they
close them. A check then lets as many temporary files stand, and no marker be missing.

The folder has links to folders in it, one of which leads round in a circle. Editors and
operations often find a document through them; an operation that names a document so
must be refused.

Editors that share a file take turns: no editor saves over another's save that it
hasn't read, because that loss would be theirs. Only appending, as programs do,
needs no reading.

The folder is changed for a new one every few rounds, since the log grows and has
to be undone. The folder of a fault is kept. A seed repeats the choices, not the
timing.

The package knows no part of the vault but its exported methods and the format of
its log. It doesn't test the daemon's own program, nor a loss of power.
*/
package torture
