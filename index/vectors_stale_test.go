package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kist/vault/vaulttest"
)

// A looker is a context that does something when it is first asked whether it ended,
// which training does and what comes before it doesn't.
type looker struct {
	context.Context
	first func()
}

func (l looker) Err() error {
	l.first()
	return l.Context.Err()
}

// rewrite gives documents of many another text and brings the index up to date.
func rewrite(t *testing.T, x *Index, n int) {
	t.Helper()
	for i := range n {
		writeFile(t, filepath.Join(x.vault.Dir(), fmt.Sprintf("f0/note%d.md", i)), fmt.Sprintf("# New %d\n\nneedle word%d hay%d\n", i, i, i%7))
	}
	release, err := x.acquire(t.Context())
	if err == nil {
		defer release()
		err = x.advanceCurrent(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// When so much changes while a model is being learned that the next one is due at
// once, what changed gets vectors of this one.
func TestChangedWhileTraining(t *testing.T) {
	v := vaulttest.New(t, many("f0", 40))
	x := open(t, v)
	rewrite(t, x, 0)
	asked := false
	ctx := looker{t.Context(), sync.OnceFunc(func() {
		asked = true
		x.position.full = true // nobody watches
		rewrite(t, x, 30)
	})}
	if err := x.learner.advanceVectors(ctx); err != nil || !asked || x.current.vectors == nil {
		t.Fatalf("error %v, asked %v, vectors %v", err, asked, x.current.vectors)
	}
	for _, line := range x.current.staleVectors(true) {
		t.Error(line)
	}
}

// Where no model can be learned, the old one goes on to make vectors.
func TestChangedAndNotTrained(t *testing.T) {
	v := vaulttest.New(t, many("f0", 40))
	x := open(t, v)
	rewrite(t, x, 0)
	if err := x.learner.advanceVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	x.current.vectors.checked = false // as after a start
	stored := x.current.vectors
	x.current.vectors = nil // changed while kist didn't run
	x.position.full = true
	rewrite(t, x, 30)
	x.current.vectors = stored
	if err := os.Mkdir(vectorsName(x.dir, x.current.store)+".new.tmp", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := x.learner.advanceVectors(t.Context()); err == nil {
		t.Fatal("trained")
	}
	if err := x.learner.advanceVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, line := range x.current.staleVectors(true) {
		t.Error(line)
	}
}

// A document that was another one for a moment, when its vector was to be made, gets
// it when it is found to be what is indexed after all.
func TestNotEmbeddedAndBack(t *testing.T) {
	v := vaulttest.New(t, many("f0", 40))
	x := open(t, v)
	rewrite(t, x, 0)
	if err := x.learner.advanceVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(v.Dir(), "f0/note0.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	x.current.vectors.Set.Delete("f0/note0.md")
	writeFile(t, name, "half")
	x.learner.embedFile(x.current, "f0/note0.md")
	writeFile(t, name, string(text))
	x.position.full = true
	rewrite(t, x, 0)
	for _, line := range x.current.staleVectors(true) {
		t.Error(line)
	}
}
