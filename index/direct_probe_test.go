package index

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kist/index/analyze"
	"kist/index/sift"

	"golang.org/x/tools/txtar"
)

// Of words that an analyzer takes for the same, each is found by the needle of any
// other: else a file that isn't indexed would be passed over. KIST_BENCH_VAULT names a
// folder with more texts.
func TestNeedlesFindAllFormsOfAWord(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	f := sift.NewFolder()
	words := map[string]map[string][]string{} // by analyzer and term
	learn := func(text []byte, lang string) {
		name := analyze.NameOf(lang)
		if words[name] == nil {
			words[name] = map[string][]string{}
		}
		text = bytes.ReplaceAll(text, []byte("\u200c"), []byte(" ")) // it moves what the Persian analyzer says of places
		for _, tok := range langs.Of(lang).Analyze([]byte(string(text))) {
			w, term := string(text[tok.Start:tok.End]), string(tok.Term)
			if list := words[name][term]; !slices.Contains(list, w) && len(list) < 12 {
				words[name][term] = append(list, w)
			}
		}
	}
	archive, err := txtar.ParseFile("testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		learn(file.Data, langs.Detect(file.Data))
	}
	learn([]byte(medley(200)), analyze.English)
	for _, lang := range []string{"de", "fr", "nl", "es"} {
		learn([]byte(medley(50)+" maan manen boom bomen leven leeft luz luces canción canciones häuser haeuser haus"), lang)
	}
	if dir := os.Getenv("KIST_BENCH_VAULT"); dir != "" {
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".md") {
				text, _ := os.ReadFile(p)
				learn(text, langs.Detect(text))
			}
			return nil
		})
	}
	pairs, missed, unfound, naive := 0, 0, 0, 0
	for name, terms := range words {
		for term, forms := range terms {
			// Where the analyzer cuts off what begins a word, any word of the script will do.
			forms = slices.DeleteFunc(forms, func(w string) bool {
				return strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
			})
			for _, asked := range forms {
				n := sift.NewNeedle(f, name, asked, term)
				w := sift.NewWord(asked, []sift.Needles{{n}}, 1, func(word []byte) uint64 {
					for _, tok := range langs.Of(name).Analyze(slices.Clone(word)) {
						if string(tok.Term) == term {
							return 1
						}
					}
					return 0
				})
				for _, there := range forms {
					pairs++
					if w != nil && strings.ContainsFunc(there, unicode.IsLetter) {
						words := f.NewText(nil, "", []byte("— «Été», 1.5 / **bold** x_1: ("+there+"), "+there+".\n"))
						if count, terms := w.Find(words, sift.Known{}); (count < 2 || terms != 1) && n.Count(words) > 0 {
							if unfound++; unfound <= 30 {
								t.Logf("%s: %q asked for isn't found in %q: %d", name, asked, there, count)
							}
						}
					}
					if n.Count(f.NewText(nil, "", []byte(there))) == 0 {
						if missed++; missed <= 30 {
							t.Logf("%s: %q asked for doesn't find %q: needle %+v of %q", name, asked, there, n, term)
						}
					}
					if !strings.Contains(strings.ToLower(there), strings.ToLower(asked)) {
						naive++
					}
				}
			}
		}
	}
	if pairs < 2000 || naive == 0 {
		t.Errorf("%d pairs, of which %d a plain search would miss: this test can't tell good from bad", pairs, naive)
	}
	if missed*10_000 > pairs { // irregular verbs of Polish
		t.Errorf("%d of %d missed", missed, pairs)
	}
	if unfound > 0 {
		t.Errorf("%d of %d words not found where they are", unfound, pairs)
	}
	t.Logf("%d pairs, %d missed, %d not found; a plain search would miss %d", pairs, missed, unfound, naive)
}
