package apart

import "kist/agent/language"

// Place is what somebody wants a place for: "I need somewhere to keep track of the job hunt"; ok
// is false where nothing is named: "... of all this".
func Place(toks []language.Token) (of []language.Token, ok bool) {
	toks = language.SkipOpeners(toks)
	const keeps = " to keep|put|store|collect|organise|organize|gather|track"
	n, ok := language.MatchAny(toks, "i|we? need|want somewhere|something"+keeps, "i|we? need|want a|one place|way|spot"+keeps, "i|we? am|are after somewhere"+keeps)
	if !ok {
		return nil, false
	}
	of = toks[n:]
	for i, t := range of {
		if !t.Word && !t.Quoted || language.In("because|since|so|before|when|while|but|if|until", t.Norm) { // why or when it is wanted isn't what it is of
			of = of[:i]
			break
		}
	}
	for len(of) > 0 && !of[0].Quoted && language.In("track|of|all|this|that|these|those|the|stuff|things|thing|everything|it|notes|about|for|on|with|to|do|together|in|one|place|my|our|organised|organized", of[0].Norm) {
		of = of[1:]
	}
	return of, len(language.ContentWords(of)) > 0 && len(of) < 10
}
