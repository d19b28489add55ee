package vault

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"sort"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// storedSession is a session as its file holds it.
type storedSession struct {
	ID       string    `yaml:"id"`
	Device   string    `yaml:"device"`
	Mode     string    `yaml:"mode"`
	Phase    string    `yaml:"phase,omitempty"`
	Project  string    `yaml:"project,omitempty"`
	Stack    []string  `yaml:"project_stack,omitempty,flow"`
	Question string    `yaml:"open_question,omitempty"`
	Turns    int       `yaml:"turns"`
	Created  time.Time `yaml:"created"`
	LastUsed time.Time `yaml:"last_used"`
}

var sessionID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

func (v *Vault) sessionPath(id string) (string, error) {
	if !sessionID.MatchString(id) {
		return "", fmt.Errorf("%w: session id %q", ErrInvalid, id)
	}
	return path.Join(v.layout.Sessions, id+".yaml"), nil
}

// SaveSession writes a session's file. It is a record, not an operation.
func (v *Vault) SaveSession(ctx context.Context, s Session) error {
	p, err := v.sessionPath(s.ID)
	if err != nil {
		return err
	}
	text, err := yaml.Marshal(storedSession(s))
	if err != nil {
		return fmt.Errorf("save session %s: %w", s.ID, err)
	}
	return v.writeRecord(ctx, p, func([]byte) []byte { return text })
}

// Session reads a session. It returns ErrNotFound, or ErrInvalid for a file that
// was edited into something else.
func (v *Vault) Session(ctx context.Context, id string) (Session, error) {
	p, err := v.sessionPath(id)
	if err != nil {
		return Session{}, err
	}
	text, err := v.Read(p)
	if errors.Is(err, ErrNotFound) {
		return Session{}, &NotFoundError{Kind: "session", Ref: id}
	}
	if err != nil {
		return Session{}, err
	}
	var s storedSession
	if err := yaml.Unmarshal(text, &s); err != nil || s.ID != id {
		return Session{}, fmt.Errorf("%w: %s is not a session file", ErrInvalid, p)
	}
	return Session(s), ctx.Err()
}

// Sessions lists sessions, the last used one first. Files that aren't sessions
// are passed over.
func (v *Vault) Sessions(ctx context.Context) ([]Session, error) {
	entries, err := v.readDir(v.layout.Sessions)
	if err != nil {
		if err := v.pathError("folder", v.layout.Sessions, err); !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		return nil, nil
	}
	var out []Session
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".yaml")
		if !ok || !sessionID.MatchString(id) {
			continue
		}
		s, err := v.Session(ctx, id)
		if err != nil {
			v.log.Warn("session passed over", "session", id, "err", err)
			continue
		}
		out = append(out, s)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].LastUsed.After(out[j].LastUsed) })
	return out, nil
}

// writeRecord replaces a file of kist's own bookkeeping by what edit makes of it,
// with the same care for concurrent editors as an operation but without one.
func (v *Vault) writeRecord(ctx context.Context, p string, edit func(now []byte) []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.ready(ctx); err != nil {
		return err
	}
	r := &replacement{path: p}
	for range replaceTries {
		now, err := v.readOrNil(p)
		if err != nil {
			return err
		}
		r.id, r.before, r.after = v.NewID(), now, edit(now)
		err = v.replaceOnce(r)
		if errors.Is(err, errGaveBack) || errors.Is(err, ErrExists) {
			v.waitClosed(r)
			continue
		}
		if err != nil {
			return err
		}
		v.changed([]FileChange{{Path: p}})
		return nil
	}
	return &ConflictError{Path: p, Reason: "another program keeps saving this file"}
}
