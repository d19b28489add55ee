package git

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// A Commit is one commit of a history.
type Commit struct {
	ID      string
	Author  string
	Subject string
	Device  string       // what its trailer Kist-Device says
	Beside  []string     // what its trailers Kist-Beside say
	Changes []Difference // without renames; of a merge that kist didn't make, of the files that have lines of its own
}

// Had reports whether a file was as given in one history since another one; empty: none.
func Had(ctx context.Context, s *Store, in, notIn, path string, f File) (bool, error) {
	if f.ID == "" {
		return false, nil
	}
	args := []string{"log", "--find-object=" + f.ID, "-n", "1", "--format=%H", "--no-show-signature", "--end-of-options", in}
	if notIn != "" {
		args = append(args, "^"+notIn)
	}
	out, err := s.line(ctx, append(args, "--", ":(literal,top)"+path)...)
	return out != "", err
}

// Log returns the commits that are in one history and not in the other, newest first, at most n.
func (s *Store) Log(ctx context.Context, in, notIn string, n int) ([]Commit, error) {
	args := []string{"log", "-z", "-c", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature", "--no-color", "--no-notes", "--no-mailmap", "--no-ext-diff", "--no-textconv",
		"-n", strconv.Itoa(n), "--format=%x01%H%x02%P%x02%an%x02%s%x02%(trailers:key=Kist-Device,valueonly,separator=%x2C)%x02%(trailers:key=Kist-Beside,valueonly,separator=%x04)%x03", "--end-of-options", in}
	if notIn != "" {
		args = append(args, "^"+notIn)
	}
	out, err := s.git(ctx, nil, append(append(args, "--"), s.pathspec()...)...)
	if err != nil {
		return nil, err
	}
	var all []Commit
	var merges []string
	merged := map[string]int{}
	for part := range strings.SplitSeq(string(out), "\x01") {
		head, paths, ok := strings.Cut(part, "\x03")
		f := strings.Split(head, "\x02")
		if !ok || len(f) != 6 {
			continue
		}
		c := Commit{ID: f[0], Author: f[2], Subject: f[3], Device: strings.TrimSpace(f[4])}
		if f[5] != "" {
			c.Beside = strings.Split(f[5], "\x04")
		}
		if strings.Contains(f[1], " ") && c.Device != "" {
			paths = "" // kist adds nothing of its own
		}
		c.Changes = changesOf(paths)
		if strings.Contains(f[1], " ") && len(c.Changes) > 0 {
			merges = append(merges, c.ID)
			merged[c.ID] = len(all)
		}
		all = append(all, c)
	}
	if len(merges) == 0 {
		return all, nil
	}
	own, err := resolved(ctx, s, merges)
	for id, i := range merged {
		all[i].Changes = slices.DeleteFunc(all[i].Changes, func(d Difference) bool { return !slices.Contains(own[id], d.Path) })
	}
	return all, err
}

// changesOf reads lines such as ":100644 100644 bcd1234 0123456 M\0file\0". Of a merge, with one more colon, mode and id a parent,
// what was before is that of the first.
func changesOf(raw string) (all []Difference) {
	fields := strings.Split(strings.TrimLeft(raw, "\x00\n"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		n := strings.LastIndexByte(fields[i], ':') + 1 // of parents
		if head := strings.Fields(fields[i][n:]); n > 0 && len(head) == 2*n+3 {
			all = append(all, Difference{Path: fields[i+1], Before: fileOf(head[0], head[n+1]), After: fileOf(head[n], head[2*n+1])})
		}
	}
	return all
}

// resolved returns the files in which merges have lines that none of their parents has, by the merge.
func resolved(ctx context.Context, s *Store, merges []string) (map[string][]string, error) {
	out, err := s.git(ctx, []byte(strings.Join(merges, "\n")+"\n"), "diff-tree", "--stdin", "--cc", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv")
	if err != nil {
		return nil, err
	}
	all, id := map[string][]string{}, ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if isID(line) {
			id = line
		} else if p, ok := strings.CutPrefix(line, "diff --cc "); ok {
			if unquoted, err := strconv.Unquote(p); err == nil {
				p = unquoted
			}
			all[id] = append(all[id], p)
		}
	}
	return all, nil
}
