/*
Package index searches the vault: it keeps an inverted index of every Markdown
file and answers queries about them.

An [Index] is opened by [Open] on a [vault.Vault] and kept up to date by
[Index.Run]. [Index.Search] carries out a [Query] and returns [Results], whose
[Hit] values name a document's best section with an excerpt read from the live
file. Every answer carries its [Freshness], and [Index.Wait] blocks until the
index has reached a change. [Index.Status] tells what is going on and which
files could not be fully used. With Query.Explain every hit says what its score is made
of ([Explanation]); with Query.WhyNot a document says why it is no hit ([WhyNot]).
[Index.Similar], [Index.Backlinks] and [Index.RelatedProjects] go out from a document or
a project instead.

# What is stored

Everything lies in one folder, .kist/index, and is derived from the files:
deleting it costs only time.

	manifest            path -> size, times, inode, content hash; names the store
	store-<id>/         a bleve index with an entry for each file, or stretch of a long one
	root.sum            the checksum of its root.bolt, there only while the index is closed
	vectors-<id>        a model learned from that store, and a vector for each passage
	served-<id>         vectors of an Embedder, where there is one

An entry's id is the file's path, a NUL and its ordinal in the file. Entries hold
no text: excerpts come from the files; but they tell of each occurrence of a term in which
section it is (package section). All entries of a file carry its path as a
term, and replacing a file deletes by that term, so that nothing depends on what
was believed to be there. A document of more than 32 KiB has several entries, of
neighbouring sections; of such a one the manifest has a hash of each entry, and a save
writes the entries whose hash is another one; it gives the hashes up
before it writes and trusts none after a crash, which is when all of the document is
written. A section of more than 64 KiB is cut into several, which overlap a little, so that
a phrase is in one of them. An index that is damaged or of
another vault is renamed to index.bad-<n>, one of another version removed; it is built anew.

# Ranking

Words rank files first, by BM25F over their entries; of the best of these the sections are
scored as well, by the same formula, and a file's score is the sum of its own and its best
section's. A file that is about the words and has a section that is about them comes before
one that has either; and the section is what is shown.

# Order, loss, blocking

One goroutine, that of Run, writes; Rebuild takes turns with it. It first
compares all files with the manifest, then follows the vault's change log. The
receipt's Indexed only moves when all changes up to it are durably committed and
visible. A file is checked against the disk once more right before its entries
are committed. Nothing is lost by a crash: the store records, in the same
transaction as the entries, which paths the manifest doesn't know about yet. A file of
more than a megabyte is written in several portions; where the last of them isn't
reached, all of it is written again.

# Memory

Entries are made as they are written, a megabyte of text at a time or less, and one long
file at a time is read ahead of that. What searches read, and what they prepare of files that
aren't indexed yet, comes out of two budgets that all of them share: a search waits for
room as long as it may look at files at all, and says so where it got none. While the
text of a long file is held the process collects garbage more often, and it gives memory
back to the system afterwards.

A vanishing of many files at once, or a root that can't be read, deletes
nothing: the index pauses, says so and resumes when the files are back. Search
never blocks on indexing.

# Vectors

Once there are 20 documents, a second goroutine of Run learns a model from the
store's postings (package embed) and makes a vector of every document, or of each
section of a long one (package vector). Publishing a file then embeds it as well, so
words and vectors say the same. The model is learned anew when the vault has grown by
half or a third of it has changed; until it is swapped in, the old one serves. Without
vectors, or while they are learned, search goes by words alone.

Where there is an [Embedder], a third goroutine has it embed all documents into a second
set, and searches use that one once it is complete. What was answered is kept for each
text and model in the folder embeddings beside the index, so a text is asked for once,
whatever becomes of its file. While the server can't be reached, or a query isn't embedded
in time, the built-in vectors serve; the receipt says so.

The package doesn't watch files (the vault does), never writes to them, and
doesn't decide what a project is.
*/
package index

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime/debug"

	"kist/index/analyze"
	"kist/index/courtesy"
	"kist/index/frugal"
	"kist/index/intake"
	"kist/index/meter"
	"kist/index/parallel"
	"kist/index/pending"
	"kist/index/rank"
	"kist/index/served"
	"kist/vault"
)

// Options for [Open]; the zero value is usable.
type Options struct {
	Dir string       // folder of the index; empty: <vault>/.kist/index
	Log *slog.Logger // nil: discarded

	// Embedder makes vectors, beside those that are learned from the vault and take over
	// while it can't; nil: there is none. What it made is kept in the folder embeddings
	// beside Dir.
	Embedder served.Embedder
	// Private reports which documents the Embedder must not be given; nil: it may have all.
	// They are found by words and by the vectors learned here.
	Private func(path string) bool
}

// An Index follows one vault and answers queries about it. Its methods may be
// called concurrently.
type Index struct {
	*core
	vault   *vault.Vault
	learner learner
	remote  remote

	searches *rank.Desk
	desk     *pending.Desk     // for what isn't indexed
	courtesy courtesy.Courtesy // of the builder

	// Under the core's mutex.
	running    bool
	state      State
	notice     string    // what happened on opening
	position   position  // of the current generation
	taken      vault.Seq // changes up to here are being worked on, or done
	indexed    vault.Seq // changes up to here are committed
	rebuilding bool
	caughtUp   bool                  // the first comparison is done
	surveyed   bool                  // it is known which files aren't indexed
	waiting    map[string]vault.Info // these, but for changes after taken; without a path: not looked at
	todo       int                   // files known to have changed that aren't done
	progress   Progress              // of the comparison or rebuild under way
	meter      meter.Meter           // of the comparison
	walked     []vault.Problem
}

// A position says what a generation has taken in. It belongs to whoever holds
// the writing token; seq is also read under the mutex.
type position struct {
	seq  vault.Seq
	full bool // the next step is to compare everything
	held int  // files gone that the brake keeps

	notice string // why the index is paused; empty: it isn't
}

// Open opens the index, or makes an empty one; a damaged or foreign one is set
// aside and made anew, which Status then says. Where the folder can't be used, the
// index is in memory, and Status says that. Nothing is indexed before Run. The caller
// closes the index. It returns ErrInUse where another process has it open.
func Open(v *vault.Vault, opts Options) (*Index, error) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	x := &Index{
		core: &core{
			files: &intake.Files{Source: intake.Cards(v), Vault: v, Langs: langs, Held: frugal.NewBudget(heldBytes)},
			dir:   opts.Dir, log: opts.Log,
			writing: make(chan struct{}, 1),
			moved:   make(chan struct{}),
			release: debug.FreeOSMemory,
		},
		vault:    v,
		waiting:  map[string]vault.Info{},
		state:    Starting,
		position: position{full: true},
	}
	x.learner = learner{core: x.core, look: make(chan struct{}, 1)}
	x.remote = remote{core: x.core}
	x.searches = rank.NewDesk(x.files, x.mu.RLocker())
	x.desk = pending.NewDesk(x.files, x.spoken)
	x.files.Gone = func() {
		x.heavy()
		parallel.Signal(x.learner.look)
	}
	x.writing <- struct{}{}
	if x.dir == "" {
		x.dir = filepath.Join(v.Dir(), vault.StateDir, "index")
	}
	if x.log == nil {
		x.log = slog.New(slog.DiscardHandler)
	}
	x.current, x.notice, err = openGeneration(x.dir, v)
	if err != nil && !errors.Is(err, ErrInUse) {
		// A full or read-only disk must not keep everything else from working.
		x.notice = fmt.Sprintf("the search index is kept in memory until kist is started again, because its folder can't be used (%v); check free space and permissions of %s", err, x.dir)
		x.current, err = memoryGeneration(v.Dir())
	}
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", x.dir, err)
	}
	if x.notice != "" {
		x.log.Warn(x.notice)
	}
	if opts.Embedder != nil {
		if x.remote.Server, err = served.New(opts.Embedder, opts.Private, filepath.Join(filepath.Dir(x.dir), "embeddings")); err != nil {
			// Search does without rather than not at all.
			x.notice = fmt.Sprintf("%s is not used: %v", opts.Embedder.Model(), err)
			x.log.Warn(x.notice)
		}
	}
	x.learner.loadVectors(x.current)
	x.remote.loadServed(x.current)
	return x, nil
}

// Close releases the index; Run must have ended, and a Rebuild is waited for.
// Searches that are under way may fail with ErrClosed.
func (x *Index) Close() error {
	<-x.writing // for good
	x.mu.Lock()
	g := x.current
	x.current = nil
	x.wake() // those who wait get ErrClosed
	x.mu.Unlock()
	if g == nil {
		x.writing <- struct{}{}
		return nil
	}
	err := errors.Join(x.remote.Server.Close(), g.close())
	x.writing <- struct{}{}
	return err
}
