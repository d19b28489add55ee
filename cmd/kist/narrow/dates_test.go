package narrow_test

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kist/cmd/kist/narrow"
	v1 "kist/proto/kist/v1"
)

// Each date of a task has a flag, and each flag has the same words.
func TestDates(t *testing.T) {
	for args, want := range map[string]string{
		"--due 2026-12-01":   "due 2026-12-01 2026-12-01",
		"--due ..2026-12-01": "due  2026-12-01",
		"--due-after 2026-12-01 --due-before 2026-12-05": "due 2026-12-02 2026-12-04",
		"--due-on 2026-12-01":                            "due 2026-12-01 2026-12-01",
		"--scheduled 2026-12-01.. --due none":            "scheduled 2026-12-01  without due",
		"--start 2026-12-01..2026-12-31 --created any":   "start 2026-12-01 2026-12-31 with created",
		"--done 2026-12-01":                              "done 2026-12-01 2026-12-01 status done",
		"--done 2026-12-01 --status all":                 "done 2026-12-01 2026-12-01 status all",
		"--done none":                                    "without done",
		"--created ..2026-12-31":                         "created  2026-12-31",
		"--created 2026-12-31..2026-12-01":               "--created \"2026-12-31..2026-12-01\": it ends before it begins",
		"--scheduled soon":                               "--scheduled \"soon\": write none, any, a day as YYYY-MM-DD, or two as 2026-12-01..2026-12-31",
		"--scheduled ..":                                 "--scheduled \"..\": write none, any, a day as YYYY-MM-DD, or two as 2026-12-01..2026-12-31",
		"--due 2026-12-01 --due-after 2026-12-01":        "--due names days already: leave --due-on, --due-before and --due-after out",
		"--due-on 2026-12-01 --due-after 2026-12-01":     "--due-on is one day: leave --due-before and --due-after out",
	} {
		f, req := pflag.NewFlagSet("list", pflag.ContinueOnError), v1.ListTasksRequest{}
		read := narrow.Tasks(f, &req)
		err := f.Parse(strings.Fields(args))
		if err == nil {
			err = read()
		}
		var got []string
		add := func(what, from, to string) {
			if from+to != "" {
				got = append(got, what+" "+from+" "+to)
			}
		}
		if err != nil {
			got = append(got, err.Error())
		} else {
			add("due", req.DueFrom, req.DueTo)
			add("scheduled", req.ScheduledFrom, req.ScheduledTo)
			add("start", req.StartFrom, req.StartTo)
			add("done", req.DoneFrom, req.DoneTo)
			add("created", req.CreatedFrom, req.CreatedTo)
			for what, v := range map[string]string{"with": strings.Join(req.WithDates, ","), "without": strings.Join(req.WithoutDates, ","), "status": req.Status} {
				if v != "" {
					got = append(got, what+" "+v)
				}
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", args, s, want)
		}
	}
}
