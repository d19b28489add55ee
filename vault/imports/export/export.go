/*
Package export reads the conversations in the exports of other programs. What a file says is
data: nothing of it is followed, and how much of it is unpacked and held is bounded.
*/
package export

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Source is a program whose exports are known.
type Source string

// The sources.
const (
	ChatGPT Source = "chatgpt"
	Claude  Source = "claude"
)

// Name is how people call it.
func (s Source) Name() string {
	if s == ChatGPT {
		return "ChatGPT"
	}
	return "Claude"
}

// A Conversation is what was said, in its order.
type Conversation struct {
	ID       string
	Title    string
	Created  time.Time // zero: unknown
	Messages []Message
}

// A Message is one that has text or something attached.
type Message struct {
	User bool // else the program
	Text string
	Left int // pictures and files, which are not read
}

// ErrFile is returned for a file that can't be read as an export.
var ErrFile = errors.New("not an export that kist can read")

const (
	maxUnpacked = 512 << 20 // bytes of JSON of an export
	maxOne      = 64 << 20  // bytes of JSON of a conversation
	maxEntries  = 100_000   // of a zip
)

// Read calls each with the conversations of a file: of conversations.json, or of the zip that
// holds it. It returns ErrFile, or what each or ctx says.
func Read(ctx context.Context, source Source, file string, each func(Conversation) error) error {
	info, err := os.Stat(file)
	if err != nil {
		return unread(file, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file", ErrFile, file)
	}
	f, err := os.Open(file)
	if err != nil {
		return unread(file, err)
	}
	defer f.Close()
	start := make([]byte, 4)
	n, err := f.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return unread(file, err)
	}
	r := &reader{source: source, left: maxUnpacked, each: each}
	if string(start[:n]) == "PK\x03\x04" || string(start[:n]) == "PK\x05\x06" {
		return r.zip(ctx, f, info.Size())
	}
	return r.list(ctx, path.Base(file), f)
}

// unread is the error for a file that the system doesn't give.
func unread(file string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%w: %s: %v", ErrFile, file, err)
}

// listName is how the files with conversations are called; large exports have several.
var listName = regexp.MustCompile(`^conversations(-\d+)?\.json$`)

func (r *reader) zip(ctx context.Context, f io.ReaderAt, size int64) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("%w: the zip is damaged or cut off (%v)", ErrFile, err)
	}
	if len(z.File) > maxEntries {
		return fmt.Errorf("%w: the zip has more than %d files", ErrFile, maxEntries)
	}
	var lists []*zip.File
	for _, e := range z.File {
		if listName.MatchString(path.Base(e.Name)) && e.Mode().IsRegular() {
			lists = append(lists, e)
		}
	}
	if len(lists) == 0 {
		return fmt.Errorf("%w: the zip holds no conversations.json", ErrFile)
	}
	slices.SortFunc(lists, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for _, e := range lists {
		if err := r.entry(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) entry(ctx context.Context, e *zip.File) error {
	text, err := e.Open()
	if err != nil {
		return fmt.Errorf("%w: %s in the zip can't be unpacked (%v)", ErrFile, path.Base(e.Name), err)
	}
	defer text.Close()
	return r.list(ctx, path.Base(e.Name), text)
}
