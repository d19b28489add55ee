package semantic

import (
	"strings"
	"time"
)

// firstMade joins what two devices made under one name: it is the one that was made first.
func firstMade(key string, t triple) (string, bool) {
	if t[inBase] != "" {
		return "", false
	}
	ours, theirs := value(t[inOurs]), value(t[inTheirs])
	switch key {
	case "id":
		if !isULID(ours) || !isULID(theirs) {
			return "", false
		}
	case "created":
		a, fine := moment(ours)
		b, ok := moment(theirs)
		if !fine || !ok {
			return "", false
		}
		if !a.Equal(b) {
			ours, theirs = a.UTC().Format(time.RFC3339Nano), b.UTC().Format(time.RFC3339Nano)
		}
	default:
		return "", false
	}
	if ours < theirs || ours == theirs && t[inOurs] < t[inTheirs] {
		return t[inOurs], true
	}
	return t[inTheirs], true
}

// isULID reports whether a text is an id as kist makes them, which begins with the time.
func isULID(text string) bool {
	return len(text) == 26 && strings.Trim(text, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}
