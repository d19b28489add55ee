/*
Package merge holds the command that git calls to merge a document: kist merge. It opens no
vault, asks no daemon and runs no program; it reads three files, and writes the one that git
named and, where something truly contradicts, a copy of theirs beside the document, with a note of
that in the git directory: a merge may be aborted.
*/
package merge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"kist/daemon/sync/driven"
	"kist/vault/merge/semantic"
)

// An App is what the command needs of the program around it.
type App struct {
	// Show prints a response: as JSON where that is asked for, else by human.
	Show func(m proto.Message, human func(print Printf)) error
	// Usage makes an error one of the command line.
	Usage func(error) error
	// Conflict ends the command with git's exit code for a conflict, 1; all was said.
	Conflict error
}

// Printf prints by a constant format, and makes its arguments fit for a terminal.
type Printf = func(format string, args ...any)

// maxFile is the size up to which files are merged, in bytes: that of documents that are edited.
const maxFile = 16 << 20

// Command returns kist merge.
func Command(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "merge BASE OURS THEIRS PATH",
		Short: "Merge a document by meaning, as git's merge driver",
		Long: "Merge two versions of a document, both made from a third, by what they mean: front matter by key,\n" +
			"sections by heading, lists by item, tables by row, canvases by node, kist's own files by record. The result\n" +
			"is written into OURS; PATH is where the document lies in the work tree. Exit code 0: everything of both is in it.\n" +
			"Exit code 1: something contradicts. There OURS keeps its own, without markers, and gets what else\n" +
			"THEIRS has; what contradicts is listed, and the whole of THEIRS is put beside PATH as\n" +
			"NAME.conflict-DEVICE-DATE. An empty BASE stands for none.\n\n" +
			"For git, in its configuration: [merge \"kist\"] driver = kist merge %O %A %B %P; and in .gitattributes:\n" +
			"*.md merge=kist (and *.canvas). No vault is opened and no daemon is needed.",
		Example: "  kist merge base.md ours.md theirs.md notes/boat.md",
		Args:    cobra.ExactArgs(4),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.run(args[0], args[1], args[2], args[3])
		},
	}
}

func (a App) run(baseFile, oursFile, theirsFile, name string) error {
	name = filepath.ToSlash(filepath.Clean(name))
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == "." {
		return a.Usage(fmt.Errorf("%q is no path of a document below this folder", name))
	}
	var texts [3][]byte
	for i, file := range []string{baseFile, oursFile, theirsFile} {
		text, err := read(file)
		if err != nil {
			return err
		}
		texts[i] = text
	}
	base, ours, theirs := texts[0], texts[1], texts[2]
	if len(base) == 0 {
		base = nil
	}
	r := semantic.Merge(base, ours, theirs, semantic.Options{Path: name})
	beside := ""
	if !r.Clean() {
		var err error
		if beside, err = keep(name, theirs, time.Now()); err != nil {
			return fmt.Errorf("keep theirs beside %s: %w", name, err)
		}
		if err = driven.Note(".", beside, theirs); err != nil {
			return fmt.Errorf("note %s: %w", beside, err)
		}
	}
	if !bytes.Equal(r.Text, ours) {
		if err := replace(oursFile, r.Text); err != nil {
			return err
		}
	}
	if err := a.tell(name, beside, r); err != nil || r.Clean() {
		return err
	}
	return a.Conflict
}

// read returns a file's text; one that is too large, or no file, is an error.
func read(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", file)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB", file, maxFile>>20)
	}
	return text, err
}

// replace writes a file in place, with its mode: git reads it by its name.
func replace(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}

// keep writes a text beside the document, under a name that is free or has it already, and
// returns that name. It never leaves this folder, and writes over nothing.
func keep(name string, text []byte, now time.Time) (string, error) {
	root, err := os.OpenRoot(".")
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		beside := conflictName(name, device(), now, n)
		f, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			if there, err := root.ReadFile(beside); err == nil && bytes.Equal(there, text) {
				return beside, nil
			}
			if n < maxCopies {
				continue
			}
		}
		if err != nil {
			return "", err
		}
		if _, err := f.Write(text); err != nil {
			return "", errors.Join(err, f.Close(), root.Remove(beside))
		}
		return beside, errors.Join(f.Sync(), f.Close())
	}
}

// maxCopies is how many conflict copies a document may have of one day.
const maxCopies = 1000

// maxName is how long the name of a conflict copy may be, in bytes.
const maxName = 255

// conflictName returns the n-th name of a conflict copy: name.conflict-device-date.md.
func conflictName(name, device string, now time.Time, n int) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(path.Base(name), ext)
	mark := ".conflict-" + device + "-" + now.Format(time.DateOnly)
	if n > 1 {
		mark += fmt.Sprintf("-%d", n)
	}
	for len(stem)+len(mark)+len(ext) > maxName && stem != "" {
		_, size := lastRune(stem)
		stem = stem[:len(stem)-size]
	}
	return path.Join(path.Dir(name), stem+mark+ext)
}

func lastRune(s string) (rune, int) {
	runes := []rune(s)
	r := runes[len(runes)-1]
	return r, len(string(r))
}

// device is the host's name, as far as it may stand in a file's name.
func device() string {
	host, err := os.Hostname()
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	host = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, host), "-")
	if err != nil || host == "" {
		return "device"
	}
	return host[:min(len(host), 60)]
}

// tell prints what became of the merge; nothing where it is clean, but for JSON.
func (a App) tell(name, beside string, r semantic.Result) error {
	conflicts := make([]any, len(r.Conflicts))
	for i, c := range r.Conflicts {
		conflicts[i] = map[string]any{"where": utf8(c.Where), "base": utf8(c.Base), "ours": utf8(c.Ours), "theirs": utf8(c.Theirs)}
	}
	s, err := structpb.NewStruct(map[string]any{"path": utf8(name), "clean": r.Clean(), "copy": utf8(beside), "conflicts": conflicts})
	if err != nil {
		return err
	}
	return a.Show(s, func(print Printf) {
		for _, c := range r.Conflicts {
			print("%s: both changed %s\n", name, c.Where)
		}
		if beside != "" {
			print("%s: ours stays; the other version is %s\n", name, beside)
		}
	})
}

func utf8(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
