package vault

import (
	"errors"
	"fmt"
	"io/fs"

	"kist/vault/fsys"
)

// A cloud service may keep a file elsewhere and leave a placeholder, which says what
// the file is like. To read it would download it, or block where there is no network;
// to write beside a stub would make a second file of that name. So such a file is there,
// but neither read nor written, and never taken for deleted.

func cloudProblem(p string) Problem {
	return Problem{
		Path: p, Message: "not downloaded: a cloud service keeps it elsewhere",
		Hint: "have it kept on this machine if kist is to read it; reading it would download it",
	}
}

func notDownloaded(p string) error { return fmt.Errorf("%w: %s", ErrNotDownloaded, p) }

// lstat is Lstat with ErrNotDownloaded for a file that only a placeholder stands for.
func (v *Vault) lstat(p string) (fs.FileInfo, error) {
	fi, err := v.root.Lstat(p)
	switch {
	case err == nil && v.elsewhere(fi):
		return nil, notDownloaded(p)
	case errors.Is(err, fs.ErrNotExist):
		if _, stubErr := v.root.Lstat(fsys.StubOf(p)); stubErr == nil {
			return nil, notDownloaded(p)
		}
	}
	return fi, err
}

// there reports whether anything has that name, be it a placeholder.
func (v *Vault) there(p string) bool {
	_, err := v.lstat(p)
	return err == nil || errors.Is(err, ErrNotDownloaded)
}

// unreadStub reports whether a document that a stub stands for is one that is missed.
func (v *Vault) unreadStub(p string) bool {
	if !isMarkdown(p) || v.Ignored(p) {
		return false
	}
	_, err := v.root.Lstat(p)
	return errors.Is(err, fs.ErrNotExist)
}
