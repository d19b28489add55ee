package audit

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/agent/guide"
	"kist/agent/language"
	"kist/vault"
	"kist/vault/dimension"
	"kist/vault/entity"
)

// A side is a dimension with the headings under which people write what belongs to it.
type side struct {
	dimension.Dimension
	core  bool
	names string // folded, separated by "|"
}

func sides() []side {
	names := map[string]string{
		dimension.Integrity:   "integrity and ideals|integrity ideals|ideals|principles|values|standards|success criteria|definition of done|vision",
		dimension.People:      "people and bonds|people bonds|people|team|stakeholders|roles",
		dimension.Goals:       "goals and momentum|goals momentum|goals|goal|objectives|milestones|targets",
		dimension.Meaning:     "meaning and identity|meaning identity|meaning|why|purpose|motivation|mission",
		dimension.Reality:     "reality and understanding|reality understanding|reality|current state|current situation|situation|context|background|status quo",
		dimension.Trust:       "trust and safeguards|trust safeguards|safeguards|risks|risk|risks and mitigation|security",
		dimension.Opportunity: "opportunity and freedom|opportunity freedom|opportunities|opportunity|options|ideas",
		dimension.Resources:   "power and resources|power resources|resources|budget|costs|money|tools|means",
		dimension.Harmony:     "harmony and integration|harmony integration|integration|dependencies|balance",
	}
	var out []side
	for _, d := range dimension.All() {
		out = append(out, side{d, slices.Contains(guide.Core(), d.Key), names[d.Key]})
	}
	return out
}

func (d side) has(heading string) bool {
	for name := range strings.SplitSeq(d.names, "|") {
		if name == heading {
			return true
		}
	}
	return false
}

// Scores: a dimension is empty below thin, and good from good on.
const (
	open = 1 // no more than "TBD"
	thin = 5 // more than one bare sentence
	good = 8
)

var placeholder = language.Pattern(`(?i)^[\W_]*(?:tbd|tbc|todo|to do|to be (?:done|written|defined|decided|determined)|not yet|n/?a|none yet|nothing yet|\?+|x+|lorem ipsum.*|(?:add|write|describe|fill)\b.{0,40}\bhere)?[\W_]*$`)

// Measure tells how much of a project is written down: what each dimension's text is
// worth, by the keys of package dimension, and of the whole from 0 to 1. It reads the
// project's document as [Run] does, under every heading that people use for a
// dimension. It returns ErrNotFound of package vault for a project that isn't there.
func Measure(ctx context.Context, v *vault.Vault, slug string) (perDimension map[string]int, overall float64, err error) {
	p, err := entity.FindProject(ctx, v, slug)
	if err != nil {
		return nil, 0, fmt.Errorf("measure %q: %w", slug, err)
	}
	doc, err := v.Document(p.Path)
	if err != nil {
		return nil, 0, fmt.Errorf("measure %q: %w", slug, err)
	}
	m := &material{slug: slug, project: newFile(path.Clean(p.Path), doc)}
	perDimension, overall = m.measure()
	return perDimension, overall, nil
}

// measure is the one measure of package guide, of what the project's document says.
func (m *material) measure() (perDimension map[string]int, overall float64) {
	texts := map[string]string{}
	for _, d := range sides() {
		texts[d.Key] = m.textOf(d)
	}
	return guide.Measure(m.project.doc.FirstParagraph(), texts)
}

// textOf is what stands under a dimension's headings; of open points ("TBD") one,
// where there is nothing else.
func (m *material) textOf(d side) string {
	var said []string
	tbd := ""
	for _, l := range m.project.lines {
		switch {
		case !l.under(d.has):
		case l.blank:
			tbd = l.text
		default:
			said = append(said, l.text)
		}
	}
	if len(said) == 0 {
		return tbd
	}
	return strings.Join(said, "\n")
}

// checkDimensions reports the dimensions on which little is written.
func (m *material) checkDimensions(scores map[string]int) []Dimension {
	var out []Dimension
	var lacking []string
	first := Evidence{m.project.path, 1, ""}
	for _, d := range sides() {
		dim := Dimension{Name: d.Heading, Core: d.core, Score: scores[d.Key], At: m.heading(d.has)}
		out = append(out, dim)
		switch {
		case d.core && dim.Score < thin:
			m.lackingCore(d.Key, dim)
		case d.core && dim.Score >= good:
			m.praise(d.Heading+" is thought through.", dim.At)
		case !d.core && dim.Score < thin:
			lacking = append(lacking, d.Heading)
			if dim.At.Text != "" && first.Text == "" {
				first = dim.At
			}
		}
	}
	if len(lacking) > 0 && m.live() {
		severity := 2
		if len(lacking) > 3 {
			severity = 4
		}
		m.add(Finding{Completeness, severity, fmt.Sprintf("Little is written on %s", count(len(lacking), "dimension")),
			strings.Join(lacking, ", ") + ".", []Evidence{first},
			"Two sentences on the one that could hurt most are a start; the others may not matter here."})
	}
	return out
}

func (m *material) lackingCore(key string, d Dimension) {
	ask := map[string]string{
		dimension.Integrity: "What would a good result look like, and what would you not do for it?",
		dimension.Goals:     "What should be true when this is done, and by when?",
		dimension.Reality:   "What is the situation today, in facts and numbers?",
	}[key]
	if d.Score <= open {
		m.add(Finding{Completeness, 7, d.Name + " is empty", "It is one of the three dimensions that everything else rests on.", []Evidence{d.At}, ask})
		return
	}
	m.add(Finding{Completeness, 5, d.Name + " is thin", "There is a start, but not enough to check a decision against.", []Evidence{d.At}, ask})
}

// named matches folded headings.
func named(names ...string) func(string) bool {
	return func(heading string) bool { return slices.Contains(names, heading) }
}

func isSummary(h string) bool { return named("summary", "overview", "tldr", "in short")(h) }
func isNext(h string) bool    { return named("next steps", "next step", "next actions", "next")(h) }
func isPast(h string) bool {
	return named("decisions", "history", "log", "changelog", "journal", "diary", "archive", "conversations", "notes", "done", "completed", "old")(h)
}

// checkFrame looks for a summary and for what comes next.
func (m *material) checkFrame() {
	summary, next := false, false
	for _, l := range m.project.lines {
		if l.blank {
			continue
		}
		summary = summary || l.under(isSummary) || l.intro
		next = next || l.under(isNext) && l.box != 'x' && l.box != 'X'
	}
	open := slices.ContainsFunc(m.tasks, func(t task) bool { return t.open() })
	at := m.heading(isSummary)
	if !summary {
		m.add(Finding{Missing, 5, "There is no summary", "Whoever comes back after a month, you included, has to read everything.", []Evidence{at},
			"Say in two or three sentences what this is, for whom, and where it stands."})
	}
	at = m.heading(isNext)
	switch {
	case !m.live():
	case !next && !open:
		m.add(Finding{Missing, 6, "Nothing says what happens next", "The project is active, but it has no next step and no open task.", []Evidence{at},
			"Write down the one thing to do next, or complete the project."})
	case !next:
		m.add(Finding{Missing, 3, "There are tasks, but no next step", "Open tasks don't say which of them comes first.", []Evidence{at},
			"Name the one or two to do first under Next steps."})
	}
}

// heading is evidence of the first such section, or of the document's start.
func (m *material) heading(name func(string) bool) Evidence {
	for _, s := range m.project.doc.Sections() {
		if name(fold(s.Heading())) {
			return Evidence{m.project.path, s.Line, plain(s.Heading())}
		}
	}
	return Evidence{m.project.path, 1, ""}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
