package markdown

import (
	"fmt"
	"testing"
)

func TestUnresolved(t *testing.T) {
	const half = "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n"
	for text, want := range map[string]string{
		"":                                "[]",
		"# Tasks\n\nTitle\n=======\n":     "[]",
		"a\n<<<<<<< HEAD\nb\n>>>>>>> x\n": "[]",
		"a\n" + half + "d\n" + half:       "[{2 33} {36 67}]",
		"a\r\n<<<<<<< HEAD\r\n=======\r\nc\r\n>>>>>>> x":                                  "[{3 38}]",
		"<<<<<<< a\nb\n||||||| base\nc\n=======\nd\n>>>>>>> e\n":                          "[{0 46}]",
		"<<<<<<<\nb\n=======\nc\n>>>>>>>\n":                                               "[{0 27}]",
		"- about git:\n  <<<<<<< HEAD\n  b\n  =======\n  c\n  >>>>>>> x\n":                "[]",
		"<<<<<<< cut off\n=======\n" + half:                                               "[{24 55}]",
		"<<<<<<< a\n||||||| \n<<<<<<<<< b\n=========\n>>>>>>>>> c\n=======\nd\n>>>>>>> e": "[{0 72}]", // of a base that was merged itself
		"<<<<<<<<<< a\nb\n==========\nc\n>>>>>>>>>> d\n":                                  "[{0 40}]", // by conflict-marker-size
		"<<<<<<< a\nb\n==========\nc\n>>>>>>> d\n":                                        "[]",
		"<<<<<<<a\nb\n=======\nc\n>>>>>>> d\n":                                            "[]",
		"---\n" + half + "---\n# A\n":                                                     "[{4 35}]",
		"So it looks:\n\n```\n" + half + "```\n":                                          "[]",
		"~~~~ text\n" + half + "```\n~~~~\n":                                              "[]",
		"```\n" + half:                                                                    "[]", // the block ends with the text
		"<<<<<<< a\n```\nb\n=======\nc\n>>>>>>> d\n```\n":                                 "[{0 35}]",
		"```\n<<<<<<< a\nb\n```\n=======\nc\n```\n>>>>>>> d\n```\n":                       "[{4 43}]",
		"```\nx\n```\n" + half + "```\ny\n```\n":                                          "[{10 41}]",
		"- so:\n  ```\n" + half + "  ```\n":                                               "[{12 43}]", // the list ends before it
	} {
		if got := fmt.Sprint(Unresolved(Parse([]byte(text)))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
