package taskline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrValue is returned for what a field can't hold.
var ErrValue = errors.New("not a value of that field")

// Set returns the text with another value of a field: it replaces the value alone, cuts
// the field out for an empty one, or writes a new one behind the text in the style given,
// before the block name. It returns ErrValue for what can't stand there.
func (l Line) Set(key Key, value string, style Style) (string, error) {
	if strings.ContainsAny(value, "[]()`\r\n") || key.IsDate() && value != "" && Day(value).IsZero() {
		return "", fmt.Errorf("%w: %q can't be the %s of a checkbox", ErrValue, value, key)
	}
	f := l.field(key)
	switch {
	case f == nil && value == "":
		return l.Text, nil
	case f == nil:
		end := len(l.Text) - len(blockName().FindString(l.Text))
		return strings.TrimLeft(l.Text[:end]+" "+written(key, value, style), " ") + l.Text[end:], nil
	case value == "" && f.start == 0:
		return strings.TrimLeft(l.Text[f.end:], " \t"), nil
	case value == "":
		return l.Text[:f.start] + l.Text[f.end:], nil
	case f.value == value:
		return l.Text, nil
	}
	if key == Priority && f.style == Emoji {
		value = written(key, value, Emoji)
	}
	return l.Text[:f.from] + value + l.Text[f.to:], nil
}

// written is a field as it is written anew.
func written(key Key, value string, style Style) string {
	if emoji := emojiOf(key, value); style == Emoji && emoji != "" {
		return emoji
	}
	return fmt.Sprintf("[%s:: %s]", key, value)
}

// Retitle returns the text with another title. Of one that stands in pieces between fields, a
// piece alone is written anew where the others are as they were, such as tags behind the dates;
// else the first one becomes all of it. It returns ErrValue where there is no title, or the new
// one would be read as more than that.
func (l Line) Retitle(title string) (string, error) {
	pieces := l.pieces()
	if strings.TrimSpace(title) == "" || len(pieces) == 0 {
		return "", fmt.Errorf("%w: the checkbox has no title to change", ErrValue)
	}
	anew := make([]string, len(pieces))
	anew[0] = title
	for i := range pieces {
		if middle, ok := between(title, l.joined(pieces[:i]), l.joined(pieces[i+1:])); ok {
			for k, p := range pieces {
				anew[k] = l.Text[p.from:p.to]
			}
			anew[i] = middle
			break
		}
	}
	text := l.Text
	for i, p := range slices.Backward(pieces) {
		before := text[:p.from]
		if anew[i] == "" {
			before = strings.TrimRight(before, " \t")
		}
		text = before + anew[i] + text[p.to:]
	}
	text = strings.TrimLeft(text, " \t")
	if now := Parse(text); words(now.Title) != words(title) {
		return "", fmt.Errorf("%w: %q is more than a title: set the fields by themselves", ErrValue, title)
	}
	return text, nil
}

type piece struct{ from, to int }

// pieces are where the title stands, without blanks around each.
func (l Line) pieces() (list []piece) {
	at := 0
	add := func(to int) {
		from := at + len(l.Text[at:to]) - len(strings.TrimLeft(l.Text[at:to], " \t"))
		if to = at + len(strings.TrimRight(l.Text[at:to], " \t")); from < to {
			list = append(list, piece{from, to})
		}
	}
	for _, f := range l.fields {
		add(f.start)
		at = f.end
	}
	add(max(at, len(l.Text)-len(blockName().FindString(l.Text))))
	return list
}

func (l Line) joined(pieces []piece) string {
	var all []string
	for _, p := range pieces {
		all = append(all, words(l.Text[p.from:p.to]))
	}
	return strings.Join(all, " ")
}

// words are a text's with one blank between them.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// between is what a text has between the words that it begins and ends with; false: it doesn't.
func between(text, before, after string) (string, bool) {
	text, ok := strings.CutPrefix(" "+words(text)+" ", strings.TrimRight(" "+before, " ")+" ")
	if !ok {
		return "", false
	}
	text, ok = strings.CutSuffix(" "+text, " "+strings.TrimLeft(after+" ", " "))
	return strings.TrimSpace(text), ok
}

// Cut returns the title with all fields but those of the keys, as they are written.
func (l Line) Cut(keys ...Key) string {
	text := l.Text[:len(l.Text)-len(blockName().FindString(l.Text))]
	for _, key := range keys {
		text, _ = Parse(text).Set(key, "", None) // nothing is no wrong value
	}
	return strings.TrimSpace(text)
}
