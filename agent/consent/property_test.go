package consent

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What people say, by what it is. The engine reads the words; the oracle is told what
// they are.
var sayings = map[string][]string{
	"order": {"go", "go ahead", "do it", "ok, do it", "build it", "yes, do that", "los", "GO", "please proceed", "yep, make it so", "carry on", "sounds right, go", "be my guest", "you have my blessing", "you may go ahead", "ack, carry it out",
		"jo mach", "ja, mach das so", "kannst du machen", "klar, nur zu", "bitte ausführen", "do it because the season is over", "um yeah okay do that", "No problem, carry on", "very well, proceed"},
	"assent": {"yes", "yes please", "sure", "sounds good", "of course", "ja", "Yes!", "ok", "that would be lovely, thank you", "I'd like that", "y", "aye", "ack", "mhm", "+1", "👍", "jep", "passt so, danke dir", "einverstanden",
		"fine by me", "I agree", "that's exactly what I want, yes", "yes to both", "alright, thanks, that's the right call", "sure, why not", "das geht in Ordnung", "eh klar", "perfect", "von mir aus gerne", "yes please love", "no objections", "sure thing"},
	"refusal":  {"no", "no, keep it", "better not", "I changed my mind", "never mind", "no thanks", "cancel that", "don't do it", "forget it", "nein", "lieber nicht", "no, leave it as it is", "not now", "rather not"},
	"gone":     {"okay, delete it, thank you", "delete it", "ack, delete", "that's fine, it can go", "yup, get rid of it", "ja, löschen", "klar, weg damit", "ja, kann weg", "löschen ist okay", "you may delete it"},
	"needless": {"do it, I won't miss it", "sure, nobody will miss it", "yes please, I'm done with it anyway", "Yes, do that; I shan't need it", "yes, we have two of those", "nur zu, ich brauch das nicht mehr", "mach ruhig, das vermisst keiner", "yes, it's only a duplicate"},
	"kept":     {"ok, save it", "ja, speichern", "yes, store it", "klingt gut, bitte anlegen", "genau, dann trag das mal ein", "yeah stick that on", "ja leg an", "write it down"},
	"archive":  {"ok, archive it", "ja, archivieren", "ab ins Archiv damit"},
	"single":   {"yes please that one", "do it, this one", "ja, das eine"},
	"near":     nil, // testdata/near.txt
	"doubt":    {"wait", "hold on", "hmm, not sure", "is that safe?", "what would that delete?", "are you sure?", "let me think", "maybe later", "yes, but only next week", "go?", "I wonder", "warte mal", "yes and no"},
	"chatter":  {"thanks", "it's raining again", "my sister called", "great, thanks", "good morning", "ok thanks", "that was lovely, thank you", "it would be nice", "I had a coffee", "we may go to the sea"},
	"switch":   {"let's talk about the houseboat", "switch to the coffee shop", "back", "go to the coffee shop", "go back", "open the garden", "take me to the houseboat", "yes, let's go to the garden"},
}

// A dialogue is played by an engine: it says what it runs of what waits.
type engine interface {
	hears(text string, asked bool) (runs []string)
	offers(list []Waiting)
}

// machine is the package itself, as the conversation uses it.
type machine struct {
	shown   []Proposal
	waiting []Waiting
	verdict Verdict
	again   []Proposal
}

func (m *machine) hears(text string, asked bool) []string {
	m.verdict = Decide(text, m.shown, m.waiting, asked)
	m.again = nil
	for _, w := range m.waiting {
		if slices.Contains(m.verdict.Again, w.ID) {
			m.again = append(m.again, Proposal{ID: w.ID, Removes: w.Removes})
		}
	}
	runs := ids(m.verdict.Approve)
	m.waiting = slices.DeleteFunc(m.waiting, func(w Waiting) bool { return slices.Contains(runs, w.ID) || slices.Contains(m.verdict.Reject, w.ID) })
	return runs
}

func (m *machine) offers(list []Waiting) {
	offers := m.again
	for _, w := range list {
		offers = append(offers, Proposal{ID: w.ID, Removes: w.Removes})
	}
	m.waiting = append(m.waiting, list...)
	m.shown = After(m.shown, m.verdict, offers)
}

// latch is what the conversation did before consent was a state: whatever waits runs on
// the next go.
type latch struct{ waiting []Waiting }

func (l *latch) hears(text string, asked bool) []string {
	switch r := Read(text); {
	case r == Go, r == Yes && !asked:
		var runs []string
		for _, w := range l.waiting {
			runs = append(runs, w.ID)
		}
		l.waiting = nil
		return runs
	case r == No && !asked:
		l.waiting = nil
	}
	return nil
}

func (l *latch) offers(list []Waiting) { l.waiting = append(l.waiting, list...) }

// play plays one random dialogue and returns what ran that the oracle forbids, and what
// it demands and didn't run. The oracle knows two things: what the last reply showed,
// and of what kind the message is.
func play(r *rand.Rand, e engine, others []string) (fault string) {
	var showed []Waiting // by the last reply, together
	var log []string
	next, asked := 0, false
	for range 3 + r.IntN(8) {
		kind, text, pick := utter(r, others, len(showed))
		ran := e.hears(text, asked)
		log = append(log, fmt.Sprintf("%s %q asked %v showed %v ran %v", kind, text, asked, showed, ran))
		may := []string{}
		switch {
		case kind == "order", !asked && agreed(kind, showed):
			for _, w := range showed {
				may = append(may, w.ID)
			}
		case kind == "choice" && !asked:
			may = append(may, showed[pick].ID)
		}
		if !slices.Equal(ran, may) {
			return strings.Join(log, "\n")
		}
		// A go that had nothing to run shows again what was put aside one turn before:
		// the reply lists it, so that it was shown.
		showed = nil
		if m, ok := e.(*machine); ok {
			for _, p := range m.again {
				i := slices.IndexFunc(m.waiting, func(w Waiting) bool { return w.ID == p.ID })
				showed = append(showed, m.waiting[i])
			}
		}
		var fresh []Waiting
		if kind == "request" || kind == "other" && r.IntN(4) == 0 {
			for range 1 + r.IntN(3) {
				next++
				id := "OP" + strconv.Itoa(next)
				fresh = append(fresh, Waiting{ID: id, Removes: r.IntN(2) == 0, Reason: []string{"delete the coffee shop, 5 files", "archive the houseboat", "add the task “Rent a van”", "rename the garden to Plot"}[r.IntN(4)]})
			}
		}
		e.offers(fresh)
		showed = append(showed, fresh...)
		asked = r.IntN(4) == 0
	}
	return ""
}

// agreed: what an assent of a kind is true of. Every reply here shows all it has together.
func agreed(kind string, showed []Waiting) bool {
	every := func(fits func(Waiting) bool) bool {
		return !slices.ContainsFunc(showed, func(w Waiting) bool { return !fits(w) })
	}
	deletes := func(w Waiting) bool { return w.Removes && strings.HasPrefix(w.Reason, "delete ") }
	archives := func(w Waiting) bool { return w.Removes && strings.HasPrefix(w.Reason, "archive ") }
	switch kind {
	case "assent":
		return true
	case "gone":
		return every(deletes)
	case "needless":
		return every(func(w Waiting) bool { return deletes(w) || archives(w) })
	case "kept":
		return every(func(w Waiting) bool { return !w.Removes })
	case "archive":
		return every(archives)
	case "single":
		return len(showed) == 1
	}
	return false
}

func utter(r *rand.Rand, others []string, showed int) (kind, text string, pick int) {
	switch n := r.IntN(10); {
	case n < 3:
		return "request", "please change something for me in the files", 0
	case n == 3 && showed > 1:
		pick = r.IntN(showed)
		return "choice", []string{"only the first", "only the second", "only the third", "only the 4th", "only number 5", "only number 6"}[min(pick, 5)], min(pick, 5)
	case n < 5:
		return "other", others[r.IntN(len(others))], 0
	}
	kind = []string{"order", "order", "assent", "assent", "gone", "needless", "kept", "archive", "single", "near", "near", "refusal", "doubt", "chatter", "switch"}[r.IntN(15)]
	return kind, sayings[kind][r.IntN(len(sayings[kind]))], 0
}

var placed = regexp.MustCompile(`(?i)\b(first|second|third|last|\d+)\b`)

var bare = regexp.MustCompile(`(?i)^(please )?(archive|delete|remove|rename|save|add|store) (it|this|that|them)( one)?( please)?\W*$`)

// near are hostile near misses of an assent: a doubt, a condition, another wish or another
// thing begins or ends like one.
func near(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/near.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) < 200 {
		t.Fatalf("only %d near misses", len(lines))
	}
	return lines
}

// labelled are the messages of the labelled sets that ask for something or tell
// something: none of them is a word on a proposal.
func labelled(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/dialogues/*.tsv")
	if err != nil || len(paths) < 12 {
		t.Fatalf("only %d sets: %v", len(paths), err)
	}
	var out []string
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(f); sc.Scan(); {
			cols := strings.Split(sc.Text(), "\t")
			if len(cols) != 4 || cols[0] == "consent" || cols[0] == "decline" || strings.HasPrefix(cols[0], "#") {
				continue
			}
			// "The second one", said where nothing was offered, is labelled as nothing; here
			// it is a choice.
			// "Archive it", behind an offer to archive it, is a go.
			if (len(strings.Fields(cols[3])) > 3 || !placed.MatchString(cols[3])) && !bare.MatchString(cols[3]) {
				out = append(out, cols[3])
			}
		}
		f.Close()
	}
	return out
}

// TestNothingRunsUnasked plays random dialogues of assent, refusal, doubt, chatter,
// switching and requests. KIST_DIALOGUES=1000000 plays as many.
func TestNothingRunsUnasked(t *testing.T) {
	n := 5_000
	if s := os.Getenv("KIST_DIALOGUES"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	others := labelled(t)
	sayings["near"] = near(t)
	for i := range n {
		if fault := play(rand.New(rand.NewPCG(1, uint64(i))), &machine{}, others); fault != "" {
			t.Fatalf("dialogue %d:\n%s", i, fault)
		}
	}
	t.Logf("%d dialogues, 0 violations", n)
}

// TestOracleFindsTheLatch shows that the oracle is one: conversations in which whatever
// waits runs on the next go fail it.
func TestOracleFindsTheLatch(t *testing.T) {
	others, faults := labelled(t), 0
	sayings["near"] = near(t)
	const n = 2000
	for i := range n {
		if play(rand.New(rand.NewPCG(1, uint64(i))), &latch{}, others) != "" {
			faults++
		}
	}
	if faults < n/4 {
		t.Errorf("only %d of %d dialogues were found wrong", faults, n)
	}
	t.Logf("%d of %d dialogues wrong", faults, n)
}
