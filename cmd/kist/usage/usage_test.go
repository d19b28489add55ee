package usage

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestWords(t *testing.T) {
	root := func() *cobra.Command {
		root := &cobra.Command{Use: "kist", SilenceErrors: true, SilenceUsage: true}
		run := func(*cobra.Command, []string) error { return nil }
		set := &cobra.Command{Use: "set PATH KEY VALUE", Args: cobra.ExactArgs(3), RunE: run}
		list := &cobra.Command{Use: "list", Args: cobra.NoArgs, RunE: run}
		list.Flags().IntP("limit", "n", 0, "")
		list.Flags().Bool("wait", false, "")
		list.Flags().String("status", "", "")
		list.Flags().StringArray("tag", nil, "")
		root.AddCommand(set, list)
		Mend(root, func(err error) error { return err })
		root.SetOut(io.Discard)
		return root
	}
	for args, want := range map[string]string{
		"set a":                       "kist set wants PATH KEY VALUE, and 1 argument was given",
		"set":                         "kist set wants PATH KEY VALUE, and nothing was given",
		"set a b c d":                 "kist set wants PATH KEY VALUE, and 4 arguments were given",
		"list x":                      `kist list takes no argument, and "x" was given`,
		"list -n x":                   `--limit "x": it is no whole number`,
		"list -n 9999999999999999999": `--limit "9999999999999999999": the number is too large`,
		"list --wait=x":               `--wait "x": it is true or false`,
		"list --limt 3":               "kist list has no flag --limt (did you mean --limit?)",
		"list --sttus done":           "kist list has no flag --sttus (did you mean --status?)",
		"list --statuses done":        "kist list has no flag --statuses (did you mean --status?)",
		"list --stat done":            "kist list has no flag --stat (did you mean --status?)",
		"list --size 3":               "kist list has no flag --size",
		"list -n":                     "-n needs a value behind it",
		"list --status":               "--status needs a value behind it",
		"help lisst":                  `there is no command "lisst" to help with (did you mean list?)`,
		"list -q":                     "kist list has no flag -q",
		"help foo":                    `there is no command "foo" to help with`,
		"completion tcsh":             `no completion for "tcsh": there is bash, fish, powershell, zsh`,
		"list --status a --status b":  `--status "b": it is given twice, and takes one value (the other is "a")`,
		"list -n 3 --limit=4":         `--limit "4": it is given twice, and takes one value (the other is "3")`,
		"list --wait --wait":          "",
		"list --tag a --tag b":        "",
		"help list":                   "",
		"completion bash":             "",
		"list -n 3 --wait":            "",
	} {
		r := root()
		r.SetArgs(strings.Fields(args))
		got := ""
		if err := r.Execute(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestQuery(t *testing.T) {
	for text, want := range map[string]string{
		`"open`: "isn't closed", `a -"open b`: "isn't closed", `title:"open`: "isn't closed", "\u201eopen": "isn't closed",
		"path:": "path: needs", "x -path: y": "path: needs", "tag:": "tag: needs",
		"wor**d*": "wor*", "wor*d": "wor*", "title:wo*d": "wo*",
		"": "", `"closed" x`: "", "\u201eclosed\u201c": "", `5" pipe`: "", "don't": "", "wor*": "", "title:wor*": "", "path:*/tasks/*": "", "path:a*b": "",
		"key:*": "", "key:val*": "", "**bold**": "", "2*3": "", "-word": "", "--flag": "", "after: the flood": "", "https://x.y/z": "", `a "b" "c"`: "", "see: this": "",
	} {
		err := Query(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A word that is no command's is one that a command is also called, stands one step below, or
// is spelt much like one.
func TestNear(t *testing.T) {
	root := &cobra.Command{Use: "kist"}
	task, draft, doc := &cobra.Command{Use: "task"}, &cobra.Command{Use: "draft"}, &cobra.Command{Use: "doc"}
	root.AddCommand(task, draft, doc)
	for _, group := range []*cobra.Command{task, draft} {
		group.AddCommand(&cobra.Command{Use: "list"}, &cobra.Command{Use: "move"})
	}
	task.AddCommand(&cobra.Command{Use: "complete", SuggestFor: []string{"done"}})
	for _, row := range []struct {
		in         *cobra.Command
		word, want string
	}{
		{task, "done", "complete"},
		{task, "mvoe", "move"},
		{task, "lst", "list"},
		{task, "paint", ""},
		{root, "taks", "task"},
		{root, "list", "kist draft list, kist task list"},
		{root, "done", "kist task complete"},
		{root, "x", ""},
	} {
		if got := strings.Join(Near(row.in, row.word), ", "); got != row.want {
			t.Errorf("%s %s: %q, want %q", row.in.Name(), row.word, got, row.want)
		}
	}
}
