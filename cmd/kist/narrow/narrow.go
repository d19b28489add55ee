// Package narrow reads from flags what narrows a list of tasks.
package narrow

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/protobuf/proto"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// Tasks adds the flags to f. What they say is in req once the function returned was called,
// which has an error for what is no day, or can't be meant together.
func Tasks(f *pflag.FlagSet, req *v1.ListTasksRequest) func() error {
	var before, after, on string
	f.StringVar(&req.Status, "status", "", "backlog, todo, in_progress, done, cancelled or all (else: the open ones)")
	f.StringSliceVar(&req.Priorities, "priority", nil, "low, medium, high, urgent or none; several by comma")
	f.StringVar(&before, "due-before", "", "YYYY-MM-DD: due before that day")
	f.StringVar(&after, "due-after", "", "YYYY-MM-DD: due after that day")
	f.StringVar(&on, "due-on", "", "YYYY-MM-DD: due on that day")
	read := dates(f, req)
	f.BoolVar(&req.Overdue, "overdue", false, "open, and due before today")
	f.StringSliceVar(&req.Tags, "tag", nil, "with that tag, or one below it")
	f.StringVar(&req.Path, "path", "", "a document, a folder, or a pattern such as 'Daily/**'")
	f.BoolVar(&req.NoProject, "no-project", false, "only those that belong to no project")
	f.StringVar(&req.Text, "text", "", "words of the title")
	f.BoolVar(&req.Recurring, "recurring", false, "only recurring ones")
	f.StringVar(&req.OrderBy, "order", "", "due, scheduled, start, done, created, priority, status, title, path or project, by comma, each with \" desc\" or not")
	f.BoolVar(&req.CountOnly, "count", false, "only how many")
	return func() (err error) {
		f.Visit(func(given *pflag.Flag) {
			if v := given.Value.String(); err == nil && given.Value.Type() != "bool" && (v == "" || v == "[]") {
				err = fmt.Errorf("--%s is empty; leave it out where any will do", given.Name)
			}
		})
		if err != nil {
			return err
		}
		req.Path = strings.TrimPrefix(req.Path, "./")
		for _, day := range []string{before, after, on} {
			if _, bad := time.Parse(time.DateOnly, day); day != "" && bad != nil {
				return fmt.Errorf("%q is not a date; write it as YYYY-MM-DD", day)
			}
		}
		if err := read(); err != nil {
			return err
		}
		if on != "" {
			if before != "" || after != "" {
				return errors.New("--due-on is one day: leave --due-before and --due-after out")
			}
			before, after = shift(on, 1), shift(on, -1)
		}
		if before+after != "" {
			if req.DueFrom+req.DueTo != "" {
				return errors.New("--due names days already: leave --due-on, --due-before and --due-after out")
			}
			req.DueFrom, req.DueTo = shift(after, 1), shift(before, -1)
		}
		return nil
	}
}

// shift is the day some days later; empty for an empty one.
func shift(day string, days int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, days).Format(time.DateOnly)
}

// Proposed adds --proposed, which asks for that status.
func Proposed(f *pflag.FlagSet, status *string) {
	f.BoolFunc("proposed", "those that wait for your word, as --status proposed", func(s string) error {
		on, err := strconv.ParseBool(s)
		if on {
			*status = "proposed"
		}
		return err
	})
}

// Limit adds -n, how many of a list are shown at most.
func Limit(f *pflag.FlagSet, n *int, usual int) {
	*n = usual
	f.VarP((*limit)(n), "limit", "n", "at most so many; 0: all")
}

// More says that a list was cut, and by how much where that is known.
func More(log func(format string, args ...any), list proto.Message) {
	switch left, cut := dial.Left(list); {
	case left > 0:
		log("and %d more; -n 0 shows all\n", left)
	case cut:
		log("and more; -n 0 shows all\n")
	}
}

// limit is the value of -n.
type limit int

func (l *limit) String() string { return strconv.Itoa(int(*l)) }
func (l *limit) Type() string   { return "int" }
func (l *limit) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("at most how many? A whole number, 0 for all")
	}
	*l = limit(n)
	return nil
}
