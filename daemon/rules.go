package daemon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"kist/agent/policy"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/control"
)

// rules says what the agent may do: what kist.yaml asks for, as far as it counts. The
// file is looked at for each decision, some microseconds, so that nothing an editor or a
// pull changes in it is overlooked; it is parsed when its bytes are other ones.
type rules struct {
	dir   string // of the vault
	trust trust
	tools *tool.Registry
	log   *slog.Logger

	mu   sync.Mutex
	text []byte // of the file as it was looked at last
	ruling
	told string // what was logged last
}

// A ruling is what a kist.yaml that could be read asks for.
type ruling struct {
	preset string
	asked  policy.Policy
	looser []string // names of tools
	digest string
	from   []string // projects.from
	out    []string // sync.leave_out
	fault  string   // nonempty: the file changed since, and can't be read as it is now
}

// openRules reads the file, which must be right at the start.
func openRules(dir string, kept trust, log *slog.Logger) (*rules, error) {
	tools, err := tool.NewRegistry()
	if err != nil {
		return nil, err
	}
	r := &rules{dir: dir, trust: kept, tools: tools, log: log}
	if r.text, err = r.read(); err != nil {
		return nil, err
	}
	if r.ruling, err = r.rule(r.text); err != nil {
		return nil, err
	}
	return r, nil
}

// rule works out what a text asks for.
func (r *rules) rule(text []byte) (ruling, error) {
	f, err := parseFile(text)
	if err != nil {
		return ruling{}, err
	}
	p, err := policy.New(f.Agent.Policy, f.Agent.Tools, r.tools)
	if err != nil {
		return ruling{}, configError("%s: agent: %v", vault.ConfigFile, err)
	}
	return ruling{preset: f.Agent.Policy, asked: p, looser: policy.Looser(p, r.tools), digest: f.Agent.digest(), from: f.Projects.From, out: f.Sync.LeaveOut}, nil
}

// digest stands for all that the section means, however it is written.
func (s agentSection) digest() string {
	if len(s.Tools) == 0 {
		s.Tools = nil
	}
	text, err := json.Marshal(s) // its maps in order
	if err != nil {
		panic(err) // strings, numbers and a bool
	}
	sum := sha256.Sum256(append([]byte("kist agent section 1\n"), text...))
	return hex.EncodeToString(sum[:])
}

// current returns the ruling of now, and whether what it asks less counts. Where the
// file has become unreadable, empty, or is gone, what it said before still counts, but
// no longer what it asked less: it may be half saved, and must not let more happen.
func (r *rules) current() (ruling, policy.Trust) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.look()
	t := policy.Given
	switch {
	case len(r.looser) == 0:
		t = policy.Unneeded
	case r.fault != "" || !r.trust.given(r.digest):
		t = policy.Missing
	}
	r.tell(t)
	return r.ruling, t
}

// LeaveOut returns what sync leaves out. Where the file can't be read any more it is what it said
// before, and an error.
func (r *rules) LeaveOut() ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.look()
	if r.fault != "" {
		return r.out, errors.New(r.fault)
	}
	return r.out, nil
}

func (r *rules) read() ([]byte, error) {
	text, err := control.ReadWithin(r.dir, vault.ConfigFile, maxConfig+1)
	return settings(text, err, vault.ConfigFile)
}

func (r *rules) look() {
	text, err := r.read()
	if err == nil && bytes.Equal(text, r.text) {
		return
	}
	hadText := len(bytes.TrimSpace(r.text)) > 0 || r.fault != ""
	next := r.ruling
	switch {
	case err != nil:
	case hadText && len(bytes.TrimSpace(text)) == 0:
		err = errors.New(vault.ConfigFile + " is empty or gone")
	default:
		next, err = r.rule(text)
	}
	if r.text = text; err != nil {
		r.fault = err.Error()
		return
	}
	r.ruling = next
}

// tell logs once what doesn't count, and what is wrong with the file.
func (r *rules) tell(t policy.Trust) {
	now := string(t) + r.digest + r.fault
	if now == r.told {
		return
	}
	r.told = now
	if r.fault != "" {
		r.log.Warn("kist.yaml can't be read any more; what it asked before still counts, but nothing that asks less than usual", "err", r.fault)
	}
	if t == policy.Missing {
		r.log.Warn("kist.yaml asks less than usual, which doesn't count until it is trusted on this machine: see kist policy show", "tools", strings.Join(r.looser, " "))
	}
}

// Policy returns what decides now.
func (r *rules) Policy() policy.Policy {
	now, t := r.current()
	if t == policy.Given {
		return now.asked
	}
	return now.asked.Bounded()
}

// Report says what is asked and what counts.
func (r *rules) Report() policy.Report {
	now, t := r.current()
	counts := now.asked
	if t != policy.Given {
		counts = counts.Bounded()
	}
	report := policy.Report{Preset: now.preset, Digest: now.digest, Trust: t, Looser: now.looser, Problem: now.fault, Tools: policy.Standings(counts, r.tools)}
	if err := r.trust.place(); err != nil && t == policy.Missing && report.Problem == "" {
		report.Problem = err.Error()
	}
	return report
}

// Trust keeps that this machine's user wants what kist.yaml asks less to count. It
// returns policy.ErrChanged where the file no longer means what has that digest, and
// policy.ErrNotKept.
func (r *rules) Trust(digest string) error {
	now, t := r.current()
	switch {
	case now.fault != "":
		return fmt.Errorf("%w: %s", policy.ErrChanged, now.fault)
	case digest != now.digest:
		return policy.ErrChanged
	case t != policy.Missing:
		return nil
	}
	if err := r.trust.give(digest); err != nil {
		return err
	}
	r.log.Info("what kist.yaml asks less than usual is trusted on this machine from now on", "tools", strings.Join(now.looser, " "))
	return nil
}

// Distrust takes that back.
func (r *rules) Distrust() error {
	if err := r.trust.takeBack(); err != nil {
		return err
	}
	r.log.Info("kist.yaml is not trusted on this machine any more")
	return nil
}
