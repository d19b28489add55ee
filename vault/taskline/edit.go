package taskline

import (
	"errors"
	"fmt"
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

// Retitle returns the text with another title. It returns ErrValue where the title
// stands in pieces between fields, or the new one would be read as more than a title.
func (l Line) Retitle(title string) (string, error) {
	if title == "" || l.Title == "" || strings.Count(l.Text, l.Title) != 1 {
		return "", fmt.Errorf("%w: the title stands between fields; edit the document", ErrValue)
	}
	text := strings.Replace(l.Text, l.Title, title, 1)
	if now := Parse(text); now.Title != title {
		return "", fmt.Errorf("%w: %q is more than a title: set the fields by themselves", ErrValue, title)
	}
	return text, nil
}

// Cut returns the title with all fields but those of the keys, as they are written.
func (l Line) Cut(keys ...Key) string {
	text := l.Text[:len(l.Text)-len(blockName().FindString(l.Text))]
	for _, key := range keys {
		text, _ = Parse(text).Set(key, "", None) // nothing is no wrong value
	}
	return strings.TrimSpace(text)
}
