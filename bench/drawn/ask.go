package drawn

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A Question is asked of everything that is compared.
type Question struct {
	Text   string // words
	Phrase bool   // that follow each other
}

// A questioner draws questions from a census: words by how many files have them, the rest
// word for word from the texts.
type questioner struct {
	*Census
	r    *rand.Rand
	rare []string
	stop int // files: a word in more of them says nothing
	some int // files: a word in fewer is rare
}

func newQuestioner(c *Census, seed uint64) *questioner {
	q := &questioner{Census: c, r: rand.New(rand.NewPCG(seed, 5)), stop: max(2, len(c.Paths)/10), some: max(5, len(c.Paths)/5000)}
	for w, n := range c.files {
		if n >= 2 && n <= q.some {
			q.rare = append(q.rare, w)
		}
	}
	slices.Sort(q.rare)
	return q
}

// A Class is the questions of one kind.
type Class struct {
	Name, What string // the first is stable
	Hybrid     bool   // to be asked with vectors, which kist alone has
	Questions  []Question
}

// Classes draws up to n different questions of each class. A text that is too poor leaves one
// empty.
func (c *Census) Classes(n int, seed uint64) (all []Class) {
	q := newQuestioner(c, seed)
	for _, a := range q.askings() {
		all = append(all, Class{a.name, a.what, a.hybrid, q.drawn(a, n)})
	}
	return all
}

// An asking is a class of questions.
type asking struct {
	name, what string
	draw       func() (Question, bool)
	hybrid     bool // with vectors, which kist alone has
}

func (q *questioner) askings() []asking {
	return []asking{
		{name: "rare", what: "one rare word", draw: q.rareWord},
		{name: "three", what: "three words of one document", draw: q.three},
		{name: "sentence", what: "a sentence", draw: q.sentence},
		{name: "phrase", what: "phrase of three words", draw: q.phrase},
		{name: "question", what: "a question of the text", draw: q.question},
		{name: "hybrid", what: "the same, with vectors", draw: q.question, hybrid: true},
	}
}

// drawn returns up to n different questions; fewer where the text is too poor.
func (q *questioner) drawn(a asking, n int) (all []Question) {
	had := map[Question]bool{}
	for tries := 0; len(all) < n && tries < 50*n; tries++ {
		if one, ok := a.draw(); ok && !had[one] {
			had[one] = true
			all = append(all, one)
		}
	}
	return all
}

func draw[T any](r *rand.Rand, from []T) (one T, ok bool) {
	if len(from) == 0 {
		return one, false
	}
	return from[r.IntN(len(from))], true
}

func (q *questioner) rareWord() (Question, bool) {
	w, ok := draw(q.r, q.rare)
	return Question{Text: w}, ok
}

// three are words of one document that some others have as well.
func (q *questioner) three() (Question, bool) {
	text, _ := draw(q.r, q.samples)
	var known []string
	eachWord(text, func(w string) {
		if n := q.files[w]; n >= q.some && n <= q.stop && !slices.Contains(known, w) && len(known) < 200 {
			known = append(known, w)
		}
	})
	if len(known) < 3 {
		return Question{}, false
	}
	q.r.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
	return Question{Text: strings.Join(known[:3], " ")}, true
}

// plainWords matches words between single blanks.
var plainWords = regexp.MustCompile(`[A-Za-z]{2,20}(?: [A-Za-z]{2,20}){7}`)

// plainSentence matches what ends like a sentence and has nothing of a query's syntax.
var plainSentence = regexp.MustCompile(`[a-z][a-z,']*(?:[ \n][a-z][a-z,']*){7,14}[.!]`)

func (q *questioner) sentence() (Question, bool) {
	text, _ := draw(q.r, q.samples)
	one, ok := draw(q.r, plainSentence.FindAllString(text, 20))
	return Question{Text: strings.Join(strings.Fields(strings.Trim(one, ".!")), " ")}, ok
}

// phrase is three words of a line, one of which isn't everywhere.
func (q *questioner) phrase() (Question, bool) {
	text, _ := draw(q.r, q.samples)
	run, _ := draw(q.r, plainWords.FindAllString(text, 50))
	words := strings.Fields(run)
	if len(words) < 3 || !slices.ContainsFunc(words[:3], func(w string) bool { return q.files[w] > 0 && q.files[w] <= q.stop }) {
		return Question{}, false
	}
	return Question{Text: strings.Join(words[:3], " "), Phrase: true}, true
}

// asksSomething matches a question of 4 to 16 words.
var asksSomething = regexp.MustCompile(`\b[A-Z][a-z']*(?:[ \n][A-Za-z',]+){3,15}\?`)

func questionsIn(text string) (all []string) {
	for _, one := range asksSomething.FindAllString(text, 5) {
		all = append(all, strings.Join(strings.Fields(strings.Trim(one, "?")), " "))
	}
	return all
}

// question is one that the texts ask themselves, or where they ask none, a sentence.
func (q *questioner) question() (Question, bool) {
	if one, ok := draw(q.r, q.questions); ok {
		return Question{Text: one}, true
	}
	return q.sentence()
}
