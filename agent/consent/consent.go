package consent

import (
	"slices"
	"strings"
	"unicode"
)

// A Reply is what a whole message says to what was just offered.
type Reply int

// The kinds of reply.
const (
	Other Reply = iota // about something else, or a doubt: nothing is agreed to
	Yes                // agrees to what was just said: "yes", "sure"
	Go                 // tells kist to act: "go", "build it", "yes, do that"
	No                 // declines: "no", "cancel that", "no, keep it"
	Keep               // wants things to stay as they are: "leave it there"
)

// maxReply is how long a message can be that is nothing but a reply, in bytes.
const maxReply = 80

// Read reads a message as a reply. It is the same for every model, because it decides
// whether something runs. A message that says anything beside the answer is none:
// "go" is, "go to the shop", "yes, but later" and "go over the budget with me" aren't.
func Read(text string) Reply {
	if len(text) > maxReply || strings.ContainsAny(text, `?"“„«`) {
		return Other
	}
	said := fields(text)
	if len(said) == 0 {
		return Other
	}
	h := hear(said)
	rest := strings.Join(h.rest, " ")
	switch {
	case is("stop phrases", strings.Join(withoutPolite(said), " ")), is("stop phrases", rest) && !h.agreed:
		return No
	case h.agreed && h.declined, h.onlyThanks():
		return Other
	case h.declined && (rest == "" || is("go phrases", rest) || all("keep", h.rest)):
		return No // "no", "no, don't do it", "no, keep it"
	case h.declined:
		return Other
	case h.keeps():
		return Keep
	}
	return h.assent(rest)
}

// Doubts reports whether a message only hesitates: "hm, wait", "let me think about it".
func Doubts(text string) bool {
	said := fields(text)
	if len(said) == 0 || len(text) > maxReply || Read(text) != Other {
		return false
	}
	for _, w := range said {
		if !is("doubt", w) && !is("polite", w) {
			return false
		}
	}
	return true
}

// heard is a message by the classes of its words.
type heard struct {
	words    []string
	rest     []string // those that are neither yes, no nor politeness
	agreed   bool
	declined bool
	thanked  bool
	course   bool // "of course", "by all means"
	clear    int  // how often it says yes, beside an "ok"
}

func hear(said []string) heard {
	h := heard{words: said}
	for _, w := range said {
		h.thanked = h.thanked || is("thanks", w)
		h.course = h.course || is("of course", w)
		if is("yes", w) && !is("vague", w) {
			h.clear++
		}
		switch {
		case is("yes", w):
			h.agreed = true
		case is("no", w):
			h.declined = true
		case !is("polite", w) && !is("exclaim", w):
			h.rest = append(h.rest, w)
		}
	}
	return h
}

// onlyThanks: "ok, thanks" may only be polite.
func (h heard) onlyThanks() bool {
	return h.thanked && h.clear == 0 && len(h.rest) == 0 && !h.declined
}

func (h heard) keeps() bool {
	verb := false
	for _, w := range h.rest {
		verb = verb || is("keep verb", w)
	}
	return verb && !h.agreed && all("keep", h.rest)
}

// welcomes: "that would be lovely, thank you". "Would that be good" asks.
func (h heard) welcomes() bool {
	if len(h.rest) == 0 || h.rest[0] == "would" || h.rest[0] == "it" {
		return false // "it would be nice" may never be
	}
	hopes, praises := false, false
	for _, w := range h.words {
		hopes, praises = hopes || is("hopes", w), praises || is("praise", w)
		if !slices.ContainsFunc([]string{"hopes", "praise", "welcome", "polite", "yes", "exclaim"}, func(class string) bool { return is(class, w) }) {
			return false
		}
	}
	return hopes && praises
}

func (h heard) assent(rest string) Reply {
	please := false
	you := false
	for _, w := range h.words {
		please = please || w == "please"
		you = you || w == "you"
	}
	switch {
	case rest == "" && (h.course || h.agreed), is("agree phrases", rest), h.welcomes():
		return Yes
	case is("go phrases", rest), rest == "do" && please, rest == "may" && you:
		return Go // also "yes please do" and "you may"; "May" alone is a month
	}
	return Other
}

func withoutPolite(said []string) []string {
	var out []string
	for _, w := range said {
		if !is("polite", w) {
			out = append(out, w)
		}
	}
	return out
}

var contracted = strings.NewReplacer("’", "'", "don't", "not", "do not", "not")

// fields are the words of a text in lower case.
func fields(text string) []string {
	return strings.FieldsFunc(contracted.Replace(strings.ToLower(text)), func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
