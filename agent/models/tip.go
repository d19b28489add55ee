package models

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kist/agent/ollama"
)

// tipWithin bounds how long Ollama is asked: it is on this machine, or isn't.
const tipWithin = 2 * time.Second

// A Tip tells once, in each vault, that Ollama runs on this machine and has models, where
// nobody has chosen any. It looks while nobody waits for it, and chooses nothing.
type Tip struct {
	Settings Settings
	Told     func() bool // it was told before
	Tell     func()      // it is told now, for good

	begin sync.Once
	mu    sync.Mutex
	text  string
}

// Next returns the tip, when it is found and wasn't told yet. The first call has it looked
// for.
func (t *Tip) Next() string {
	t.begin.Do(func() { go t.look() })
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	if t.text = ""; text != "" {
		t.Tell()
	}
	return text
}

func (t *Tip) look() {
	if t.Settings.Chat != Offline || t.Told() {
		return
	}
	e, err := t.Settings.endpoint("ollama")
	if err != nil || !e.Local() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), tipWithin)
	defer cancel()
	all, err := ollama.Models(ctx, e)
	if err != nil {
		return
	}
	for _, m := range all {
		ref := "ollama/" + m.Name
		if _, _, err := Split(ref); err != nil || m.Remote {
			continue
		}
		t.mu.Lock()
		t.text = fmt.Sprintf("Ollama runs on this machine and has models; “kist model use %s” has this one answer, and what it is sent stays here. This is said once.", ref)
		t.mu.Unlock()
		return
	}
}
