package language

import "strings"

// Paired drops the brackets and quotation marks that have no partner among the tokens.
func Paired(toks []Token) []Token {
	alone := map[int]bool{}
	var open []int
	quote := -1
	for i, t := range toks {
		switch {
		case t.Word:
		case In("(|[", t.Norm):
			open = append(open, i)
			alone[i] = true
		case In(")|]", t.Norm):
			if alone[i] = len(open) == 0; len(open) > 0 {
				delete(alone, open[len(open)-1])
				open = open[:len(open)-1]
			}
		case !quotes(toks, i) || quote < 0 && i > 0 && Digital(toks[i-1].Norm) && !t.Gap: // 5" pipes
		case quote < 0:
			quote = i
			alone[i] = true
		default:
			delete(alone, quote)
			quote = -1
		}
	}
	if len(alone) == 0 {
		return toks
	}
	var out []Token
	for i, t := range toks {
		t.Gap = t.Gap || i > 0 && alone[i-1] && toks[i-1].Gap
		if !alone[i] {
			out = append(out, t)
		}
	}
	return TrimMarks(out)
}

// quotes: a mark is a quotation mark. A single one is where words are quoted beside it, else
// it is an apostrophe.
func quotes(toks []Token, i int) bool {
	return toks[i].Norm == `"` || toks[i].Norm == "'" && (i > 0 && toks[i-1].Quoted || i+1 < len(toks) && toks[i+1].Quoted)
}

// Widened is the end of a span of tokens to which what closes a bracket or quotation of
// it was added, and the beginning to which what opens one was.
func Widened(toks []Token, start, end int) (int, int) {
	for pair := range strings.SplitSeq(`() [] ""`, " ") {
		opened, closed := 0, 0
		for _, t := range toks[start:end] {
			switch {
			case t.Norm == pair[1:] && opened > 0:
				opened--
			case t.Norm == pair[:1]:
				opened++
			case t.Norm == pair[1:]:
				closed++
			}
		}
		switch {
		case opened > 0 && end < len(toks) && toks[end].Norm == pair[1:]:
			end++
		case closed+opened > 0 && start > 0 && toks[start-1].Norm == pair[:1]:
			start--
		}
	}
	return start, end
}

// Bracketed is the end of a span of tokens with the short brackets right behind it.
func Bracketed(toks []Token, end int) int {
	for i := end; i < min(len(toks), end+10) && toks[end].Norm == "("; i++ {
		if toks[i].Norm == ")" {
			return i + 1
		}
	}
	return end
}

// InBrackets: a token stands within short brackets of some tokens.
func InBrackets(toks []Token, it Token) bool {
	for i := range toks {
		if end := Bracketed(toks, i); end > i && toks[i].Start < it.Start && it.Start < toks[end-1].Start {
			return true
		}
	}
	return false
}
