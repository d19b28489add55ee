package query

import "strings"

// MatchesPath reports whether a path begins with a pattern or, with stars, is all of it.
// Case doesn't matter.
func MatchesPath(pattern, path string) bool {
	pattern, path = strings.ToLower(strings.TrimPrefix(pattern, "/")), strings.ToLower(path)
	if strings.Contains(pattern, "*") {
		return matchStars(pattern, path)
	}
	return strings.HasPrefix(path, pattern)
}

// matchStars reports whether all of text matches a pattern in which a star stands for
// anything, slashes too. It never goes back behind the last star, so the longest
// pattern and path take some ten thousand steps.
func matchStars(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return true
}

// MatchesValue reports whether a value is a pattern, or begins as one that ends with a star does.
func MatchesValue(pattern, value string) bool {
	prefix, star := strings.CutSuffix(pattern, "*")
	return value == pattern || star && strings.HasPrefix(value, prefix)
}
