package sync

import (
	"fmt"

	"kist/daemon/sync/git"
)

// follow takes over what the user's git says of the remote since (git remote set-url, git remote rename), and reports whether it has another address.
func follow(repo *git.Repo, s *settings) (moved bool, err error) {
	name := s.Remote
	url := repo.Value("remote." + name + ".url")
	switch {
	case name == "" || url == s.URL || git.Includes(repo):
		return false, nil
	case url == "":
		if other := git.Named(repo, s.URL, s.Local); other != "" {
			s.Remote = other
		}
		return false, nil
	}
	if err := git.CheckURL(url); err != nil {
		return false, fmt.Errorf("your git has another address for the remote %s: %w", name, err)
	}
	s.URL = url
	return true, nil
}
