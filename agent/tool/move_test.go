package tool

import (
	"fmt"
	"testing"
)

func TestMove(t *testing.T) {
	for _, c := range []struct {
		move  Move
		now   string
		stack []string
		want  string
	}{
		{Move{Project: "b"}, "a", nil, "b [a]"},
		{Move{Project: "a"}, "b", []string{"a"}, "a [b]"},
		{Move{Project: "a"}, "a", []string{"b"}, "a [b]"},
		{Move{Project: ""}, "a", []string{"b"}, " [b a]"},
		{Move{Project: "b"}, "", []string{"a"}, "b [a]"},
		{Move{Back: true}, "b", []string{"c", "a"}, "a [c]"},
		{Move{Back: true, Project: "z"}, "b", nil, " []"},
		{Move{Project: "z"}, "k", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, "z [b c d e f g h i j k]"},
	} {
		if to, back := c.move.From(c.now, c.stack); fmt.Sprint(to, " ", back) != c.want {
			t.Errorf("%+v from %q, %q: %s %q", c.move, c.now, c.stack, to, back)
		}
	}
}
