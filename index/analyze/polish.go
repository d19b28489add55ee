package analyze

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/pl/stempel"
)

// Polish's words and table are those of bleve's analysis/lang/pl (the table is Stempel's,
// Apache-2.0; the words are stopwords-iso's, MIT). That package carries the table as it is, 2.2 MB
// of each program, and holds it in a map a row.
var (
	//go:embed polish/stops.txt
	polishStops []byte
	//go:embed polish/stems.tbl.gz
	polishTable []byte // tries of Egothor, as bleve's stempel/pl/stemmer_20000.tbl has them
)

// polishTries is the table, read when the first word is stemmed.
var polishTries = sync.OnceValue(func() []trie {
	unpacked, err := gzip.NewReader(bytes.NewReader(polishTable))
	if err != nil {
		panic(err) // of what is built in: a test reads it whole
	}
	all, err := io.ReadAll(unpacked)
	if err != nil {
		panic(err)
	}
	t := table(all)
	t.text() // the kind of its tries: several, each read backwards
	t.cut(1 + 4)
	tries := make([]trie, t.number())
	for i := range tries {
		tries[i] = t.trie()
	}
	return tries
})

// polish is the filter that cuts Polish words in lower case down to their stems.
type polish struct{}

// Filter implements bleve's interface.
func (polish) Filter(tokens analysis.TokenStream) analysis.TokenStream {
	for _, t := range tokens {
		word := []rune(string(t.Term))
		t.Term = []byte(string(stempel.Diff(word, patch(polishTries(), word))))
	}
	return tokens
}

// patch is what makes a word its stem: commands of two letters each, from the word's end on. Each
// trie goes on before the letters that the last one's commands passed.
func patch(tries []trie, word []rune) (all []rune) {
	var last []rune
	left := word
	for i, t := range tries {
		part := t.find(word)
		if len(part) < 2 || i > 0 && cannotFollow(last[len(last)-2], part[0]) {
			return all
		}
		if part[0] == '-' {
			passed := span(last) + span(part)
			if passed > len(left) {
				return all
			}
			if left = left[:len(left)-passed]; len(left) > 0 {
				word = left
			}
		}
		all, last = append(all, part...), part
	}
	return all
}

func cannotFollow(after, goes rune) bool {
	return (after == '-' || after == 'D') && after == goes
}

// span counts the letters that commands pass.
func span(commands []rune) (n int) {
	for i := 0; i < len(commands); i += 2 {
		switch commands[i] {
		case '-', 'D':
			n += int(commands[i+1]-'a') + 1
		case 'R':
			n++
		}
	}
	return n
}

// A trie holds the commands for endings, by their letters from the last on.
type trie struct {
	root     int32
	commands [][]rune
	rows     [][]step
}

// A step from a row by a letter: the command of the ending so far and the row of longer ones, -1
// where there is none.
type step struct {
	letter    rune
	cmd, next int32
}

// find returns the commands of a word's longest known ending.
func (t trie) find(word []rune) (last []rune) {
	for at := t.root; at >= 0 && len(word) > 0; word = word[:len(word)-1] {
		row := t.rows[at]
		i := slices.IndexFunc(row, func(s step) bool { return s.letter == word[len(word)-1] })
		if i < 0 {
			break
		}
		if row[i].cmd >= 0 {
			last = t.commands[row[i].cmd]
		}
		at = row[i].next
	}
	return last
}

// A table is what of the file is still to be read; numbers are big-endian.
type table []byte

func (t *table) cut(n int) (b []byte) {
	b, *t = (*t)[:n], (*t)[n:]
	return b
}

func (t *table) number() int32 { return int32(binary.BigEndian.Uint32(t.cut(4))) }
func (t *table) short() int    { return int(binary.BigEndian.Uint16(t.cut(2))) }
func (t *table) text() []rune  { return []rune(string(t.cut(t.short()))) }

func (t *table) trie() (r trie) {
	t.cut(1) // whether words are read forwards: none
	r.root = t.number()
	r.commands = make([][]rune, t.number())
	for i := range r.commands {
		r.commands[i] = t.text()
	}
	r.rows = make([][]step, t.number())
	for i := range r.rows {
		r.rows[i] = make([]step, t.number())
		for j := range r.rows[i] {
			s := step{letter: rune(t.short())}
			s.cmd, _, s.next, _ = t.number(), t.number(), t.number(), t.number() // between: counts
			r.rows[i][j] = s
		}
	}
	return r
}
