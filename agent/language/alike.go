package language

import (
	"slices"
	"strings"
	"sync"
)

// Alike compares two words: alike in stem 1, one letter apart 0.9 in a long
// word, one the end of the other ("boat" in "houseboat") 0.8.
func Alike(a, b string) float64 {
	if a == b {
		return 1
	}
	if apart(a, b) && !Digital(a) && !Digital(b) {
		return 0
	}
	return AlikeStems(a, Stem(a), b, Stem(b))
}

// SameWord reports whether two words are one: of one stem, or a letter apart in a long word, as where it is misspelt.
func SameWord(a, b string) bool { return Alike(a, b) >= 0.9 }

// apart tells most words that have nothing in common by a look: a stem keeps the
// word's beginning, and what begins otherwise must be long to be alike.
func apart(a, b string) bool {
	return a != "" && b != "" && a[0] != b[0] && (len(a) < 4 || len(b) < 5)
}

// AlikeStems is Alike for words whose stems are known.
func AlikeStems(a, sa, b, sb string) float64 {
	switch {
	case a == b || Digital(a) != Digital(b) && Numeral(a) != "" && Numeral(a) == Numeral(b):
		return 1
	case Count(a) > 0 && Count(b) > 0:
		return 0 // "forty" is no slip of "fifty"
	case apart(a, b):
		return 0
	case sa == sb || unhyphened(a, b):
		return 1
	case slip(sa, sb, 5), slip(a, b, 6), doubled(sa, sb):
		return 0.9
	case endsIn(sb, sa), endsIn(b, a):
		return 0.8
	}
	return 0
}

func unhyphened(a, b string) bool {
	return (strings.Contains(a, "-") || strings.Contains(b, "-")) && strings.ReplaceAll(a, "-", "") == strings.ReplaceAll(b, "-", "")
}

// slip: both are at least so long, and one letter apart.
func slip(a, b string, long int) bool { return len(a) >= long && len(b) >= long && OneApart(a, b) }

// doubled: they are the same but for double letters, as in "jaz festival".
func doubled(a, b string) bool {
	return len(a) >= 3 && len(b) >= 3 && a[0] == b[0] && squeeze(a) == squeeze(b)
}

func endsIn(long, end string) bool {
	return len(end) >= 4 && len(long) > len(end)+2 && strings.HasSuffix(long, end)
}

// squeeze writes double letters once.
func squeeze(w string) string {
	return string(slices.Compact([]byte(w)))
}

// OneApart reports whether one edit (or the swap of two neighbours) turns a into b.
func OneApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:] {
		return true
	}
	return i < len(a) && a[i+1:] == b[i+1:]
}

// ContentWords are the words of a phrase that name something.
func ContentWords(toks []Token) []string {
	var words []string
	for _, t := range toks {
		if !t.Word || !t.Quoted && (Class("<det>", t.Norm) || IsFiller(t) || Class("<joint>", t.Norm)) {
			continue
		}
		words = append(words, strings.TrimSuffix(t.Norm, "'s"))
	}
	return words
}

// Base is the stem of a word, of past forms that have none by a rule that of the base.
func Base(w string) string {
	if b, ok := bases()[w]; ok {
		return b
	}
	return Stem(w)
}

// bases are the stems of the bases of irregular past forms.
var bases = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for past, base := range pairs("en/irregular.txt") {
		out[past] = Stem(base[0])
	}
	return out
})
