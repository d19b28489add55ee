// Package study answers the calls that read a project as a whole: what an audit and a forecast
// find out, as data. It works nothing out by itself.
package study

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"kist/agent/audit"
	"kist/agent/forecast"
	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/entity"
)

// A Service answers for one vault.
type Service struct{ vault *vault.Vault }

// New returns the service of a vault.
func New(v *vault.Vault) Service { return Service{v} }

// AuditProject says what is missing in a project, and what doesn't fit.
func (s Service) AuditProject(ctx context.Context, req *kistv1.AuditProjectRequest) (*kistv1.AuditProjectResponse, error) {
	p, err := entity.FindProject(ctx, s.vault, req.Project)
	if err != nil {
		return nil, err
	}
	r, err := audit.Run(ctx, s.vault, p.Slug, s.vault.Now())
	if err != nil {
		return nil, err
	}
	return &kistv1.AuditProjectResponse{
		Project: text(p.Slug), Name: text(r.Name), Severity: int32s(r.Severity), Completeness: r.Completeness, LeftOut: int32s(r.Left),
		Findings: each(r.Findings, func(f audit.Finding) *kistv1.Finding {
			return &kistv1.Finding{
				Kind: string(f.Kind), Severity: int32s(f.Severity), Title: text(f.Title), Detail: text(f.Detail), Suggestion: text(f.Suggestion),
				Evidence: each(f.Evidence, audited),
			}
		}),
		Strengths: each(r.Strengths, func(g audit.Strength) *kistv1.Point {
			return &kistv1.Point{Text: text(g.Text), Evidence: []*kistv1.Evidence{audited(g.At)}}
		}),
		Read: each(r.Read, text), Text: text(audit.Format(r)),
	}, nil
}

func audited(e audit.Evidence) *kistv1.Evidence {
	return &kistv1.Evidence{Path: text(e.Path), Line: int32s(e.Line), Text: text(e.Text)}
}

// GetCompleteness says how much of a project is written down.
func (s Service) GetCompleteness(ctx context.Context, req *kistv1.GetCompletenessRequest) (*kistv1.GetCompletenessResponse, error) {
	p, err := entity.FindProject(ctx, s.vault, req.Project)
	if err != nil {
		return nil, err
	}
	sides, overall, err := audit.Sides(ctx, s.vault, p.Slug)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetCompletenessResponse{
		Project: text(p.Slug), Completeness: overall,
		Dimensions: each(sides, func(d audit.Side) *kistv1.DimensionCompleteness {
			return &kistv1.DimensionCompleteness{
				Key: d.Key, Heading: d.Name, Core: d.Core, Completeness: float64(d.Score) / 10, Evidence: each(d.At, audited),
			}
		}),
	}, nil
}

// ForecastProject says when a project will be done.
func (s Service) ForecastProject(ctx context.Context, req *kistv1.ForecastProjectRequest) (*kistv1.ForecastProjectResponse, error) {
	p, err := entity.FindProject(ctx, s.vault, req.Project)
	if err != nil {
		return nil, err
	}
	in, err := forecast.Gather(ctx, s.vault, p.Slug, s.vault.Now())
	if err != nil {
		return nil, err
	}
	r := forecast.Run(in, forecast.Options{})
	return &kistv1.ForecastProjectResponse{
		Project: text(p.Slug), Name: text(r.Name), Basis: string(r.Basis), Why: text(r.Why), OpenTasks: int32s(r.Open), DoneTasks: int32s(r.Done),
		Scenarios: each(r.Scenarios, func(s forecast.Scenario) *kistv1.Scenario {
			return &kistv1.Scenario{Name: s.Name, Percentile: int32s(s.Percentile), Date: onDay(s.Date), Beyond: s.Beyond}
		}),
		Curve: each(r.Curve, func(c forecast.Share) *kistv1.CurvePoint {
			return &kistv1.CurvePoint{Date: onDay(c.Date), Likelihood: c.Likelihood}
		}),
		Deadlines: each(r.Deadlines, func(d forecast.Deadline) *kistv1.Deadline {
			return &kistv1.Deadline{
				Name: text(d.Name), Project: d.Project, Date: onDay(d.Date), Tasks: int32s(d.Tasks), Likelihood: d.Likelihood, Evidence: forecasted(d.At),
			}
		}),
		Drivers: each(r.Drivers, func(d forecast.Driver) *kistv1.Driver {
			return &kistv1.Driver{Name: text(d.Name), Days: int32s(d.Days), Beyond: d.Beyond, Evidence: each(d.At, forecasted)}
		}),
		Warnings: each(r.Warnings, func(n forecast.Note) *kistv1.Point {
			return &kistv1.Point{Text: text(n.Text), Evidence: each(n.At, forecasted)}
		}),
		Decisions: each(r.Decisions, func(d forecast.Decision) *kistv1.DueDecision {
			return &kistv1.DueDecision{By: onDay(d.By), Text: text(d.Text), Evidence: each(d.At, forecasted)}
		}),
		Assumptions: each(r.Assumptions, text), Evidence: each(r.Evidence, forecasted), Seed: strconv.FormatUint(r.Seed, 10), Runs: int32s(r.Runs), Text: text(forecast.Format(r)),
	}, nil
}

func forecasted(e forecast.Evidence) *kistv1.Evidence {
	return &kistv1.Evidence{Path: text(e.Path), Line: int32s(e.Line), Text: text(e.Text)}
}

func onDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// text makes a string fit for a message, which must be UTF-8.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func int32s(n int) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// each converts a list.
func each[A, B any](list []A, one func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = one(a)
	}
	return out
}
