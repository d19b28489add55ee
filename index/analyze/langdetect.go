package analyze

import (
	"bytes"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
)

// What is looked at of a text to tell its language. On 6,289 documents in 36
// languages more of it changed the answer for fewer than one in a hundred.
const (
	sampleBytes = 6 << 10
	sampleWords = 100
	// minStops and minShare are how many of the words must be stop words of the
	// language, at least. Running text has 30 to 50 of a hundred, Finnish and Turkish 10.
	minStops = 4
	minShare = 14 // one in
)

// A languageSet is a bit for each of profiled's languages.
type languageSet uint64

// profiled lists the languages that are told by their stop words.
func profiled() []string {
	return append(slices.Clone(Stemmed()), "bg", "ca", "cs", "el", "eu", "ga", "gl", "hy", "id")
}

// stops returns for every stop word the languages that have it.
func (l *Languages) stops() map[string]languageSet {
	l.profiled.Do(func() {
		plain := stopWords()
		l.names = profiled()
		l.profile = make(map[string]languageSet, 8000)
		for i, lang := range l.names {
			words, ok := plain[lang]
			if !ok {
				m, err := l.cache.TokenMapNamed("stop_" + lang)
				if err != nil {
					continue // none fails; a test looks at all of them
				}
				words = m
			}
			l.add(words, languageSet(1)<<i)
		}
	})
	return l.profile
}

func (l *Languages) add(words analysis.TokenMap, bit languageSet) {
	for w := range words {
		l.profile[w] |= bit
	}
}

// Detect tells the language of Markdown text: by the script where that is enough,
// else by the stop words. English is the answer where there is too little text.
func (l *Languages) Detect(text []byte) string {
	s := sampler{stops: l.stops(), names: l.names}
	text = text[:min(len(text), sampleBytes)]
	fenced := false
	for len(text) > 0 && s.words < sampleWords {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		if start := bytes.TrimLeft(line, " \t>"); bytes.HasPrefix(start, []byte("```")) || bytes.HasPrefix(start, []byte("~~~")) {
			fenced = !fenced
			continue
		}
		if !fenced {
			s.line(line)
		}
	}
	return s.language()
}

// A sampler counts what tells languages apart.
type sampler struct {
	stops   map[string]languageSet
	names   []string // of the languages
	words   int
	letters int
	scripts [numScripts]int
	shared  [64]float32 // by language: stop words, one of n languages counting 1/n
	counts  [64]int     // by language: stop words
	ukraine int         // letters that Ukrainian has and Russian and Bulgarian lack
	vietnam int         // letters that Vietnamese alone has
	word    [64]byte
}

// line counts the words of one line.
func (s *sampler) line(text []byte) {
	n, long := 0, false
	for i := 0; i <= len(text); {
		r, size := rune(-1), 1
		if i < len(text) {
			if r = rune(text[i]); r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(text[i:])
			}
		}
		i += size
		if s.letter(r) {
			if n+utf8.UTFMax > len(s.word) {
				long = true
				continue
			}
			n += utf8.EncodeRune(s.word[n:], unicode.ToLower(r))
			continue
		}
		if n > 0 && !long {
			s.count(s.word[:n])
		}
		n, long = 0, false
	}
}

// letter reports whether r belongs to a word, and notes its script.
func (s *sampler) letter(r rune) bool {
	switch {
	case r < 'A':
		return r == '\''
	case r < utf8.RuneSelf:
		if r|0x20 < 'a' || r|0x20 > 'z' {
			return false
		}
		s.letters++
		return true
	case !unicode.IsLetter(r) && !unicode.IsMark(r):
		return r == '\u2019' // a typographic apostrophe
	}
	s.letters++
	if r >= 0x0370 {
		s.scripts[scriptOf(r)]++
	}
	switch {
	case r == 'і', r == 'ї', r == 'є', r == 'ґ':
		s.ukraine++
	case r >= 0x1EA0 && r < 0x1F00, r == 'ơ', r == 'ư', r == 'đ':
		s.vietnam++
	}
	return true
}

func (s *sampler) count(word []byte) {
	s.words++
	set := s.stops[string(word)]
	share := 1 / float32(max(1, bits.OnesCount64(uint64(set))))
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(uint64(set))
		s.counts[i]++
		s.shared[i] += share
	}
}

// A script that tells a language, or some.
type script int

const (
	otherScript script = iota
	han
	kana
	hangul
	cyrillic
	greek
	arabic
	hebrew
	devanagari
	armenian
	thai
	numScripts
)

func scriptOf(r rune) script {
	switch {
	case r >= 0x0370 && r < 0x0400, r >= 0x1F00 && r < 0x2000:
		return greek
	case r >= 0x0400 && r < 0x0530:
		return cyrillic
	case r >= 0x0530 && r < 0x0590:
		return armenian
	case r >= 0x0590 && r < 0x0600:
		return hebrew
	case r >= 0x0600 && r < 0x0780:
		return arabic
	case r >= 0x0900 && r < 0x0980:
		return devanagari
	case r >= 0x0E00 && r < 0x0E80:
		return thai
	case r >= 0x3040 && r < 0x3100:
		return kana
	case r >= 0x1100 && r < 0x1200, r >= 0xAC00 && r < 0xD7B0:
		return hangul
	case r >= 0x3400 && r < 0xA000, r >= 0xF900 && r < 0xFB00, r >= 0x20000 && r < 0x32000:
		return han
	}
	return otherScript
}

// language weighs what was counted.
func (s *sampler) language() string {
	// Signs of Chinese, Japanese and Korean say as much as several letters.
	if cjk := s.scripts[han] + s.scripts[kana] + s.scripts[hangul]; cjk*4 > s.letters {
		switch {
		case s.scripts[hangul]*2 > cjk:
			return "ko"
		case s.scripts[kana]*10 > cjk:
			return "ja"
		}
		return "zh"
	}
	switch {
	case s.ukraine*50 > s.letters:
		return "uk"
	case s.vietnam*20 > s.letters:
		return "vi"
	}
	for script, among := range [numScripts][]string{
		cyrillic:   {"ru", "bg"},
		greek:      {"el"},
		arabic:     {"ar", "fa", "ckb"},
		hebrew:     {"he"},
		devanagari: {"hi"},
		armenian:   {"hy"},
		thai:       {"th"},
	} {
		if s.scripts[script]*2 <= s.letters || len(among) == 0 {
			continue
		}
		if lang, ok := s.best(among); ok || len(among) == 1 {
			if ok {
				return lang
			}
			return among[0]
		}
		return "und" // one that bleve doesn't know
	}
	if lang, ok := s.best(nil); ok {
		return lang
	}
	if s.scripts[otherScript]*2 > s.letters {
		return "und"
	}
	return English
}

// best returns the language with the most stop words, among some or all.
func (s *sampler) best(among []string) (lang string, ok bool) {
	best := -1
	for i, name := range s.names {
		if among != nil && !slices.Contains(among, name) {
			continue
		}
		if best < 0 || s.shared[i] > s.shared[best] {
			best = i
		}
	}
	if best < 0 || s.counts[best] < minStops || s.counts[best]*minShare < s.words {
		return "", false
	}
	return s.names[best], true
}
