package talk

import (
	"fmt"
	"math/rand/v2"
	"strings"

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
	r := rand.New(rand.NewPCG(seed, 0))
	forms := []func(*rand.Rand) Wish{wantsTask, wantsProject, wantsMemory, wantsSearch, wantsDone, wantsName}
	var out []Wish
	for i := range n {
		out = append(out, forms[i%len(forms)](r))
	}
	return out
}

func one(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

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

func wantsTask(r *rand.Rand) Wish {
	what := one(r, "paint", "grease", "replace", "inspect", "repair") + " the " + one(r, "rudder", "winch", "galley", "bilge pump", "lantern")
	day := fmt.Sprintf("2026-12-%02d", 1+r.IntN(28))
	text := one(r, "Add a task to %s, due %s.", "New task: %s by %s", "Please put on my list: %s, due on %s.")
	return Wish{"task", fmt.Sprintf(text, what, day), func(after map[string]string, _ Turn) bool {
		return made(after, "tasks/", append(strings.Fields(what), "due: "+day)...)
	}}
}

func wantsProject(r *rand.Rand) Wish {
	name := one(r, "Harbour", "Winter", "Garden", "Kitchen", "Northern") + " " + one(r, "Wall", "Store", "Survey", "Festival", "Archive")
	text := one(r, "Create a new project called %s.", "Start a project named %s", "I want a new project: %s.")
	return Wish{"project", fmt.Sprintf(text, name), func(after map[string]string, _ Turn) bool {
		return made(after, "/project.md", "name: "+name) || made(after, "/project.md", `name: "`+name)
	}}
}

func wantsMemory(r *rand.Rand) Wish {
	thing := one(r, "spare key", "first aid box", "paint brush", "torch", "chart of the bay")
	place := one(r, "shed", "cellar", "blue locker", "attic", "van")
	text := one(r, "Remember that the %s is in the %s.", "Please remember: the %s is kept in the %s", "Don't forget that the %s lies in the %s.")
	return Wish{"memory", fmt.Sprintf(text, thing, place), func(after map[string]string, _ Turn) bool {
		return made(after, "memories/", thing, place)
	}}
}

func wantsSearch(r *rand.Rand) Wish {
	found := [][2]string{{"heron", "breakwater"}, {"hawser", "40"}, {"breakwater", "heron"}, {"capstan", "hawser"}}
	f := found[r.IntN(len(found))]
	text := one(r, "Search my notes for the %s.", "What do my notes say about the %s?", "Find what I wrote about the %s")
	return Wish{searches, fmt.Sprintf(text, f[0]), func(_ map[string]string, t Turn) bool {
		for _, e := range t.Events {
			if c, ok := e.(agent.ToolCall); ok && c.Error == "" && c.Name == "search" && strings.Contains(strings.ToLower(string(c.Arguments)), f[0]) {
				return true
			}
		}
		return strings.Contains(strings.ToLower(t.Text), f[1]) // the passage was in the request
	}}
}

func wantsDone(r *rand.Rand) Wish {
	titles := [][2]string{{"Sand the hull", "sand-the-hull"}, {"Order the anchor", "order-the-anchor"}}
	x := titles[r.IntN(len(titles))]
	text := one(r, "Mark the task %q as done.", "The task %q is finished.", "Complete the task %q")
	return Wish{"done", fmt.Sprintf(text, x[0]), func(after map[string]string, _ Turn) bool {
		return made(after, "tasks/"+x[1], "status: done")
	}}
}

func wantsName(r *rand.Rand) Wish {
	name := one(r, "Meridian", "Compass", "Lodestar", "Sextant") + " " + one(r, "Rose", "House", "Works")
	text := one(r, "Rename the project Atlas to %s.", "The project Atlas is called %s from now on, rename it")
	return Wish{"rename", fmt.Sprintf(text, name), func(after map[string]string, _ Turn) bool {
		return made(after, "/project.md", "name: "+name) && !made(after, "/project.md", "name: Atlas")
	}}
}
