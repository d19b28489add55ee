package tool

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kist/agent/model"
)

func quote(s string) string { return strconv.Quote(s) }

// clip shortens s to at most n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}

// tagged finds a name or title with a piece of a call in it, which would be read out, and
// would look like a call to the next model: no text that somebody else wrote is such a one.
func tagged(v any) (key, tag string) {
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			if key, tag = tagged(each); tag != "" {
				return key, tag
			}
		}
	case map[string]any:
		for key, each := range v {
			text, _ := each.(string)
			at := slices.IndexFunc(model.CallTags(), func(tag string) bool { return strings.Contains(text, tag) })
			if at >= 0 && (key == "name" || key == "title") {
				return key, model.CallTags()[at]
			}
			if key, tag = tagged(each); tag != "" {
				return key, tag
			}
		}
	}
	return "", ""
}

// fraction is how the validator writes a number that isn't whole.
var fraction = regexp.MustCompile(`\b(\d{10,})/(\d{10,})\b`)

// decimals writes such numbers as everybody does.
func decimals(text string) string {
	return fraction.ReplaceAllStringFunc(text, func(s string) string {
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			return s
		}
		f, _ := r.Float64()
		return strconv.FormatFloat(f, 'g', 6, 64)
	})
}

// because returns the reason of a step: the model's, or else ours.
func because(reason, format string, args ...any) string {
	if reason != "" {
		return reason
	}
	return fmt.Sprintf(format, args...)
}

// clipAll keeps the last n entries, which in a list that grows are the newest.
func clipAll(list []string, n int) []string {
	list = list[max(0, len(list)-n):]
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = clip(s, 300)
	}
	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func lineOf(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }

// lineCounts is how many lines a patch takes out and puts in.
func lineCounts(patch string) (cut, put int) {
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "-"):
			cut++
		case strings.HasPrefix(line, "+"):
			put++
		}
	}
	return cut, put
}

// changedLines are the lines that a patch adds and removes, but for what a file's
// stamp holds.
func changedLines(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		added := strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---")
		if added {
			b.WriteString(line[1:])
		}
	}
	return b.String()
}
