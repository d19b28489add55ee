package queries

import "kist/agent/language"

// Obliges: words say what there is to do, rather than what is begun.
func Obliges(toks []language.Token) bool {
	return language.Begins(toks, "i|we need|have|must|got|should|ought to? get|buy|book|call|ring|order|borrow|send|find|pay|ask")
}

// Beyond says what kind of thing is asked for that kist can't do.
func Beyond(toks []language.Token) string {
	if _, n, ok := language.Find(toks, "<draftverb>"); ok {
		if language.Has(toks[n:min(len(toks), n+6)], "<texttype>") || language.In("summarise|summarize|translate|proofread|rephrase|paraphrase|brainstorm|rewrite", toks[n-1].Norm) {
			return "write"
		}
	}
	if language.Has(toks, "delete|remove|archive|rename|merge|erase|trash|destroy") {
		return "restructure"
	}
	return "deed"
}
