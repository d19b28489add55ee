package recall

import (
	"kist/agent/language"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Scope says whom a memory concerns.
type Scope string

// The scopes of memories.
const (
	User    Scope = "user"    // the user, in every project
	Project Scope = "project" // one project
)

// A ProjectRef is a project as [Extract] must know it.
type ProjectRef struct {
	Slug  string
	Name  string
	Words []string // other words that stand for it, such as aliases
}

// Options say what a message was said into.
type Options struct {
	Recalled []string     // texts shown to the user in this turn: never extracted again
	Projects []ProjectRef // all projects
	Active   string       // slug of the active one, or ""
}

// A Candidate is a fact that may be worth remembering.
type Candidate struct {
	Content    string // the user's words, without "by the way" and the like
	Kind       Kind
	Confidence float64 // 0 to 1
	Scope      Scope
	Project    string // suggested slug; "" for scope user, or when no project is active or named
	Span       [2]int // bytes of the message: Content, but for its first letter
	Reason     string // half a sentence: why it was taken
	Told       bool   // the user asked to remember it
}

// Extract returns the lasting facts in a message, in its order. It is
// conservative: what it isn't sure of, it leaves out. Facts that were recalled
// are not returned, unless with another value.
func Extract(text string, opts Options) []Candidate {
	if jest().MatchString(text) {
		return nil
	}
	var out []Candidate
	for _, s := range statements(text) {
		c, ok := candidate(s, opts)
		if ok && !slices.ContainsFunc(out, func(o Candidate) bool { return Near(o.Content, c.Content) >= Same }) {
			out = append(out, c)
		}
	}
	return out
}

// Same is how near two texts of one fact are, by [Near]. Sure is the confidence from
// which a fact is kept without being asked for. Of 79 messages that were made to
// mislead, and never learned from, one gets past 0.9; past 0.88 six, past 0.85 14, and
// past 0.8 29.
const (
	Same = 0.8
	Sure = 0.9
)

// jest: a message that says it is a joke is one as a whole.
var jest = language.Pattern(`(?i)\b(?:just kidding|only joking|just joking|jk|haha\w*|lol|rofl|lmao)\b|[;:]-?[PD)](?:\s|$)|[😂🤣😜😉]`)

func candidate(s statement, opts Options) (Candidate, bool) {
	if gate(s) != "" || recalled(s.text, opts.Recalled) {
		return Candidate{}, false
	}
	p, ok := find(s)
	switch {
	case ok && commands(s, p):
		return Candidate{}, false
	case !ok && s.told && len(s.ws) >= 3 && !order().MatchString(s.line) && !chore().MatchString(s.line):
		p = pattern{kind: Fact, confidence: 0.8, reason: "the user asked to remember it", user: in("i my me", s.ws[0].norm)}
	case !ok:
		return Candidate{}, false
	}
	c := Candidate{Content: capital(s.text), Kind: p.kind, Confidence: p.confidence, Span: [2]int{s.start, s.end}, Reason: p.reason, Told: s.told}
	if s.told {
		c.Confidence = min(1, c.Confidence+0.08)
	}
	// Long sentences say more than the pattern has seen of them.
	if n := len(s.ws); n > 15 {
		c.Confidence -= 0.01 * float64(min(n-15, 20))
	}
	c.Confidence = math.Round(c.Confidence*100) / 100
	c.Scope, c.Project = place(s, p, opts)
	return c, true
}

// commands reports whether a statement is something to be done now, although it
// has the form of a fact. Preferences may be commands ("never use plastic"), and
// limits may sound like chores ("we have two evenings a week").
func commands(s statement, p pattern) bool {
	switch {
	case s.told, p.kind == Preference, p.kind == Decision:
		return false
	case p.kind == Constraint, p.kind == Fact:
		return order().MatchString(s.line)
	}
	return order().MatchString(s.line) || chore().MatchString(s.line)
}

// place decides whom a fact concerns, and which project.
func place(s statement, p pattern, opts Options) (Scope, string) {
	named := mentioned(s, opts.Projects)
	switch {
	case named != "" && !(p.user && p.kind != Person):
		return Project, named
	case p.user, p.kind == Person && s.ws[0].norm == "my", p.kind == Person && mine().MatchString(s.line), p.kind == Fact && s.ws[0].norm == "i":
		return User, ""
	case opts.Active != "":
		return Project, opts.Active
	}
	return User, ""
}

// mine: "Bo is my electrician" is about the user as "my electrician is Bo" is.
var mine = language.Pattern(`^(?:@?(?:mrs?|ms|dr|prof) )?@\S+(?: @\S+)* (?:is|are) my `)

// mentioned finds the one project that a statement names; "" if none or several.
func mentioned(s statement, projects []ProjectRef) string {
	text := " " + strings.Join(norms(s.ws), " ") + " "
	found := ""
	for _, p := range projects {
		for _, name := range append([]string{p.Name}, p.Words...) {
			key := strings.Join(norms(words(name)), " ")
			key = strings.TrimPrefix(strings.TrimSuffix(key, " project"), "the ")
			if len(key) < 3 || !strings.Contains(text, " "+key+" ") {
				continue
			}
			if found != "" && found != p.Slug {
				return ""
			}
			found = p.Slug
		}
	}
	return found
}

// recalled reports whether a text repeats one that was shown to the user.
func recalled(text string, shown []string) bool {
	for _, r := range shown {
		if Near(text, r) >= Same || contains(r, text) {
			return true
		}
	}
	return false
}

// contains reports whether long has the words of short as a run of its own.
func contains(long, short string) bool {
	a, b := strings.Join(norms(words(long)), " "), strings.Join(norms(words(short)), " ")
	return b != "" && strings.Contains(" "+a+" ", " "+b+" ")
}

func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
