package recall

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type row struct {
	kind  Kind // "" for nothing
	scope Scope
	text  string
}

func readRows(t *testing.T, name string) []row {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []row
	for l := range strings.SplitSeq(string(raw), "\n") {
		label, text, ok := strings.Cut(l, " | ")
		if !ok || strings.HasPrefix(l, "#") {
			continue
		}
		r := row{text: text}
		if f := strings.Fields(label); f[0] != "-" {
			r.kind, r.scope = Kind(f[0]), User
			if f[1] == "p" {
				r.scope = Project
			}
		}
		out = append(out, r)
	}
	return out
}

// TestExtract measures: a candidate is right if something was to be found there,
// and of that kind.
func TestExtract(t *testing.T) {
	for _, tt := range []struct {
		file              string
		least             int
		precision, recall float64
	}{
		{"said.txt", 120, 0.97, 0.8},
		// Each of these was written when the patterns were done, full of traps, and
		// learned from afterwards. At first sight: fresh.txt had a precision of .80 and
		// a recall of .87, third.txt .84 and .95, fourth.txt .90 and 1.
		{"fresh.txt", 100, 0.97, 0.8},
		{"third.txt", 100, 0.97, 0.8},
		{"fourth.txt", 60, 0.97, 0.8},
	} {
		hit, extra, missed, placed, negatives := 0, 0, 0, 0, 0
		rows := readRows(t, tt.file)
		for _, r := range rows {
			got := Extract(r.text, Options{Active: "boat", Projects: []ProjectRef{{Slug: "kitchen", Name: "New kitchen"}}})
			if r.kind == "" {
				negatives++
			}
			found := false
			for _, c := range got {
				if c.Kind == r.kind && !found {
					found = true
					hit++
					if c.Scope == r.scope {
						placed++
					} else {
						t.Logf("scope %s, want %s: %s", c.Scope, r.scope, r.text)
					}
					continue
				}
				extra++
				t.Logf("extra %s (%s), want %q: %s", c.Kind, c.Reason, r.kind, r.text)
			}
			if r.kind != "" && !found {
				missed++
				t.Logf("missed %s: %s", r.kind, r.text)
			}
		}
		precision, recall := float64(hit)/float64(hit+extra), float64(hit)/float64(hit+missed)
		t.Logf("%s: %d messages, %d with nothing; precision %.3f, recall %.3f, scope right %.3f", tt.file, len(rows), negatives, precision, recall, float64(placed)/float64(hit))
		if len(rows) < tt.least || negatives*2 < len(rows)-8 || precision < tt.precision || recall < tt.recall {
			t.Errorf("%s: want at least precision %.2f, recall %.2f", tt.file, tt.precision, tt.recall)
		}
	}
}

// TestSilentKeeping: what nobody asked to keep is kept only where the words can hardly
// mislead. The table was never learned from; it must not be.
func TestSilentKeeping(t *testing.T) {
	traps, kept, right := 0, 0, 0
	for _, r := range readRows(t, "fifth.txt") {
		if r.kind == "" {
			traps++
		}
		for _, c := range Extract(r.text, Options{Active: "boat"}) {
			switch {
			case c.Confidence < Sure:
			case c.Kind == r.kind:
				right++
			default:
				kept++
				t.Logf("kept %s %.2f: %s", c.Kind, c.Confidence, r.text)
			}
		}
	}
	t.Logf("%d of %d traps kept, %d facts", kept, traps, right)
	if traps < 70 || kept*50 > traps || right < 3 {
		t.Error("more than one in fifty is kept, or nothing is")
	}
}

// TestTableCatchesNaive: patterns alone, without the gates, fail the same table.
func TestTableCatchesNaive(t *testing.T) {
	hit, extra := 0, 0
	for _, r := range slices.Concat(readRows(t, "said.txt"), readRows(t, "fresh.txt")) {
		for _, s := range statements(r.text) {
			if _, ok := find(s); ok && r.kind == "" {
				extra++
			} else if ok {
				hit++
			}
		}
	}
	if p := float64(hit) / float64(hit+extra); p >= 0.97 {
		t.Errorf("precision without gates %.3f: the table has no traps", p)
	}
}

// TestSecretsAndCodeAreLeftAlone: not even when asked to.
func TestSecretsAndCodeAreLeftAlone(t *testing.T) {
	for _, text := range []string{
		"Remember that my password is hunter2.",
		"Remember: the PIN of my card is 4711",
		"The API key is in the budget file, remember that my token is ghp_abcdefgh12345.",
		"```\nmy electrician is Bo\n```",
		"Remember to call my electrician.",
		"Don't remember that my electrician is Bo.",
		"> My electrician is Bo.",
		"\xff\xfe my",
		"",
	} {
		if got := Extract(text, Options{Active: "boat"}); len(got) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got := Extract(strings.Repeat("é", maxBytes), Options{}); len(got) > 0 {
		t.Errorf("found %+v in nothing", got)
	}
}

// What gives a secret away is refused; what only speaks of one is the user's to keep.
func TestIsSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"my password is hunter2": true, "the wifi password is swordfish.": true, "PIN of my card is 4711": true, "password: correct-horse": true, "pin 4711": true,
		"the token for the wiki is x81-2f": true, "use ghp_abcdefgh12345 for now": true, "das Passwort lautet Sommer2026": true, "api key = 9f8a7b": true, "4111 1111 1111 1111": true,
		"tokens live for 15 minutes now": false, "the token lifetime is 15 min": false, "rate limit is per token": false, "migrate the auth tokens by March": false,
		"login is slow on Mondays": false, "add a pin to the map": false, "ask legal about credentials": false, "secret santa is on Friday": false,
	} {
		if got := IsSecret(text); got != want {
			t.Errorf("IsSecret(%q) = %v", text, got)
		}
	}
}

func TestExtractKeepsSpans(t *testing.T) {
	text := "Hi! By the way, my electrician is Bo. Also, the budget is 50,000 and we never deploy on Fridays!\nRemember that the key hangs behind the door."
	got := Extract(text, Options{Active: "boat"})
	want := []string{"My electrician is Bo", "The budget is 50,000", "We never deploy on Fridays", "The key hangs behind the door"}
	var contents []string
	for _, c := range got {
		contents = append(contents, c.Content)
		if s := text[c.Span[0]:c.Span[1]]; capital(s) != c.Content {
			t.Errorf("span %q, content %q", s, c.Content)
		}
	}
	if !slices.Equal(contents, want) {
		t.Errorf("got %q, want %q", contents, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := strings.Fields("I prefer short answers . my electrician is Bo the budget 50,000 € , and we never deploy on Fridays ! remember that “ ” ? \n é 😀 if")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 15).Draw(t, "parts"), " ") + rapid.String().Draw(t, "tail")
		for _, c := range Extract(text, Options{}) {
			if c.Confidence < 0 || c.Confidence > 1 || capital(text[c.Span[0]:c.Span[1]]) != c.Content || c.Scope != User || c.Reason == "" {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}

// TestRecalledIsNotExtracted: a memory must not breed copies of itself, but a new
// value is a new fact.
func TestRecalledIsNotExtracted(t *testing.T) {
	shown := []string{"The budget is 50,000", "You told me in May: my electrician is Bo, and he is good."}
	tests := []struct {
		text string
		want int
	}{
		{"The budget is 50,000.", 0},
		{"Yes, our budget is 50k", 0},
		{"My electrician is Bo.", 0},
		{"The budget is 60,000.", 1},
		{"My electrician is Kim.", 1},
	}
	for _, tt := range tests {
		if got := Extract(tt.text, Options{Recalled: shown, Active: "boat"}); len(got) != tt.want {
			t.Errorf("%q: %d candidates, want %d", tt.text, len(got), tt.want)
		}
		if got := Extract(tt.text, Options{Active: "boat"}); len(got) != 1 {
			t.Errorf("%q, nothing recalled: %d candidates", tt.text, len(got))
		}
	}
}

func TestProjectIsSuggested(t *testing.T) {
	opts := Options{Active: "boat", Projects: []ProjectRef{{Slug: "boat", Name: "The Boat"}, {Slug: "kitchen", Name: "Kitchen", Words: []string{"cookhouse"}}}}
	tests := []struct{ text, want string }{
		{"The budget for the kitchen is 20,000.", "kitchen"},
		{"The cookhouse was built in 1931.", "kitchen"},
		{"The budget is 20,000.", "boat"},
		{"I prefer short answers.", ""},
		{"My electrician is Bo.", ""},
		{"The boat and kitchen have two doors.", "boat"}, // names two: the active one
	}
	for _, tt := range tests {
		got := Extract(tt.text, opts)
		if len(got) != 1 || got[0].Project != tt.want || (got[0].Scope == Project) != (tt.want != "") {
			t.Errorf("%q: %+v, want project %q", tt.text, got, tt.want)
		}
	}
}

func TestNearAndSupersedes(t *testing.T) {
	tests := []struct {
		newer, older string
		same, other  bool // told twice, superseded
	}{
		{"The budget is 60,000", "The budget is 50,000", false, true},
		{"Our budget is 50k", "The budget is 50,000", true, false},
		{"We have a budget of 70,000 euros", "The budget is 50,000", false, true},
		{"The budget went up to 60,000", "The budget is 50,000", false, true},
		{"The kitchen budget is 20,000", "The budget is 50,000", false, false},
		{"My electrician is Kim", "My electrician is Bo", false, true},
		{"Kim is my electrician", "My electrician is Bo", false, true},
		{"Kim is my electrician now", "My plumber is Bo", false, false},
		{"Bo is my electrician", "My electrician is called Bo", true, false},
		{"My sister Eva lives in York", "My sister Anna lives in Leeds", false, false},
		{"My sister is Eva", "My sister is Anna", false, false},
		{"I live in York", "I live in Leeds", false, true},
		{"I live in Leeds", "I work in Leeds", false, false},
		{"I prefer long answers", "I prefer short answers", false, true},
		{"I prefer brief replies", "I prefer short answers", true, false},
		{"I prefer tea", "I prefer short answers", false, false},
		{"I don't like coriander", "I like coriander", false, true},
		{"I hate coriander", "I like coriander", false, true},
		{"We no longer use Slack", "We use Slack", false, true},
		{"We deploy on Fridays", "We never deploy on Fridays", false, true},
		{"We never deploy on Sundays", "We never deploy on Fridays", false, false},
		{"The launch is on 7 June", "The launch is on 3 May", false, true},
		{"The launch moved to June", "The launch is on 3 May", false, true},
		{"The lease ends in August", "The lease starts in May", false, false},
		{"Kim handles the books", "Anna handles the books", false, true},
		{"Kim handles the mail", "Anna handles the books", false, false},
		{"We decided to use larch for the deck", "We decided to use oak for the deck", false, true},
		{"We decided to use oak for the deck", "We decided to use oak for the roof", false, false},
		{"The deadline is 30 November 2027", "The deadline is 30 November", true, false},
		{"The boat is blue", "The house is blue", false, false},
		{"The boat is 12 metres long", "The boat is 11 metres long", false, true},
		{"", "The boat is blue", false, false},
	}
	for _, tt := range tests {
		if got := Near(tt.newer, tt.older) >= Same; got != tt.same {
			t.Errorf("Near(%q, %q) = %.2f", tt.newer, tt.older, Near(tt.newer, tt.older))
		}
		if got := Supersedes(tt.newer, tt.older); got != tt.other {
			t.Errorf("Supersedes(%q, %q) = %v", tt.newer, tt.older, got)
		}
		if Near(tt.newer, tt.older) != Near(tt.older, tt.newer) {
			t.Errorf("Near(%q, %q) isn't symmetric", tt.newer, tt.older)
		}
		if Supersedes(tt.older, tt.older) {
			t.Errorf("%q supersedes itself", tt.older)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	text := strings.Repeat("My electrician is Bo. We talked about the weather and the roof, and nothing else. ", 20)
	for b.Loop() {
		Extract(text, Options{})
	}
}
