package talk

import (
	_ "embed" // wishes.txt
	"math/rand/v2"
	"strings"
	"time"

	"kist/agent"
)

// A Wish is something that is asked for, and what shows that it was done.
type Wish struct {
	Kind, Text string
	done       func(after map[string]string, t Turn) bool
}

// Done reports whether a turn did it, by what is in the vault now: the texts by their paths.
func (w Wish) Done(after map[string]string, t Turn) bool { return w.done(after, t) }

// searches is the kind of what is done in words.
const searches = "search"

// Wishes makes n of them, the same for a seed.
func Wishes(n int, seed uint64) []Wish {
	m := maker{rand.New(rand.NewPCG(seed, 0)), readWords(wishesText)}
	forms := []func(maker) Wish{maker.wantsTask, maker.wantsProject, maker.wantsMemory, maker.wantsSearch, maker.wantsDone, maker.wantsName}
	var out []Wish
	for i := range n {
		out = append(out, forms[i%len(forms)](m))
	}
	return out
}

//go:embed wishes.txt
var wishesText string

// words are what wishes are made of: what may stand for a name, by that name.
type words map[string][]string

func readWords(text string) words {
	w := words{}
	for line := range strings.Lines(text) {
		if name, of, found := strings.Cut(strings.TrimSpace(line), ": "); found && !strings.HasPrefix(line, "#") {
			w[name] = strings.Split(of, " | ")
		}
	}
	return w
}

// A maker makes wishes of words.
type maker struct {
	*rand.Rand
	words words
}

func (m maker) one(name string) string { return m.words[name][m.IntN(len(m.words[name]))] }

// says is one of the forms of a kind, its gaps filled by pairs of names and values.
func (m maker) says(kind string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(m.one(kind))
}

// name is one that two words make, which no project of the start has.
func (m maker) name() string { return m.one("first") + " " + m.one("second") }

// made reports whether a document below a folder of a kind holds all of some words.
func made(after map[string]string, kind string, words ...string) bool {
	for path, text := range after {
		if !strings.Contains(path, kind) || strings.Contains(path, "conversations/") {
			continue
		}
		all := true
		for _, w := range words {
			all = all && strings.Contains(strings.ToLower(text), strings.ToLower(w))
		}
		if all {
			return true
		}
	}
	return false
}

func (m maker) wantsTask() Wish {
	what := m.one("verb") + " the " + m.one("thing")
	if m.IntN(2) == 0 {
		what += " " + m.one("of")
	}
	// Within a month of Now, so that a day without its year is one of this year.
	day := Now().AddDate(0, 0, 2+m.IntN(30))
	said := m.says("task", "what", what, "day", day.Format(m.one("day")))
	return Wish{"task", said, func(after map[string]string, _ Turn) bool {
		return made(after, "tasks/", append(strings.Fields(what), "due: "+day.Format(time.DateOnly))...)
	}}
}

func (m maker) wantsProject() Wish {
	name := m.name()
	return Wish{"project", m.says("project", "name", name), func(after map[string]string, _ Turn) bool {
		return made(after, "/project.md", "name: "+name) || made(after, "/project.md", `name: "`+name)
	}}
}

func (m maker) wantsMemory() Wish {
	thing, place := m.one("owned"), m.one("place")
	return Wish{"memory", m.says("memory", "owned", thing, "place", place), func(after map[string]string, _ Turn) bool {
		return made(after, "memories/", thing, place)
	}}
}

func (m maker) wantsSearch() Wish {
	found := [][2]string{{"heron", "breakwater"}, {"hawser", "40"}, {"breakwater", "heron"}, {"capstan", "hawser"}}
	f := found[m.IntN(len(found))]
	return Wish{searches, m.says("search", "seen", f[0]), func(_ map[string]string, t Turn) bool {
		for _, e := range t.Events {
			if c, ok := e.(agent.ToolCall); ok && c.Error == "" && c.Name == "search" && strings.Contains(strings.ToLower(string(c.Arguments)), f[0]) {
				return true
			}
		}
		return strings.Contains(strings.ToLower(t.Text), f[1]) // the passage was in the request
	}}
}

func (m maker) wantsDone() Wish {
	titles := [][2]string{{"Sand the hull", "sand-the-hull"}, {"Order the anchor", "order-the-anchor"}}
	x := titles[m.IntN(len(titles))]
	return Wish{"done", m.says("finish", "title", x[0]), func(after map[string]string, _ Turn) bool {
		return made(after, "tasks/"+x[1], "status: done")
	}}
}

func (m maker) wantsName() Wish {
	name := m.name()
	return Wish{"rename", m.says("rename", "name", name), func(after map[string]string, _ Turn) bool {
		return made(after, "/project.md", "name: "+name) && !made(after, "/project.md", "name: Atlas")
	}}
}
