package tool

import (
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
