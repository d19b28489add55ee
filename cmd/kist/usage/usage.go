/*
Package usage words what is wrong with a command line, as kist words everything: what was
given, what is wanted, and no names of Go's functions. [Mend] does it for all commands.
*/
package usage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Mend words the errors of a command and of all below it, has flags that take one value refuse a
// second, and help and completion what they don't know; bad makes an error one of the command line.
func Mend(root *cobra.Command, bad func(error) error) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return fmt.Errorf("%s", flag(cmd, err.Error())) })
	each(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(single)
		cmd.PersistentFlags().VisitAll(single)
		switch wants := cmd.Args; {
		case cmd.Name() == "help" && cmd.Parent() == root:
			cmd.Args = topics(root)
		case cmd.Name() == "completion" && cmd.Parent() == root:
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(cmd *cobra.Command, args []string) error { return shells(cmd, args, bad) }
		case wants != nil:
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if err := wants(cmd, args); err != nil {
					return counted(cmd, args, err)
				}
				return nil
			}
		}
	})
}

func each(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		each(sub, do)
	}
}

// once is the value of a flag that is given at most once: of two, nobody could tell which counts.
type once struct {
	pflag.Value
	given bool
}

// Type is what help has in the value's place, in a word for people.
func (o *once) Type() string {
	if t := o.Value.Type(); !strings.HasPrefix(strings.TrimPrefix(t, "u"), "int") {
		return t
	}
	return "number"
}

func (o *once) Set(text string) error {
	if o.given {
		return fmt.Errorf("it is given twice, and takes one value (the other is %q)", o.String())
	}
	o.given = true
	return o.Value.Set(text)
}

// single has a flag that takes one value refuse a second; saying a thing twice is no fault.
func single(f *pflag.Flag) {
	_, list := f.Value.(pflag.SliceValue)
	if _, done := f.Value.(*once); !done && !list && f.Value.Type() != "bool" && f.Value.Type() != "count" {
		f.Value = &once{Value: f.Value}
		if f.DefValue == "0s" {
			f.DefValue = "" // the library tells of no zero of its own kinds
		}
	}
}

// counted says how a command is written where the number of its arguments is wrong.
func counted(cmd *cobra.Command, args []string, err error) error {
	if !strings.Contains(err.Error(), "arg(s)") && !strings.HasPrefix(err.Error(), "unknown command") {
		return err
	}
	_, wants, _ := strings.Cut(cmd.Use, " ")
	if wants == "" {
		return fmt.Errorf("%s takes no argument, and %q was given", cmd.CommandPath(), args[0])
	}
	given := "nothing was"
	if len(args) > 0 {
		given = fmt.Sprintf("%d %s", len(args), map[bool]string{true: "argument was", false: "arguments were"}[len(args) == 1])
	}
	return fmt.Errorf("%s wants %s, and %s given", cmd.CommandPath(), wants, given)
}

// flag words what is wrong with a flag.
func flag(cmd *cobra.Command, said string) string {
	badFlag := regexp.MustCompile(`^invalid argument (".*") for "(.*)" flag: (?s:(.*))$`)
	if m := badFlag.FindStringSubmatch(said); m != nil {
		_, name, found := strings.Cut(m[2], ", ")
		if !found {
			name = m[2]
		}
		wants := m[3]
		switch {
		case strings.HasPrefix(wants, "strconv.ParseInt"), strings.HasPrefix(wants, "strconv.ParseUint"):
			wants = "it is no whole number"
			if strings.Contains(m[3], "out of range") {
				wants = "the number is too large"
			}
		case strings.HasPrefix(wants, "strconv.ParseBool"):
			wants = "it is true or false"
		case strings.HasPrefix(wants, "strconv.ParseFloat"):
			wants = "it is no number"
		case strings.HasPrefix(wants, "time:"):
			wants = "it is no length of time such as 90s or 2h"
		}
		return fmt.Sprintf("%s %s: %s", name, m[1], wants)
	}
	if _, short, ok := strings.Cut(said, "unknown shorthand flag: "); ok && len(short) > 2 {
		if _, text, ok := strings.Cut(short, " in -"); ok && strings.Contains(text, " ") {
			return fmt.Sprintf("a text that begins with a dash, as flags do, goes behind --: %s -- %q", cmd.CommandPath(), "-"+text)
		}
		return fmt.Sprintf("%s has no flag -%s", cmd.CommandPath(), strings.Trim(strings.Fields(short)[0], "'"))
	}
	if name, ok := strings.CutPrefix(said, "flag needs an argument: "); ok {
		if _, in, short := strings.Cut(name, " in "); short {
			name = in
		}
		return name + " needs a value behind it"
	}
	if name, ok := strings.CutPrefix(said, "unknown flag: --"); ok {
		return fmt.Sprintf("%s has no flag --%s%s", cmd.CommandPath(), name, near(cmd, name))
	}
	return said
}

// near names a flag that may have been meant: one that it begins, is the beginning of, or is
// spelt much like.
func near(cmd *cobra.Command, name string) string {
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
	return Mean(nearest("--"+name, flags))
}

// nearest are the names that are spelt most like a word, if any much like it.
func nearest(word string, names []string) (found []string) {
	bare := strings.TrimLeft(word, "-")
	least := max(min(2, len(bare)/2), len(bare)/3)
	for _, name := range names {
		d := levenshtein.ComputeDistance(word, name)
		if len(bare) >= 3 && strings.HasPrefix(name, word) || len(strings.TrimLeft(name, "-")) >= 3 && strings.HasPrefix(word, name) {
			d = min(d, 1)
		}
		if d < least {
			least, found = d, nil
		}
		if d == least {
			found = append(found, name)
		}
	}
	return found[:min(3, len(found))]
}

// Near are the commands that may have been meant by a word that is none of cmd's: what it is
// also called, else what is spelt much like it, else what does so one step below.
func Near(cmd *cobra.Command, word string) (found []string) {
	for _, sub := range cmd.Commands() {
		if slices.ContainsFunc(sub.SuggestFor, func(w string) bool { return strings.EqualFold(w, word) }) {
			found = append(found, sub.Name())
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, group := range cmd.Commands() {
		for _, sub := range group.Commands() {
			if also := slices.Contains(sub.SuggestFor, word); sub.Name() == word || also && group.Name() == "task" {
				found = append(found, sub.CommandPath())
			}
		}
	}
	if most := 4; len(found) > most {
		found = slices.DeleteFunc(found, func(path string) bool { return !strings.Contains(path, " task ") })
	}
	if len(found) > 0 {
		return found
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			found = append(found, sub.Name())
		}
	}
	return nearest(word, found)
}

// Mean asks whether one of some names was meant; empty for none.
func Mean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", strings.Join(names, " or "))
}

// topics refuses help on what isn't a command.
func topics(root *cobra.Command) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err == nil && len(rest) == 0 && (found != root || len(args) == 0) {
			return nil
		}
		mean := ""
		if found != nil && len(rest) > 0 {
			mean = Mean(Near(found, rest[0]))
		}
		return fmt.Errorf("there is no command %q to help with%s", strings.Join(args, " "), mean)
	}
}

// shells is what completion does without a shell that it knows.
func shells(cmd *cobra.Command, args []string, bad func(error) error) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var known []string
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
	}
	return bad(fmt.Errorf("no completion for %q: there is %s", args[0], strings.Join(known, ", ")))
}
