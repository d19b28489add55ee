package brief

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed prompts
var files embed.FS

// Words are what a brief is put together of. They aren't templates of text/template: that
// calls methods by their names, for which the linker keeps each method of each type, and the
// program would weigh 12 MB more.
type words struct {
	texts     map[string]string // by the names of the files
	sentences map[string]string
}

// readWords fails on a line that is no sentence only.
func readWords() (words, error) {
	w := words{map[string]string{}, map[string]string{}}
	names, err := fs.Glob(files, "prompts/*")
	if err != nil {
		return w, err
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return w, err
		}
		if kind, ok := strings.CutSuffix(path.Base(name), ".md"); ok {
			w.texts[kind] = strings.TrimSpace(string(text))
			continue
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			key, sentence, ok := strings.Cut(line, ": ")
			if _, twice := w.sentences[key]; !ok || twice {
				return w, fmt.Errorf("%s: %q is no sentence, or one of the name of another", name, line)
			}
			w.sentences[key] = sentence
		}
	}
	return w, nil
}

// say is a sentence with its places filled; text and say do that once, so that a place in
// what fills one is left as it is.
func (w words) say(name string, places ...string) string {
	return strings.NewReplacer(places...).Replace(w.sentences[name])
}

// text is a file with its places filled.
func (w words) text(name string, places ...string) string {
	return strings.NewReplacer(places...).Replace(w.texts[name])
}
