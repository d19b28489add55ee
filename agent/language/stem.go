package language

import "strings"

// Expand takes the contraction w, in lower case with a straight apostrophe, apart:
// "i'm" is "i am". A possessive keeps its "'s"; other words come back as they are.
func Expand(w string) []string {
	switch w {
	case "won't":
		return []string{"will", "not"}
	case "can't", "cannot":
		return []string{"can", "not"}
	case "let's":
		return []string{"let", "us"}
	case "i'm":
		return []string{"i", "am"}
	}
	if base, ok := strings.CutSuffix(w, "n't"); ok && base != "" {
		return []string{base, "not"}
	}
	base, tail, ok := strings.Cut(w, "'")
	if !ok {
		return []string{w}
	}
	switch tail {
	case "re":
		return []string{base, "are"}
	case "ve":
		return []string{base, "have"}
	case "ll":
		return []string{base, "will"}
	case "d":
		return []string{base, "would"}
	case "s": // "it's" is a verb; "Anna's" may be, and counts as a name all the same
		if In("what|who|where|when|how|why|that|it|there|here|he|she|everything|nothing", base) {
			return []string{base, "is"}
		}
	}
	return []string{w}
}

// Stem cuts the endings that don't change what a word in lower case is about.
func Stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "ing"):
		return undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed"):
		return undouble(w[:n-2])
	case n > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:n-2]
	case n > 6 && strings.HasSuffix(w, "ings"):
		return undouble(w[:n-4])
	case n > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return strings.TrimSuffix(w[:n-1], "e")
	}
	return strings.TrimSuffix(w, "e")
}

func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}

// Past reports whether a word is, by its form, the past of a verb. Some are nouns
// too; what they are said of must be a task.
func Past(w string) bool {
	return strings.HasSuffix(w, "ed") && len(w) > 3 || Base(w) != Stem(w) || In("did|done|left|put|cut|read|set|shut|slept|wound|sorted|sewed", w)
}
