package conversation

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"kist/vault"
)

// firstTail is how much of a conversation file's end is read at first, in bytes: ten
// turns of ordinary length.
const firstTail = 32 << 10

// RecentTurns returns the last n turns of a project, or of those outside any
// project when it is empty, oldest first. Only the ends of files are read, so that the
// cost doesn't grow with the conversation. Turns of one file stay in its order, which
// is the order in which they were said, whatever a clock did meanwhile.
func RecentTurns(ctx context.Context, v *vault.Vault, project string, n int) ([]Turn, error) {
	dir := v.ConversationDir(project)
	files, err := v.Names(dir, false)
	if err != nil || n <= 0 {
		return nil, err
	}
	files = futureFirst(v, slices.DeleteFunc(files, undated))
	var out []Turn
	for i := len(files); i > 0 && len(out) < n; {
		// All of a day's files are read together, since several devices may have
		// talked that day.
		j := i - 1
		for j > 0 && day(files[j-1]) == day(files[i-1]) {
			j--
		}
		var sameDay []Turn
		for _, f := range files[j:i] {
			turns, err := lastTurns(v, project, path.Join(dir, f), n)
			if err != nil {
				return nil, err
			}
			for i := range turns {
				turns[i].Elsewhere = !strings.HasSuffix(f, "-"+v.Device()+".md")
			}
			sameDay = interleave(sameDay, turns)
		}
		out = append(sameDay, out...)
		i = j
	}
	out = onceEach(out)
	return out[max(0, len(out)-n):], ctx.Err()
}

// onceEach drops what a crash left of turns that were written anew after it.
func onceEach(turns []Turn) []Turn {
	last := map[string]int{}
	for i, t := range turns {
		last[t.ID] = i
	}
	var out []Turn
	for i, t := range turns {
		if last[t.ID] == i || !sessionID().MatchString(t.ID) || t.ID == unknownID {
			out = append(out, t)
		}
	}
	return out
}

// futureFirst moves files of days that are yet to come before all others: a clock was
// wrong when they were written, and what is said now comes after.
func futureFirst(v *vault.Vault, files []string) []string {
	next := v.Now().AddDate(0, 0, 2).Format(time.DateOnly) // no time zone is two days ahead
	i, _ := slices.BinarySearch(files, next)
	if i == len(files) || i == 0 {
		return files
	}
	return slices.Concat(files[i:], files[:i])
}

// undated reports that a file isn't named as those of conversations are. What a crash
// or another program left there would else pass for what was said last, for ever.
func undated(file string) bool {
	_, err := time.Parse(time.DateOnly, day(file))
	return err != nil
}

// interleave merges the turns of two files by time; each keeps its own order.
func interleave(a, b []Turn) []Turn {
	if len(a) == 0 {
		return b
	}
	out := make([]Turn, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].At.Before(a[0].At) {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return slices.Concat(out, a, b)
}

func day(file string) string { return file[:min(len(file), len(time.DateOnly))] }

// lastTurns reads the last n turns of a file, and maybe some more.
func lastTurns(v *vault.Vault, project, p string, n int) ([]Turn, error) {
	for size := int64(firstTail); ; size *= 4 {
		text, whole, err := v.ReadTail(p, size)
		if errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrNotDownloaded) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if !whole { // up to the first line that is there in full
			_, after, _ := strings.Cut(string(text), "\n")
			text = []byte(after)
		}
		if turns := parseTurns(project, string(text)); whole || len(turns) >= n {
			return turns, nil
		}
	}
}

// Turns returns the turns in a file of a conversation, in its order. Errors are as in
// [vault.Vault.Read].
func Turns(v *vault.Vault, p string) ([]Turn, error) {
	text, err := v.Read(p)
	if err != nil {
		return nil, err
	}
	return parseTurns(v.ProjectOf(p), string(text)), nil
}

// HasTurn reports whether a turn with the same id and the same words of the user is
// in the conversation file that [Vault.AppendTurn] would write it to. A turn that a
// crash cut off while it was written is not.
func HasTurn(ctx context.Context, v *vault.Vault, t Turn) (bool, error) {
	p := turnPath(v, t)
	text, err := v.Read(p)
	if errors.Is(err, vault.ErrNotFound) {
		return false, nil
	}
	if err != nil || !strings.Contains(string(text), t.ID) {
		return false, err
	}
	want := parseTurns(t.Project, formatTurn(t))
	return slices.ContainsFunc(parseTurns(t.Project, string(text)), func(have Turn) bool {
		return len(want) == 1 && have.ID == t.ID && have.User == want[0].User
	}), ctx.Err()
}
