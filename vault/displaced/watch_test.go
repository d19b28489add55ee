package displaced_test

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"testing"
	"time"

	"kist/vault/displaced"
)

// A slowFolder holds no file any more, and takes its time to remove the folder.
type slowFolder struct{ asked, removed chan struct{} }

func (s slowFolder) Open(string) (*os.File, error)                      { return nil, fs.ErrNotExist }
func (s slowFolder) BringIn(displaced.File, []byte, bool) (bool, error) { return false, nil }
func (s slowFolder) Remove(displaced.File) error                        { return nil }
func (s slowFolder) Gone([]displaced.File)                              { close(s.asked); <-s.removed }

// Who waits for the displaced files waits for the folders that go with them.
func TestWaitIsForFoldersToo(t *testing.T) {
	vault := slowFolder{make(chan struct{}), make(chan struct{})}
	w := displaced.New(vault, slog.New(slog.DiscardHandler))
	w.Start()
	defer w.Close()
	w.Add(displaced.File{Path: "projects/.kist-a.swap.tmp", Target: "projects/a.md"})
	<-vault.asked
	if w.Wait(context.Background(), 0) {
		t.Error("nothing is waited for while the folder is still there")
	}
	close(vault.removed)
	if !w.Wait(context.Background(), time.Minute) {
		t.Error("something is left")
	}
}
