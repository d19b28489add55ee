package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"kist/agent"
	"kist/agent/offline"
	"kist/index"
	"kist/rpc/dial"
	"kist/vault"
)

// Options for [Run]. Vault is needed.
type Options struct {
	Vault   string // folder; made a vault if it isn't one
	Version string // of this program
	Log     *slog.Logger
	Listen  string // loopback address; empty: KIST_LISTEN, else any port of 127.0.0.1

	// Ready is called once, when health says SERVING. The index may still be building.
	Ready func(Info)
	// Progress is called while the index is built; phase says in a word what is done.
	Progress func(done, total int, phase string)
}

// Info is what a daemon says about itself when it is ready.
type Info = dial.Info

// Init makes dir a vault without serving it and returns the names of the files it
// created there. No existing byte is changed.
func Init(dir string) ([]string, error) { return vault.Init(dir) }

// LogLevel returns the level that KIST_LOG asks for: debug, or info for anything
// else.
func LogLevel() slog.Level {
	if os.Getenv("KIST_LOG") == "debug" {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// Run is the daemon of one vault, from start to stop. It returns nil after ctx
// ended, after a client's Stop, and when the daemon stopped because it was
// orphaned; otherwise what went wrong, as an [*Error] where the user can do
// something about it.
func Run(ctx context.Context, opts Options) error {
	return run(ctx, opts, usualPatience())
}

func run(ctx context.Context, opts Options, p patience) error {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	paths, err := dial.PathsFor(opts.Vault)
	if err != nil {
		return &Error{Kind: ErrFolder, What: fmt.Sprintf("use %s: %v", opts.Vault, err)}
	}
	d := &daemon{opts: opts, log: opts.Log, paths: paths, started: time.Now(), patience: p, stopping: make(chan struct{})}
	if err := d.open(ctx); err != nil {
		return errors.Join(err, d.close())
	}
	err = d.serve(ctx)
	d.log.Info("stopped", "vault", paths.Vault)
	return err
}

// open acquires everything up to the agent, in the order of dependency.
func (d *daemon) open(ctx context.Context) error {
	if err := makeState(d.paths); err != nil {
		return err
	}
	var err error
	if d.lock, err = acquire(d.paths); err != nil {
		return err
	}
	d.closes("lock", d.lock.release)
	if _, err := os.Lstat(d.paths.Vault + "/" + vault.ConfigFile); err != nil {
		made, err := vault.Init(d.paths.Vault)
		if err != nil {
			return folderError(d.paths, err)
		}
		d.log.Info("made a vault", "path", d.paths.Vault, "files", made)
	}
	if d.config, err = LoadConfig(d.paths.Vault, os.Getenv); err != nil {
		return err
	}
	if d.opts.Listen != "" {
		d.config.Listen = d.opts.Listen
	}
	if d.token, err = openToken(d.paths.Token); err != nil {
		return folderError(d.paths, err)
	}
	return d.openParts(ctx)
}

func (d *daemon) openParts(ctx context.Context) (err error) {
	d.vault, err = vault.Open(ctx, d.paths.Vault, vault.Options{Layout: d.config.Layout, Log: d.log})
	if err != nil {
		return err
	}
	d.closes("vault", d.vault.Close)
	embedder, err := d.config.Models.embedder()
	if err != nil {
		return err
	}
	if d.index, err = index.Open(d.vault, index.Options{Log: d.log, Embedder: embedder}); err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	d.closes("index", d.index.Close)
	partner := offline.New()
	if d.config.Learn {
		partner = offline.NewLearning(openLessons(filepath.Join(d.paths.State, "lessons.jsonl"), d.log))
	}
	d.agent, err = agent.New(d.vault, d.index, partner, agent.Options{
		Preset: d.config.Policy,
		Tools:  d.config.Tools,
		Budget: agent.Budget(d.config.Budget),
		Log:    d.log,
	})
	if err != nil {
		return configError("%s: agent: %v", vault.ConfigFile, err)
	}
	return d.listen(ctx)
}
