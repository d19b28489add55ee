package conversation

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"kist/vault"
	"kist/vault/oplog"
	"kist/vault/pattern"
)

// storedSession is a session as its file holds it.
type storedSession struct {
	ID          string    `yaml:"id"`
	Device      string    `yaml:"device"`
	Client      string    `yaml:"client,omitempty"`
	Mode        string    `yaml:"mode"`
	Phase       string    `yaml:"phase,omitempty"`
	Project     string    `yaml:"project,omitempty"`
	Stack       []string  `yaml:"project_stack,omitempty,flow"`
	Question    Question  `yaml:"question,omitempty"`
	Offers      []Offer   `yaml:"offers,omitempty"`
	Draft       string    `yaml:"draft,omitempty"`
	Asked       []string  `yaml:"asked,omitempty,flow"`
	Title       string    `yaml:"title,omitempty"`
	Named       bool      `yaml:"named,omitempty"`
	Hidden      bool      `yaml:"hidden,omitempty"`
	Summary     string    `yaml:"summary,omitempty"`
	Held        []string  `yaml:"held,omitempty"`
	Tainted     []string  `yaml:"tainted_turns,omitempty,flow"`
	Turns       int       `yaml:"turns"`
	Created     time.Time `yaml:"created"`
	LastUsed    time.Time `yaml:"last_used"`
	Interrupted *OpenTurn `yaml:"open_turn,omitempty"`
}

// A sessionFile is all of a session's file: a newer kist, or its reader, may have
// put keys there that this one doesn't know.
type sessionFile struct {
	storedSession `yaml:",inline"`
	// Asked in words alone, by a kist before 2026-11-22.
	OpenQuestion string               `yaml:"open_question,omitempty"`
	Rest         map[string]yaml.Node `yaml:",inline"`
}

// maxSession is the size of the largest session file that is read, in bytes.
const maxSession = 1 << 20

var sessionID = pattern.Lazy(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

func sessionPath(v *vault.Vault, id string) (string, error) {
	if !sessionID().MatchString(id) {
		return "", fmt.Errorf("%w: session id %q", vault.ErrInvalid, id)
	}
	return path.Join(v.Layout().Sessions, id+".yaml"), nil
}

// SaveSession writes a session's file. It is a record, not an operation. Keys that
// kist doesn't know stay. It returns ErrInvalid, and writes nothing, where the file
// was edited into something else: that text is somebody's.
func SaveSession(ctx context.Context, v *vault.Vault, s Session) error {
	p, err := sessionPath(v, s.ID)
	if err != nil {
		return err
	}
	return v.WriteRecord(ctx, p, func(now []byte) ([]byte, error) {
		f := sessionFile{}
		if now != nil {
			if f, err = parseSession(p, s.ID, now); err != nil {
				return nil, err
			}
		}
		f.storedSession, f.OpenQuestion = storedSession(s), ""
		text, err := yaml.Marshal(f)
		if err != nil {
			return nil, fmt.Errorf("save session %s: %w", s.ID, err)
		}
		return text, nil
	})
}

// Session reads a session. It returns ErrNotFound, or ErrInvalid for a file that
// was edited into something else.
func FindSession(ctx context.Context, v *vault.Vault, id string) (Session, error) {
	p, err := sessionPath(v, id)
	if err != nil {
		return Session{}, err
	}
	text, _, err := v.ReadHead(p, maxSession+1)
	if errors.Is(err, vault.ErrNotFound) {
		return Session{}, &vault.NotFoundError{Kind: "session", Ref: id}
	}
	if err != nil {
		return Session{}, err
	}
	f, err := parseSession(p, id, text)
	if err != nil {
		return Session{}, err
	}
	return Session(f.storedSession), ctx.Err()
}

// parseSession reads what anybody may have edited, or another machine written, so it
// looks at the nodes before it decodes them.
func parseSession(p, id string, text []byte) (f sessionFile, err error) {
	fault := func(why string) (sessionFile, error) {
		return sessionFile{}, fmt.Errorf("%w: %s is not the file of session %s: %s", vault.ErrInvalid, p, id, why)
	}
	if len(text) > maxSession {
		return fault(fmt.Sprintf("it is larger than %d KiB", maxSession>>10))
	}
	defer func() {
		if r := recover(); r != nil { // of the YAML parser's
			f, err = fault("it can't be parsed")
		}
	}()
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return fault(vault.OneLine(err.Error()))
	}
	if err := oplog.Plain(&node); err != nil {
		return fault(err.Error())
	}
	if err := node.Decode(&f); err != nil {
		return fault(vault.OneLine(err.Error()))
	}
	if f.Question.Text == "" && f.Question.Kind == "" {
		f.Question.Text = f.OpenQuestion
	}
	if f.ID != id {
		return fault("it has the id " + strconv.Quote(f.ID))
	}
	return f, nil
}

// Sessions lists sessions but those that were deleted, the last used one first. Files that aren't sessions
// are passed over.
func Sessions(ctx context.Context, v *vault.Vault) ([]Session, error) {
	entries, err := v.ReadDir(v.Layout().Sessions)
	if errors.Is(err, vault.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Session
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".yaml")
		if !ok || !sessionID().MatchString(id) {
			continue
		}
		s, err := FindSession(ctx, v, id)
		if err != nil {
			v.Log().Warn("session passed over", "session", id, "err", err)
			continue
		}
		if !s.Hidden {
			out = append(out, s)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].LastUsed.After(out[j].LastUsed) })
	return out, nil
}
