package copies

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"kist/vault"
	"kist/vault/merge/semantic"
)

// The vault's door neither reads nor changes hidden files: they are other programs' settings, and some are programs. Sync writes
// those that come, and so it also ends the conflicts that it made of them, where a person asks for that. No operation
// tells of it, as of their coming.

var errOnlyRead = errors.New("nothing to write")

// Read returns what a hidden file of the vault holds, or vault.ErrNotFound.
func Read(ctx context.Context, v *vault.Vault, p string) (text []byte, err error) {
	err = v.WriteRecord(ctx, p, func(now []byte) ([]byte, error) {
		text = now
		return nil, errOnlyRead
	})
	if errors.Is(err, errOnlyRead) {
		err = nil
	}
	if err == nil && text == nil {
		err = vault.ErrNotFound
	}
	return text, err
}

// Settle makes a hidden file text, and takes its copy away. Neither is touched where it isn't any more what the
// choice was about, ours and theirs, which is a vault.ConflictError. An Of that is empty is no file.
func (c Copy) Settle(ctx context.Context, v *vault.Vault, ours, theirs, text []byte) error {
	replace := func(p string, before, after []byte) error {
		return v.WriteRecord(ctx, p, func(now []byte) ([]byte, error) {
			if vault.HashOf(now) != vault.HashOf(before) {
				return nil, &vault.ConflictError{Path: p, Reason: "it was changed at this moment"}
			}
			return after, nil
		})
	}
	if c.Of != "" && vault.HashOf(ours) != vault.HashOf(text) {
		if err := replace(c.Of, ours, text); err != nil {
			return err
		}
	}
	return replace(c.Path, theirs, nil)
}

// Texts returns what the document and the copy hold; nil: no file.
func (c Copy) Texts(ctx context.Context, v *vault.Vault) (ours, theirs []byte, err error) {
	read := v.Read
	if Hidden(c.Path) {
		read = func(p string) (text []byte, err error) { return Read(ctx, v, p) }
	}
	if c.Of != "" {
		if ours, err = read(c.Of); err != nil && !errors.Is(err, vault.ErrNotFound) {
			return nil, nil, err
		}
	}
	theirs, err = read(c.Path)
	return ours, theirs, err
}

// IsRecord reports whether the copy is of a file of the operation log or of a session, which only kist writes, without an operation.
func (c Copy) IsRecord(v *vault.Vault) bool {
	top, _, _ := strings.Cut(c.Path, "/")
	return top == v.Layout().Operations || top == v.Layout().Sessions
}

// Gather puts into a record all that its copy has more, and takes the copy away: whatever is chosen, no record is lost. Where the two
// contradict each other the choice says which counts; merge is a vault.ConflictError then.
func (c Copy) Gather(ctx context.Context, v *vault.Vault, choice Choice) error {
	theirs, err := Read(ctx, v, c.Path)
	if err != nil {
		return err
	}
	was, _ := Of(c.Path, func(string) bool { return true })
	err = v.WriteRecord(ctx, was.Of, func(now []byte) ([]byte, error) {
		if now == nil {
			return theirs, nil
		}
		a, b := now, theirs
		if choice == Theirs {
			a, b = theirs, now
		}
		all := semantic.Merge(nil, a, b, semantic.Options{Path: was.Of})
		switch {
		case !all.Clean() && choice != Ours && choice != Theirs:
			return nil, &vault.ConflictError{Path: was.Of, Reason: "the copy contradicts it", Now: now, Wanted: theirs}
		case bytes.Equal(all.Text, now):
			return nil, errOnlyRead
		}
		return all.Text, nil
	})
	if err != nil && !errors.Is(err, errOnlyRead) {
		return err
	}
	return c.Settle(ctx, v, theirs, theirs, theirs)
}
