package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kist/agent"
	"kist/agent/budget"
	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/models"
	"kist/agent/offline"
	"kist/agent/private"
	"kist/agent/route"
	"kist/agent/tool"
	"kist/daemon/sync"
	"kist/index"
	"kist/index/served"
	"kist/rpc/dial"
	"kist/rpc/news"
	"kist/rpc/tokens"
	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/control"
	"kist/vault/fsys"
)

// Options for [Run]. Vault is needed.
type Options struct {
	Vault   string // folder; made a vault if it isn't one, but in an existing folder only
	Version string // of this program
	Log     *slog.Logger
	Listen  string // loopback address; empty: KIST_LISTEN, else any port of 127.0.0.1

	// Existing says that Vault must be a vault already: nobody asked for a new one.
	Existing bool

	// Ready is called once, when health says SERVING. The index may still be building.
	Ready func(Info)
	// Progress is called while the index is built; phase says in a word what is done.
	Progress func(done, total int, phase string)
}

// Info is what a daemon says about itself when it is ready.
type Info = dial.Info

// Init makes dir a vault without serving it and returns the names of the files it
// created there. No existing byte is changed. The folder that dir is to be in must exist,
// except for that of the default vault: nobody has mistyped its name. The error is an
// [*Error].
func Init(dir string) ([]string, error) {
	if standard, err := dial.DefaultVault(); err == nil && standard == dir {
		if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
			return nil, folderError(dial.Paths{Vault: dir}, err)
		}
	}
	made, err := vault.Init(dir)
	if err != nil {
		return made, folderError(dial.Paths{Vault: dir}, err)
	}
	return made, nil
}

// Folders are those of kist's own in a vault, by what kist.yaml calls them, as the daemon takes them;
// nil: they can't be read.
func Folders(dir string) map[string]string {
	c, err := LoadConfig(dir, func(string) string { return "" })
	root, openErr := fsys.OpenRoot(dir)
	if openErr != nil {
		return nil
	}
	defer root.Close()
	l, listErr := vault.LayoutIn(root, c.Layout)
	if err != nil || listErr != nil {
		return nil
	}
	return l.Names()
}

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
	if err := d.start(ctx, d.open); err != nil {
		return err
	}
	err = d.serve(ctx)
	d.log.Info("stopped", "vault", paths.Vault)
	return err
}

// startLimit is how long a start that was told to end may take to notice.
const startLimit = time.Second

// start runs open, and closes what it opened where it fails or ctx ends. A start hangs
// where a disk does: one that doesn't end within startLimit after ctx is left behind, as
// by a kill, with all that it holds; only the end of the process gives that up.
func (d *daemon) start(ctx context.Context, open func(context.Context) error) error {
	opened := make(chan error, 1)
	go func() {
		err := open(ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			err = errors.Join(err, d.close())
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-opened:
		return err
	case <-time.After(startLimit):
		d.log.Warn("the start did not end in time and was cut off")
		return fmt.Errorf("start: %w", ctx.Err())
	}
}

// open acquires everything up to the agent, in the order of dependency.
func (d *daemon) open(ctx context.Context) error {
	if err := d.makeVault(); err != nil {
		return err
	}
	err := makeState(d.paths)
	if err != nil {
		return err
	}
	if d.lock, err = acquire(d.paths); err != nil {
		return err
	}
	d.closes("lock", d.lock.release)
	if d.config, err = LoadConfig(d.paths.Vault, os.Getenv); err != nil {
		return err
	}
	if d.rules, err = openRules(d.paths.Vault, trust{path: d.paths.Trust, vault: d.paths.Vault}, d.log); err != nil {
		return err
	}
	d.rules.current() // says in the log what doesn't count
	if d.opts.Listen != "" {
		d.config.Listen = d.opts.Listen
	}
	if d.token, err = openToken(d.paths); err != nil {
		return folderError(d.paths, err)
	}
	d.closes("token", d.token.close)
	d.tokens = tokens.Open(d.paths.Tokens, trust{path: d.paths.Tokens, vault: d.paths.Vault}.place())
	return d.openParts(ctx)
}

// modelSettings are the machine's, with the log hearing what leaves it: not the words, but
// enough to tell what they were from what they can't have been.
func (d *daemon) modelSettings(m Models) models.Settings {
	s := m.settings(machinePath(os.Getenv))
	s.Sent = d.sent
	return s
}

func (d *daemon) sent(ref string, sent endpoint.Sent) {
	d.log.Info("sent to a model elsewhere", "model", ref, "url", sent.URL, "bytes", sent.Bytes, "sha256", sent.SHA256)
}

// recorded is an embedder elsewhere, of whose requests the log hears too.
func (d *daemon) recorded(e served.Embedder, ref string) served.Embedder {
	return recordedEmbedder{e, func(s endpoint.Sent) { d.sent(ref, s) }}
}

type recordedEmbedder struct {
	served.Embedder
	tell func(endpoint.Sent)
}

func (r recordedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return r.Embedder.Embed(endpoint.Record(ctx, r.tell), texts)
}

// lessons are kept beside the index: what was found out about this machine's models.
func (d *daemon) lessons() models.Store {
	file := filepath.Join(d.paths.State, "models.json")
	return models.Store{
		Read:  func() ([]byte, error) { return control.Read(file, maxConfig) },
		Write: func(text []byte) error { return writePrivate(file, text) },
	}
}

// tips are what a turn ends with: what sync has to tell, and to who has no model, of an Ollama.
func (d *daemon) tips(settings string) func(bool) string {
	ollama := d.tip(settings)
	return func(partners bool) string {
		text := strings.TrimSpace(d.sync.News() + "\n\n" + savedOver(d.vault))
		if text == "" && partners && ollama != nil {
			text = ollama()
		}
		return text
	}
}

// savedOver says, once for each, which operations wait since an editor saved an old text over them.
func savedOver(v *vault.Vault) string {
	var waiting []vault.Operation
	for _, id := range v.Offered() {
		if op, err := v.Operation(context.Background(), id); err == nil && op.Status == vault.StatusProposed {
			waiting = append(waiting, op)
		}
	}
	if len(waiting) == 0 {
		return ""
	}
	what := fmt.Sprintf("An editor saved an old text over %s, and what had changed there meanwhile is no longer in it. `kist op approve %s` puts that back",
		vault.OneLine(waiting[0].Entity.Path), waiting[0].ID)
	if len(waiting) > 1 {
		what += fmt.Sprintf("; there are %d such changes", len(waiting))
	}
	return what + "; `kist op list --proposed` shows what waits."
}

// tip tells of an Ollama that nobody has chosen a model of; nil where the settings say
// what is to answer.
func (d *daemon) tip(settings string) func() string {
	if d.config.Models.ChatSet {
		return nil
	}
	told := filepath.Join(d.paths.State, "told-ollama")
	tip := &models.Tip{
		Settings: d.config.Models.settings(settings),
		Told:     func() bool { _, err := os.Lstat(told); return err == nil },
		Tell: func() {
			if err := writePrivate(told, nil); err != nil {
				d.log.Warn("that Ollama was told of isn't kept", "err", err)
			}
		},
	}
	return tip.Next
}

// makeVault makes the folder a vault where it is none, if that is wanted.
func (d *daemon) makeVault() error {
	_, err := os.Lstat(filepath.Join(d.paths.Vault, vault.ConfigFile))
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return folderError(d.paths, err)
	case d.opts.Existing:
		return &Error{Kind: ErrFolder, What: fmt.Sprintf("%s is not a vault: it has no %s", d.paths.Vault, vault.ConfigFile), Hint: "kist init makes one of it"}
	}
	made, err := Init(d.paths.Vault)
	if err == nil {
		d.log.Info("made a vault", "path", d.paths.Vault, "files", made)
	}
	return err
}

func (d *daemon) openParts(ctx context.Context) (err error) {
	tree := sync.NewWorkTree(d.paths.Vault, d.paths.Sync, d.log)
	d.vault, err = vault.Open(ctx, d.paths.Vault, vault.Options{Layout: d.config.Layout, Log: d.log, Git: tree, Projects: d.rules.ProjectsFrom, Unsent: tree.Leaves(d.rules.LeaveOut)})
	if err != nil {
		return folderError(d.paths, err)
	}
	d.closes("vault", d.vault.Close)
	d.news = news.Resume(d.vault, d.opts.Version)
	d.sync = sync.New(sync.Options{Vault: d.vault, Dir: d.paths.Sync, Log: d.log, LeaveOut: d.rules.LeaveOut})
	machine := newLive(machinePath(os.Getenv), d.config.Models)
	embedder, err := d.config.Models.embedder()
	if err != nil {
		return err
	}
	opts := index.Options{Log: d.log, Embedder: embedder}
	if d.config.Models.away() {
		if err := catalog.Place(ctx, d.vault); err != nil { // what is private may go by projects
			return err
		}
		opts.Private = private.New(d.vault, machine.private).Hides
		opts.Embedder = d.recorded(embedder, d.config.Models.Embed)
	}
	if d.index, err = index.Open(d.vault, opts); err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	d.closes("index", d.index.Close)
	partner := offline.New()
	if d.config.Learn {
		partner = offline.NewLearning(openLessons(filepath.Join(d.paths.State, "lessons.jsonl"), d.log))
	}
	router := route.New(partner)
	load := func() (models.Settings, error) {
		m, err := machine.load()
		return d.modelSettings(m), err
	}
	write := func(role, ref string) error { return writeRole(os.Getenv, role, ref) }
	if d.models, err = models.New(router, d.modelSettings(d.config.Models), load, write, d.lessons()); err != nil {
		return configError("models.chat: %v", err)
	}
	d.models.Follow(machine.changed)
	limits := func() budget.Limits {
		return budget.Limits{Tokens: d.config.Budget.limit(), Money: machine.spend()}
	}
	d.models.Count(func() model.Meter { return budget.New(limits, d.vault, time.Now, d.log) })
	if fault := d.config.Models.Fault; fault != nil {
		d.log.Warn("the settings of the language model can't be used; kist goes on without one", "err", fault)
	}
	if fault := d.config.Models.Awry; fault != nil {
		d.log.Warn("no language model takes over from the one of conversations", "err", fault)
	}
	for kind, s := range d.modelSettings(d.config.Models).Servers {
		if s.Fault != nil {
			d.log.Warn("a key can't be had; its server is not asked", "server", kind, "err", s.Fault)
		}
	}
	d.agent, err = agent.New(d.vault, d.index, router, agent.Options{
		Policy:  d.rules.Policy,
		Budget:  limits,
		Private: machine.private,
		Fast:    d.models.Fast,
		Tip:     d.tips(machinePath(os.Getenv)),
		Sync: func(ctx context.Context) tool.Sync {
			s := d.sync.Status(ctx)
			out := tool.Sync{State: string(s.State), Sentence: s.Sentence(time.Now()), Conflicts: s.Copies}
			copies, _ := d.sync.Conflicts(ctx) // a fault is told by the state
			for _, c := range copies {
				out.Files = append(out.Files, cmp.Or(c.Of, c.Path))
			}
			return out
		},
		Log: d.log,
	})
	if err != nil {
		return err
	}
	return d.listen(ctx)
}
