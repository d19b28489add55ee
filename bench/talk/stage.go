package talk

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"kist/agent"
	"kist/agent/model"
	"kist/agent/tool"
	"kist/index"
	"kist/vault"
)

//go:embed start
var start embed.FS

// Start returns what the vault of each stage begins with: the texts of its documents, by
// their paths.
func Start() map[string]string {
	texts := map[string]string{}
	// What is embedded can be read.
	_ = fs.WalkDir(start, "start", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := start.ReadFile(p)
		texts[strings.TrimPrefix(p, "start/")] = string(text)
		return err
	})
	return texts
}

// Now is the time that stages begin at: a Friday.
func Now() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) }

// clock returns a clock that starts at Now and moves on by a second at each look, so that
// records have an order.
func clock() func() time.Time {
	var looks atomic.Int64
	return func() time.Time { return Now().Add(time.Duration(looks.Add(1)-1) * time.Second) }
}

// A Stage is an agent on a vault of its own, which asks nobody. Its turns are played one
// after the other.
type Stage struct {
	Vault *vault.Vault

	agent *agent.Agent
	index *index.Index
	tools *tool.Registry
	known map[string]bool // operations of turns before, by id

	cancel  context.CancelFunc
	follows chan error // what the index's follower returned
}

// NewStage makes a vault in dir, which is empty or not there yet, with what [Start] returns,
// and opens it for a model. The caller closes it, and removes the folder.
func NewStage(ctx context.Context, dir string, m model.Model) (*Stage, error) {
	return openStage(ctx, dir, m, "auto")
}

// openStage is NewStage with another policy than one that asks nothing.
func openStage(ctx context.Context, dir string, m model.Model, preset string) (_ *Stage, err error) {
	s := &Stage{known: map[string]bool{}}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("make a vault to talk in: %w", err), s.Close())
		}
	}()
	folder := filepath.Join(dir, "vault")
	for p, text := range Start() {
		p = filepath.Join(folder, filepath.FromSlash(p))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			return nil, err
		}
	}
	if s.Vault, err = vault.Open(ctx, folder, vault.Options{Now: clock(), Device: "test"}); err != nil {
		return nil, err
	}
	if s.index, err = index.Open(s.Vault, index.Options{Dir: filepath.Join(dir, "index")}); err != nil {
		return nil, err
	}
	s.follow(ctx)
	if s.agent, err = agent.New(s.Vault, s.index, m, agent.Options{Preset: preset, Now: Now}); err != nil {
		return nil, err
	}
	if s.tools, err = tool.NewRegistry(); err != nil {
		return nil, err
	}
	return s, s.index.Wait(ctx, 0)
}

// follow has the index follow the vault until the stage is closed.
func (s *Stage) follow(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.follows = make(chan error, 1)
	go func() { s.follows <- s.index.Run(ctx) }()
}

// Close closes what NewStage opened.
func (s *Stage) Close() (err error) {
	if s.follows != nil {
		s.cancel()
		<-s.follows
	}
	if s.index != nil {
		err = s.index.Close()
	}
	if s.Vault != nil {
		err = errors.Join(err, s.Vault.Close())
	}
	return err
}

// Texts returns the documents that are in the vault now, by their paths.
func (s *Stage) Texts(ctx context.Context) (map[string]string, error) {
	texts := map[string]string{}
	err := s.Vault.Walk(ctx, func(i vault.Info) error {
		text, err := s.Vault.Read(i.Path)
		texts[i.Path] = string(text)
		return err
	}, nil)
	return texts, err
}
