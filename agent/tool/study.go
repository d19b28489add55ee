package tool

import (
	"context"

	"kist/agent/audit"
	"kist/agent/forecast"
	"kist/agent/narration"
	"kist/vault/entity"
)

type auditArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
}

type forecastArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Seed    int    `json:"seed,omitempty" jsonschema:"else the files' own" limit:"min=0,max=1000000000"`
	Task    string `json:"task,omitempty" jsonschema:"of list_tasks: what if it is late" limit:"max=400"`
	Delay   int    `json:"delay_days,omitempty" limit:"min=1,max=3650"`
}

// studyTools look at a project as a whole.
func studyTools(c *catalogue) {
	define(c, "audit", Read, "Check a project's files for gaps, contradictions and risks; every finding names its line.", auditProject)
	c.when(projectTier())
	define(c, "forecast", Read, "Simulate when a project will be done, from its own history.", forecastProject)
	c.when(projectTier())
}

func auditProject(ctx context.Context, e *Env, a auditArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	report, err := audit.Run(ctx, e.Vault, p.Slug, e.Now)
	if err != nil {
		return faultOf(err)
	}
	findings := []map[string]any{}
	var sources []string
	seen := []string{p.Path}
	for _, f := range report.Findings {
		for _, ev := range f.Evidence {
			seen = append(seen, ev.Path)
		}
	}
	for _, f := range report.Findings[:min(len(report.Findings), maxListed)] {
		at := []string{}
		for _, ev := range f.Evidence {
			at = append(at, lineOf(ev.Path, ev.Line))
		}
		sources = append(sources, at...)
		findings = append(findings, map[string]any{
			"kind": f.Kind, "severity": f.Severity, "title": f.Title, "detail": clip(f.Detail, 400), "at": at, "suggestion": clip(f.Suggestion, 300),
		})
	}
	return Result{
		Value: map[string]any{
			"project": p.Slug, "name": p.Name, "severity": report.Severity, "findings": findings, "count": len(report.Findings),
			"completeness": report.Completeness, "text": audit.Format(report),
		},
		Sources: sources, Seen: seen, Study: audited(report),
	}, nil
}

// audited is a report for whoever tells of it in other words.
func audited(r audit.Report) *narration.Study {
	s := &narration.Study{Kind: "audit", Text: audit.Format(r), Read: r.Read}
	for _, p := range audit.Points(r) {
		point := narration.Point{Text: p.Text}
		for _, e := range p.At {
			point.Show(e.Path, e.Line)
		}
		s.Points = append(s.Points, point)
	}
	return s
}

// forecasted is a result for the same.
func forecasted(r forecast.Result) *narration.Study {
	s := &narration.Study{Kind: "forecast", Text: forecast.Format(r)}
	for _, p := range forecast.Points(r) {
		point := narration.Point{Text: p.Text}
		for _, e := range p.At {
			point.Show(e.Path, e.Line)
		}
		s.Points = append(s.Points, point)
	}
	return s
}

func forecastProject(ctx context.Context, e *Env, a forecastArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	in, err := forecast.Gather(ctx, e.Vault, p.Slug, e.Now)
	if err != nil {
		return faultOf(err)
	}
	r := forecast.Run(in, forecast.Options{Seed: uint64(a.Seed)})
	study := forecasted(r)
	text := study.Text
	if a.Delay > 0 {
		late, t, ok := in.Delay(a.Task, a.Delay)
		if !ok {
			return fault("no open task "+quote(a.Task)+" in "+p.Name, "use a task of list_tasks"), nil
		}
		after := forecast.Run(late, forecast.Options{Seed: r.Seed})
		text, study = forecast.FormatDelay(r, after, t, a.Delay), nil // it says all in three lines
		r.Scenarios, r.Deadlines = after.Scenarios, after.Deadlines
	}
	v := map[string]any{
		"project": p.Slug, "name": p.Name, "basis": string(r.Basis), "why": r.Why, "open": r.Open, "done": r.Done,
		"scenarios": r.Scenarios, "deadlines": r.Deadlines, "drivers": r.Drivers, "warnings": r.Warnings, "decisions": r.Decisions,
		"assumptions": r.Assumptions, "text": text,
	}
	var sources []string
	for _, ev := range r.Evidence[:min(len(r.Evidence), maxListed)] {
		sources = append(sources, lineOf(ev.Path, ev.Line))
	}
	tasks, err := entity.Tasks(ctx, e.Vault, p.Slug)
	if err != nil {
		return faultOf(err)
	}
	seen := []string{p.Path}
	for _, t := range tasks {
		seen = append(seen, t.Path)
	}
	if study != nil {
		study.Read = seen
	}
	return Result{Value: v, Sources: sources, Seen: seen, Study: study}, nil
}
