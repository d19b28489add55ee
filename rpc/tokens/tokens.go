/*
Package tokens keeps the named tokens of one vault: secrets that the user gave to programs of
theirs, each for all calls or for those that only read, and can withdraw one by one.

	s, err := tokens.Open(path)
	secret, t, err := s.Create("nvim", true)
	c, ok := s.Find(secret) // c.Gone ends when the token is withdrawn

The secret is shown once. What is kept, in a file that only this user can read and that lies
outside of the vault, is its hash, so that the file opens nothing. The vault's own token, in
.kist/token, is none of these.
*/
package tokens

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"kist/vault/pattern"
)

// Errors of this package.
var (
	ErrName     = errors.New("not a token's name")
	ErrExists   = errors.New("there is a token of that name")
	ErrNotFound = errors.New("no token of that name")
	ErrMany     = errors.New("too many tokens")
	ErrNotKept  = errors.New("tokens can't be kept on this machine")
)

const (
	// maxTokens bounds what each wrong secret is compared with.
	maxTokens = 64
	// prefix is what scanners for secrets can find in texts that should hold none.
	prefix = "kist_"
	// useWait is how often at most the file is written to say when a token was used.
	useWait = time.Minute
)

var nameForm = pattern.Lazy(`^[a-z0-9][a-z0-9._-]{0,39}$`)

// A Token is what may be told of one.
type Token struct {
	Name    string    `json:"name"`
	Read    bool      `json:"read"` // only calls that read
	Created time.Time `json:"created"`
	Used    time.Time `json:"used,omitzero"` // to the minute
}

// A Store keeps tokens. Its methods may be used concurrently.
type Store struct {
	path string
	now  func() time.Time

	mu      sync.Mutex
	kept    []kept
	loading error // why the file can't be used; nothing is written over it then
}

// kept is a token with what only the store knows.
type kept struct {
	Token
	Hash string `json:"hash"` // SHA-256 of the secret, in hex

	gone     context.Context
	withdraw context.CancelFunc
}

// Open reads the tokens of a vault; place says why they can't be at that path, nil if they can.
// Where the file can't be used there are none, and all but Find say why: a vault without named
// tokens still has to open.
func Open(path string, place error) *Store {
	s := &Store{path: path, now: time.Now}
	if place != nil {
		s.loading = fmt.Errorf("%w: %w", ErrNotKept, place)
		return s
	}
	s.kept, s.loading = load(path)
	for i := range s.kept {
		s.kept[i].gone, s.kept[i].withdraw = context.WithCancel(context.Background())
	}
	return s
}

// Create makes a token and returns its secret, which nobody can read again. It returns ErrName,
// ErrExists, ErrMany and ErrNotKept.
func (s *Store) Create(name string, read bool) (secret string, t Token, err error) {
	if !nameForm().MatchString(name) {
		return "", t, ErrName
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.loading != nil:
		return "", t, s.loading
	case s.at(name) >= 0:
		return "", t, ErrExists
	case len(s.kept) >= maxTokens:
		return "", t, ErrMany
	}
	secret = prefix + strings.ToLower(rand.Text()+rand.Text())
	k := kept{Token: Token{Name: name, Read: read, Created: s.now().UTC().Truncate(time.Second)}, Hash: sum(secret)}
	k.gone, k.withdraw = context.WithCancel(context.Background())
	if err := s.save(append(slices.Clone(s.kept), k)); err != nil {
		return "", t, err
	}
	return secret, k.Token, nil
}

// List returns the tokens by name.
func (s *Store) List() ([]Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Token, 0, len(s.kept))
	for _, k := range s.kept {
		all = append(all, k.Token)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all, s.loading
}

// Revoke withdraws a token at once: what goes on with it ends. Where that can't be kept it
// holds until the daemon is started again, and the error says so. It returns ErrNotFound and
// ErrNotKept.
func (s *Store) Revoke(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading != nil {
		return s.loading
	}
	i := s.at(name)
	if i < 0 {
		return ErrNotFound
	}
	s.kept[i].withdraw()
	left := slices.Delete(slices.Clone(s.kept), i, i+1)
	err := s.save(left)
	s.kept = left
	return err
}

// Find returns who has a secret. It takes the same time whichever token it is, and however
// much of it is right.
func (s *Store) Find(secret string) (c Caller, ok bool) {
	got := []byte(sum(secret))
	s.mu.Lock()
	defer s.mu.Unlock()
	found := -1
	for i, k := range s.kept {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(got, []byte(k.Hash)), i, found)
	}
	if found < 0 {
		return c, false
	}
	k := &s.kept[found]
	if now := s.now().UTC(); now.Sub(k.Used) >= useWait {
		k.Used = now.Truncate(time.Minute)
		// When it was used last is told as well as it can be, and no reason to refuse it.
		_ = s.save(s.kept)
	}
	return Caller{Name: k.Name, Read: k.Read, Gone: k.gone}, true
}

// at returns where a token is; -1: nowhere. The caller holds the lock.
func (s *Store) at(name string) int {
	return slices.IndexFunc(s.kept, func(k kept) bool { return k.Name == name })
}

func sum(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}
