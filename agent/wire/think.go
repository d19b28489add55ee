package wire

import "strings"

// A thinker tells thoughts that a model writes into its text, between tags at the
// beginning of a line, from what it says.
type thinker struct {
	held     string // the beginning of what may be a tag
	tag      string // of the thoughts that last; empty: it speaks
	midLine  bool   // something stands before, in this line
	spoke    bool   // something was said, so that blanks before it count
	thoughts bool   // there were some
}

// tags in which models think.
var tags = []string{"think", "thinking", "thought", "reasoning"}

// add takes the next piece and returns what of it, and of what was held, is said and thought.
func (t *thinker) add(piece string) (said, thought string) {
	text := t.held + piece
	t.held = ""
	var s, th strings.Builder
	for text != "" {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			t.put(&s, &th, text)
			break
		}
		t.put(&s, &th, text[:at])
		text = text[at:]
		name, length, whole := t.mark(text)
		switch {
		case !whole && length < 0:
			t.held = text
			return s.String(), th.String()
		case !whole:
			t.put(&s, &th, "<")
			text = text[1:]
		default:
			t.tag, t.thoughts = name, true
			text = text[length:]
		}
	}
	return s.String(), th.String()
}

// mark reads a tag that begins or ends thoughts: the name of what lasts behind it. A
// length of -1 says that it may be one when more has come.
func (t *thinker) mark(text string) (name string, length int, whole bool) {
	for _, tag := range tags {
		open, end := "<"+tag+">", "</"+tag+">"
		if t.tag != "" {
			open = "" // thoughts don't nest
		} else if t.thoughts {
			end = "" // an end without a beginning, the first time: that was in the prompt
		}
		switch {
		case t.tag != "" && t.tag != tag, t.tag == "" && t.midLine:
			continue
		case open != "" && strings.HasPrefix(text, open):
			return tag, len(open), true
		case end != "" && strings.HasPrefix(text, end):
			return "", len(end), true
		case strings.HasPrefix(open, text), strings.HasPrefix(end, text):
			length = -1
		}
	}
	return "", length, false
}

func (t *thinker) put(said, thought *strings.Builder, text string) {
	if t.tag != "" {
		thought.WriteString(text)
		return
	}
	if !t.spoke {
		if text = strings.TrimLeft(text, " \n\t"); text == "" {
			return
		}
		t.spoke = true
	}
	said.WriteString(text)
	line := text[strings.LastIndexByte(text, '\n')+1:]
	t.midLine = strings.TrimSpace(line) != "" || t.midLine && len(line) == len(text)
}

// flush returns what was held when nothing more comes.
func (t *thinker) flush() (said, thought string) {
	var s, th strings.Builder
	t.put(&s, &th, t.held)
	t.held = ""
	return s.String(), th.String()
}
