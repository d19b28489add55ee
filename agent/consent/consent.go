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
	if !readable(text) {
		return Other
	}
	said := fields(text)
	h := hear(said)
	if is("stop phrases", strings.Join(withoutPolite(said), " ")) || is("stop phrases", strings.Join(h.rest, " ")) && !h.agreed {
		return No
	}
	if a := assentTo(text); a.reply != Other {
		if len(a.needs) > 0 {
			return Other // only [Decide] knows what was shown
		}
		return a.reply
	}
	switch {
	case h.agreed && h.declined:
		return Other
	case h.declined && (len(h.rest) == 0 || wholly("go", h.rest) || all("keep", h.rest)):
		return No // "no", "no, don't do it", "no, keep it"
	case h.declined && wholly("gone", h.rest) && is("no", withoutPolite(said)[0]):
		return No // "don't delete it"
	case h.declined:
		return Other
	case h.keeps():
		return Keep
	}
	return Other
}

// Rest is the rest of [Split].
func Rest(text string) string {
	_, rest := Split(text)
	return rest
}

// Split reads the answer that a message begins with, and what it says behind that: a refusal
// ("nah keep it, just push the deadline to Wednesday") or a whole sentence that agrees ("Go!
// And then remind me of the cups"). Before a comma a refusal must say more than "no", which may
// only correct. Without a rest the reply is that of the whole message.
func Split(text string) (reply Reply, rest string) {
	if assent, rest := agreement(text); rest != "" {
		return Read(assent), rest
	}
	for i, mark := range text[:min(len(text), maxReply)] {
		if !strings.ContainsRune(".!;,–", mark) {
			continue
		}
		behind := strings.TrimLeft(text[i:], ".!;,– ")
		if Read(text[:i]) == No && len(fields(behind)) > 1 && (mark != ',' || len(fields(text[:i])) > 1) {
			reply, rest = No, behind
		}
	}
	if rest == "" {
		reply = Read(text)
	}
	return reply, rest
}

// agreement splits a message into its first sentence, where that is nothing but a clear
// assent, and what is said behind it. That must not doubt or limit, or take back, what the
// first agrees to.
func agreement(text string) (assent, rest string) {
	i := strings.IndexAny(text, ".!\n")
	if i < 0 || i > maxReply || !agrees(text[:i]) {
		return "", ""
	}
	rest = strings.TrimLeft(text[i:], ".! \n")
	if len(fields(rest)) < 2 || limits(rest) {
		return "", ""
	}
	return text[:i], rest
}

// nearlyAgrees: a message begins like an assent and goes on with something that doesn't
// limit it: "go, and call Bo". That is none; but what it may have meant can be shown again.
func nearlyAgrees(text string) bool {
	for i := range text[:min(len(text), maxReply)] {
		if (strings.ContainsRune(",;:–-", rune(text[i])) || strings.HasPrefix(text[i:], " and ") || strings.HasPrefix(text[i:], " und ")) && Read(text[:i]) == Go {
			return !limits(text[i:])
		}
	}
	return false
}

// agrees: it is a clear assent, and not only polite.
func agrees(text string) bool {
	switch Read(text) {
	case Go:
		return true
	case Yes:
		return is("yes", fields(text)[0])
	}
	return false
}

// limits: a text has a word that doubts, limits or takes back.
func limits(text string) bool {
	return strings.Contains(text, "?") || slices.ContainsFunc(fields(text), func(w string) bool { return is("limit", w) })
}

// readable: short enough for a reply, and neither a question nor a quotation.
func readable(text string) bool {
	return len(text) <= maxReply && !strings.ContainsAny(text, `?"“„«`)
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
	rest     []string // those that are neither yes, no nor politeness
	agreed   bool
	declined bool
}

func hear(said []string) heard {
	var h heard
	for _, w := range said {
		switch {
		case is("yes", w), is("vague", w):
			h.agreed = true
		case is("no", w):
			h.declined = true
		case !small(w):
			h.rest = append(h.rest, w)
		}
	}
	return h
}

func (h heard) keeps() bool {
	verb := false
	for _, w := range h.rest {
		verb = verb || is("keep verb", w)
	}
	return verb && !h.agreed && all("keep", h.rest)
}

// small: a word that changes nothing about a no.
func small(w string) bool { return is("polite", w) || is("filler", w) || w == "hm" || w == "hmm" }

func withoutPolite(said []string) []string {
	var out []string
	for _, w := range said {
		if !small(w) {
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
