package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut returns the tokens without a span and the marks left around it.
func Cut(toks []Token, start, end int) []Token {
	for start > 0 && !toks[start-1].Word && In(",|(|-|:|!", toks[start-1].Norm) {
		start--
	}
	for end < len(toks) && !toks[end].Word && In(",|)|!", toks[end].Norm) {
		end++
	}
	return slices.Concat(toks[:start], toks[end:])
}

// Spell writes tokens the way the user did, with the white space between them
// as it was, even where some have been cut out.
func Spell(src string, toks []Token) string {
	toks = TrimMarks(toks)
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.Start == toks[i-1].Start {
			continue // the second half of a contraction
		}
		if i > 0 && t.Gap {
			b.WriteByte(' ')
		}
		b.WriteString(src[t.Start:t.End])
		if rank(src, t) {
			b.WriteByte('.') // which was read as a part of the number: "am 3. Prüfung"
		}
	}
	return strings.TrimSpace(b.String())
}

// rank: a number in digits was read as a rank, for the dot behind it.
func rank(src string, t Token) bool {
	return t.End < len(src) && src[t.End] == '.' && IsDigits(src[t.Start:t.End]) && t.Norm == src[t.Start:t.End]+"th"
}

// Unwrap drops quotation marks around a whole text.
func Unwrap(s string) string {
	s = strings.TrimSpace(s)
	for _, pair := range []string{`""`, "''", "“”", "‘’", "„“", "«»", "``"} {
		open, size := utf8.DecodeRuneInString(pair)
		shut, _ := utf8.DecodeLastRuneInString(pair)
		if strings.HasPrefix(s, string(open)) && strings.HasSuffix(s, string(shut)) && len(s) >= 2*size {
			inner := s[size : len(s)-utf8.RuneLen(shut)]
			if !strings.ContainsRune(inner, open) && !strings.ContainsRune(inner, shut) {
				return strings.TrimSpace(inner)
			}
		}
	}
	return s
}

// Capital makes the first letter upper case, but of an address and of a name with a capital within
// its first word (iPhone).
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	if size == 0 || addressEnd(s, 0) > 0 || strings.ContainsFunc(word[size:], unicode.IsUpper) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Uncapital makes the first letter lower case.
func Uncapital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[size:]
}

// Limit shortens text to n runes at a word's end.
func Limit(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := string(r[:n-1])
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimSpace(head) + "…"
}

// TrimMarks drops punctuation and newlines from both ends; quotation marks stay, and what makes
// a tag of the word behind it.
func TrimMarks(toks []Token) []Token {
	tag := func() bool { return toks[0].Norm == "#" && len(toks) > 1 && toks[1].Word && !toks[1].Gap }
	for len(toks) > 0 && !toks[0].Word && !tag() && toks[0].Norm != `"` && toks[0].Norm != "'" && toks[0].Norm != "(" {
		toks = toks[1:]
	}
	for len(toks) > 0 {
		last := toks[len(toks)-1]
		if last.Word || In(`"|'|)|]|?|%`, last.Norm) && last.Norm != "?" {
			break
		}
		toks = toks[:len(toks)-1]
	}
	return toks
}

// HasWord reports whether there is more than punctuation.
func HasWord(toks []Token) bool {
	return slices.ContainsFunc(toks, func(t Token) bool { return t.Word })
}

// IsDigits reports whether s is nothing but decimal digits.
func IsDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Light words carry nothing of what is told.
func Light(w string) bool {
	if Count(w) > 0 || w[0] >= '0' && w[0] <= '9' {
		return true // with what it counts
	}
	if Class("<dateword>", w) {
		return false // that a day is the deadline is news
	}
	return slices.ContainsFunc([]string{"<stop>", "<aux>", "<det>", "<pronoun>", "<opener>", "<filler>", "<decideverb>", "<timeword>"}, func(class string) bool { return Class(class, w) })
}

// Norms are the words of tokens as they are compared.
func Norms(toks []Token) []string {
	out := make([]string, len(toks))
	for i, t := range toks {
		out[i] = t.Norm
	}
	return out
}

// DayAndMonth: a word is a date such as 19.12
func DayAndMonth(w string) bool {
	day, month, ok := strings.Cut(strings.TrimSuffix(w, "."), ".")
	return ok && IsDigits(day) && IsDigits(month) && len(day) <= 2 && len(month) <= 2
}

// Span is the part of src that tokens stand in, from the first to the last of them.
func Span(src string, toks []Token) string {
	toks = TrimMarks(toks)
	if len(toks) == 0 {
		return ""
	}
	if start, end := toks[0].Start, toks[len(toks)-1].End; start < end {
		return strings.TrimSpace(src[start:end])
	}
	return Spell(src, toks) // tokens that were put in another order
}

// Quotation is what the first pair of quotation marks holds.
func Quotation(src string, toks []Token) string {
	var held []Token
	for _, t := range toks {
		if t.Quoted {
			held = append(held, t)
		} else if len(held) > 0 {
			break
		}
	}
	return Spell(src, held)
}

// QuotationAround is all that stands between the quotation marks around some of the tokens; empty: none do.
func QuotationAround(src string, all, toks []Token) string {
	i := slices.IndexFunc(all, func(t Token) bool { return t.Quoted && t.Start >= toks[0].Start })
	if i < 0 || all[i].Start > toks[min(1, len(toks)-1)].Start {
		return ""
	}
	for i > 0 && all[i-1].Quoted {
		i--
	}
	return Unwrap(Quotation(src, all[i:]))
}

// Quotations are the texts that stand between quotation marks.
func Quotations(src string, toks []Token) []string {
	var out []string
	for i, t := range toks {
		if t.Quoted && (i == 0 || !toks[i-1].Quoted) {
			if text := Quotation(src, toks[i:]); text != "" {
				out = append(out, Unwrap(text))
			}
		}
	}
	return out
}
