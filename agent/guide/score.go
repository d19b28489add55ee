package guide

import (
	"kist/agent/language"
	"math"
	"slices"
	"strings"
)

const (
	strong      = 3.0 // evidence that carries a sentence
	weak        = 2.0 // evidence that does if nothing else in the sentence is stronger
	topicWeight = 1.6 // a subject for which the dimension usually matters: alone 4 of 10, so not asked about
	planWeight  = 3.0 // the same where somebody is about to begin it: 6.2
	maxSentence = 5.0 // no sentence is more than clearly about something
	scale       = 3.1 // chosen so that one strong sentence scores 6.2 and two 8.6
)

// Score says from 0 to 10 how much a text has to do with each dimension. 6 and
// more means that it is worth asking about ([Relevant]): one clear sentence is
// enough.
func Score(text string) map[string]float64 {
	total := make([]float64, len(Dimensions()))
	for _, s := range sentences(text) {
		for d, w := range weigh(words(s)) {
			if w >= weak { // crumbs don't add up to a subject
				total[d] += w
			}
		}
	}
	for d, w := range topicWeights(text) {
		total[d] += w
	}
	out := map[string]float64{}
	for d, key := range Dimensions() {
		out[key] = math.Round(100*(1-math.Exp(-total[d]/scale))) / 10
	}
	return out
}

// Split returns for each dimension the sentences of a text that carry it, word
// for word and in order; a sentence may be in several. One that opens with a
// pronoun and says nothing by itself follows the one before. Dimensions without
// a sentence are absent, and so are sentences without a dimension.
func Split(text string) map[string][]string {
	out := map[string][]string{}
	var last []string
	for _, s := range first(Sentences(text)) {
		keys := carried(s)
		if len(keys) == 0 && followsOn(words(s)) {
			keys = last
		}
		for _, k := range keys {
			if !slices.Contains(out[k], s) {
				out[k] = append(out[k], s)
			}
		}
		last = keys
	}
	return out
}

// first are the sentences of a text that are weighed.
func first(all []string) []string {
	size := 0
	for i, s := range all {
		if size += len(s); i == maxSentences || size > maxBytes {
			return all[:i]
		}
	}
	return all
}

// carried are the dimensions that a sentence, or a part of a long one, is about.
func carried(s string) []string {
	found := map[string]bool{}
	for _, part := range parts(s) {
		for _, key := range about(weigh(words(part))) {
			found[key] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(Dimensions()), func(key string) bool { return !found[key] })
}

// Unplaced returns the sentences that Split finds no dimension for.
func Unplaced(text string) []string {
	placed := map[string]bool{}
	for _, list := range Split(text) {
		for _, s := range list {
			placed[s] = true
		}
	}
	return slices.DeleteFunc(Sentences(text), func(s string) bool { return placed[s] })
}

// alsoTold are the dimensions that a text answers for within a sentence about another:
// "done by October and cost 4000". The sentence stays as it was written, in one place.
func alsoTold(text string) map[string]bool {
	told := map[string]bool{}
	for _, s := range Sentences(clip(text)) {
		if len(strings.Fields(s)) > maxCut {
			continue
		}
		if pieces := halves(s); len(pieces) > 1 {
			for _, piece := range pieces {
				for _, key := range about(weigh(words(piece))) {
					told[key] = true
				}
			}
		}
	}
	return told
}

// maxCut is how many words a sentence has at most that is looked at by halves.
const maxCut = 18

// halves reads a sentence in parts where each is clearly about a dimension that the
// other doesn't touch. Anything less is one.
func halves(s string) []string {
	for _, at := range conjunction().FindAllStringIndex(s, -1) {
		left, right := s[:at[0]], s[at[1]:]
		lw, rw := words(left), words(right)
		if len(lw) < 2 || len(rw) < 2 {
			continue
		}
		a, b := weigh(lw), weigh(rw)
		i, j := slices.Index(a, slices.Max(a)), slices.Index(b, slices.Max(b))
		if i != j && factual(i) && factual(j) && a[i] >= strong && b[j] >= strong && a[j] == 0 && b[i] == 0 {
			return append([]string{left}, halves(right)...)
		}
	}
	return []string{s}
}

// factual dimensions are told in dates, names and numbers, by which a half is known.
func factual(dim int) bool {
	return slices.Contains([]string{Goals, People, Resources}, Dimensions()[dim])
}

var conjunction = language.Pattern(`(?i)(?:,\s+|\s+)(?:and|but|plus|while)\s+|;\s+`)

// about chooses the dimensions that a sentence belongs to.
func about(weights []float64) []string {
	top := slices.Max(weights)
	var out []string
	for d, key := range Dimensions() {
		if w := weights[d]; w >= strong || w >= weak && w == top {
			out = append(out, key)
		}
	}
	return out
}

// followsOn: "She keeps the books." goes where the sentence before it went.
func followsOn(ws []word) bool {
	return len(ws) > 2 && slices.Contains([]string{"she", "he", "it", "they", "that", "this", "these", "those", "which", "both"}, ws[0].norm)
}

// weigh sums the evidence of one sentence for each dimension.
func weigh(ws []word) []float64 {
	l := knowledge()
	out := make([]float64, len(Dimensions()))
	free := make([]int, len(out)) // first word not yet taken by a phrase of the dimension
	best := make([]float64, len(out))
	for i := range ws {
		for d, hit := range l.longest(ws[i:]) {
			if i < free[d] || hit.words == 0 {
				continue
			}
			free[d] = i + hit.words
			best[d] = max(best[d], hit.weight)
			out[d] += hit.weight
		}
	}
	if threatens(ws) {
		d := slices.Index(Dimensions(), Trust)
		out[d], best[d] = out[d]+strong, strong
	}
	for d := range out {
		// Crumbs alone don't make a subject: three words of weight 1 stay below "weak".
		if best[d] < weak {
			out[d] = min(out[d], weak-0.5)
		}
		out[d] = min(out[d], maxSentence)
	}
	return out
}

// threatens: "if membership shrinks we can't pay" names a danger without any of
// its words, by a condition with something missing or ending.
func threatens(ws []word) bool {
	condition := false
	for i, w := range ws {
		if w.norm == "if" && (i == 0 || ws[i-1].norm != "as" && ws[i-1].norm != "even" && ws[i-1].norm != "happy") {
			condition = true
			continue
		}
		if condition && slices.Contains(badEnds(), w.stem) {
			return true
		}
	}
	return false
}

// badEnds are the stems of what a threatening condition says.
func badEnds() []string {
	return []string{"not", "no", "nobody", "never", "without", "shrink", "stop", "clos", "quit", "los", "fail", "late", "sick", "ill", "break", "leav", "delay", "short", "worse", "drop", "die"}
}

type hit struct {
	words  int
	weight float64
}

// longest returns for each dimension the longest phrase at the start of ws, the
// heaviest among equals; weight 0 wins ties, since it takes words out of play.
func (l *lexicon) longest(ws []word) []hit {
	out := make([]hit, len(Dimensions()))
	try := func(phrases []phrase) {
		for _, p := range phrases {
			n := p.match(ws)
			h := out[p.dim]
			if n > h.words || n == h.words && n > 0 && h.weight > 0 && (p.weight > h.weight || p.weight == 0) {
				out[p.dim] = hit{n, p.weight}
			}
		}
	}
	try(l.byStem[ws[0].stem])
	try(l.open)
	return out
}

// topicWeights: a wedding has to do with people and money before either is named,
// and more so for those who are planning one.
func topicWeights(text string) []float64 {
	l := knowledge()
	out := make([]float64, len(l.topics))
	for _, s := range sentences(text) {
		ws := words(s)
		weight := topicWeight
		if plans(ws) {
			weight = planWeight
		}
		for d, topics := range l.topics {
			for i, w := range ws {
				if topics[w.stem] || i+1 < len(ws) && topics[w.stem+" "+ws[i+1].stem] {
					out[d] = max(out[d], weight)
				}
			}
		}
	}
	return out
}

// plans: "I want to build", "we're moving", "let's open" begin something.
func plans(ws []word) bool {
	for i := 1; i < len(ws); i++ {
		if !slices.Contains(subjects(), ws[i-1].norm) || !slices.Contains(intentions(), ws[i].norm) {
			continue
		}
		for j := i + 1; j < min(len(ws), i+4); j++ {
			if slices.Contains(ventures(), ws[j].stem) {
				return true
			}
		}
	}
	return false
}

func subjects() []string { return []string{"i", "we", "let", "am", "are", "would"} }

func intentions() []string {
	return []string{"want", "like", "plan", "going", "us", "decided", "hope", "thinking", "dream", "need", "am", "are", "would", "will"}
}

// ventures are stems of verbs that begin what takes weeks.
func ventures() []string {
	return []string{"build", "rebuild", "start", "launch", "open", "found", "organis", "organiz", "renovat", "restor", "writ", "creat", "mov", "run", "plan", "host",
		"mak", "set", "learn", "develop", "convert", "migrat", "buy", "train", "publish", "design", "grow"}
}
