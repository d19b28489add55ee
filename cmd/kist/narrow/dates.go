package narrow

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	v1 "kist/proto/kist/v1"
)

// dates adds a flag for each date that a task may have, and returns what puts them into req.
func dates(f *pflag.FlagSet, req *v1.ListTasksRequest) func() error {
	list := []struct {
		name, usage, said string
		from, to          *string
	}{
		{name: "due", usage: "due: none, any, a day (YYYY-MM-DD), or FROM..TO with either end left out", from: &req.DueFrom, to: &req.DueTo},
		{name: "scheduled", usage: "planned for (⏳): as --due", from: &req.ScheduledFrom, to: &req.ScheduledTo},
		{name: "start", usage: "not to be begun before (🛫): as --due", from: &req.StartFrom, to: &req.StartTo},
		{name: "done", usage: "done on (✅), for which --status done is meant: as --due", from: &req.DoneFrom, to: &req.DoneTo},
		{name: "created", usage: "written down on (➕): as --due", from: &req.CreatedFrom, to: &req.CreatedTo},
	}
	for i := range list {
		f.StringVar(&list[i].said, list[i].name, "", list[i].usage)
	}
	return func() (err error) {
		for _, d := range list {
			switch d.said {
			case "":
				continue
			case "none":
				req.WithoutDates = append(req.WithoutDates, d.name)
				continue
			case "any":
				req.WithDates = append(req.WithDates, d.name)
			default:
				if *d.from, *d.to, err = span(d.said); err != nil {
					return fmt.Errorf("--%s %w", d.name, err)
				}
			}
			if d.name == "done" && req.Status == "" {
				req.Status = "done" // what is open was never done
			}
		}
		return nil
	}
}

// span reads a day, or two with dots between them, of which one may be missing.
func span(said string) (from, to string, err error) {
	from, to, two := strings.Cut(said, "..")
	if !two {
		to = from
	}
	bad := slices.ContainsFunc([]string{from, to}, func(day string) bool {
		_, err := time.Parse(time.DateOnly, day)
		return day != "" && err != nil
	})
	switch {
	case bad || from+to == "":
		return "", "", fmt.Errorf("%q: write none, any, a day as YYYY-MM-DD, or two as 2026-12-01..2026-12-31", said)
	case to != "" && to < from:
		return "", "", fmt.Errorf("%q: it ends before it begins", said)
	}
	return from, to, nil
}
