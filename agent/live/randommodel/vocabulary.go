package main

import (
	"cmp"
	_ "embed" // text.txt, marks.txt
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

//go:embed text.txt
var sample string

//go:embed marks.txt
var marks string

// space stands for a space in pieces of words, as SentencePiece has it.
const space = "\u2581"

// Kinds of tokens, by the format's numbers.
const (
	ordinary = 1
	unknown  = 2
	control  = 3
	byUser   = 4
	rawByte  = 6
)

// merges is how many pieces are made of words: enough that a token is some three letters.
const merges = 520

// A token of the vocabulary.
type token struct {
	text  string
	kind  int
	score float32 // pieces with the highest are joined first
	bias  float64 // how readily it is said
	after string  // the class of tokens that it follows readily; empty: none
	class string
}

// A vocabulary has the tokens, and the numbers of those that begin and end a message.
type vocabulary struct {
	tokens     []token
	begin, end int
}

func newVocabulary() (*vocabulary, error) {
	v := &vocabulary{tokens: []token{{text: "<unk>", kind: unknown, bias: -20}}}
	for b := range 256 {
		v.tokens = append(v.tokens, token{text: fmt.Sprintf("<0x%02X>", b), kind: rawByte})
	}
	if err := v.marks(); err != nil {
		return nil, err
	}
	for i, t := range v.tokens {
		switch t.text {
		case "<|im_start|>":
			v.begin, v.tokens[i].kind = i, control
		case "<|im_end|>":
			v.end, v.tokens[i].kind = i, control
		}
	}
	for rank, piece := range pieces(sample, merges) {
		v.tokens = append(v.tokens, token{text: piece, kind: ordinary, score: -float32(rank)})
	}
	return v, nil
}

func (v *vocabulary) marks() error {
	for line := range strings.Lines(marks) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(fields) != 4 {
			return fmt.Errorf("marks.txt: %q", line)
		}
		bias, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return fmt.Errorf("marks.txt: %w", err)
		}
		piece, err := strconv.Unquote(fields[3])
		if err != nil {
			return fmt.Errorf("marks.txt: %q: %w", line, err)
		}
		v.tokens = append(v.tokens, token{
			text: piece, kind: byUser, bias: bias,
			after: strings.Trim(fields[1], "-"), class: strings.Trim(fields[2], "-"),
		})
	}
	return nil
}

// classes are those of tokens, in order.
func (v *vocabulary) classes() []string {
	all := map[string]bool{}
	for _, t := range v.tokens {
		if t.class != "" {
			all[t.class] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// A word is one of the sample, in the pieces that it has so far.
type word struct {
	pieces []string
	count  int
}

// pieces are the letters of a text and n joined ones: of all that stand side by side in its
// words, the most frequent pair is joined, again and again (byte pair encoding).
func pieces(text string, n int) []string {
	counts := map[string]int{}
	for _, w := range strings.Fields(text) {
		counts[space+w]++
	}
	letters := map[string]bool{space: true}
	for c := rune(' ') + 1; c < utf8.RuneSelf-1; c++ {
		letters[string(c)] = true
	}
	var words []word
	for _, w := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, word{strings.Split(w, ""), counts[w]})
		for _, l := range strings.Split(w, "") {
			letters[l] = true
		}
	}
	var joined []string
	for range n {
		pair := frequent(words)
		for i := range words {
			words[i].join(pair)
		}
		joined = append(joined, pair[0]+pair[1])
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(append(joined, slices.Sorted(maps.Keys(letters))...), func(p string) bool {
		again := seen[p]
		seen[p] = true
		return again
	})
}

func frequent(words []word) [2]string {
	pairs := map[[2]string]int{}
	for _, w := range words {
		for i := range len(w.pieces) - 1 {
			pairs[[2]string(w.pieces[i:i+2])] += w.count
		}
	}
	return slices.MaxFunc(slices.Collect(maps.Keys(pairs)), func(a, b [2]string) int {
		return cmp.Or(pairs[a]-pairs[b], strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]))
	})
}

func (w *word) join(pair [2]string) {
	var out []string
	for _, p := range w.pieces {
		if last := len(out) - 1; last >= 0 && out[last] == pair[0] && p == pair[1] {
			out[last] += p
			continue
		}
		out = append(out, p)
	}
	w.pieces = out
}
