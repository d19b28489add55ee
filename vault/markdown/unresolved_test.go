package markdown

import "testing"

func TestUnresolved(t *testing.T) {
	for text, want := range map[string]int{
		"":                                0,
		"# Tasks\n\nTitle\n=======\n":     0,
		"a\n<<<<<<< HEAD\nb\n>>>>>>> x\n": 0,
		"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n":                        2,
		"a\r\n\r\n<<<<<<< HEAD\r\n=======\r\nc\r\n>>>>>>> x":                    3,
		"<<<<<<< a\nb\n||||||| base\nc\n=======\nd\n>>>>>>> e\n":                1,
		"- about git:\n  <<<<<<< HEAD\n  b\n  =======\n  c\n  >>>>>>> x\n":      0,
		"<<<<<<< cut off\n=======\n<<<<<<< whole\nb\n=======\nc\n>>>>>>> x\n\n": 3,
	} {
		if got := Unresolved([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
