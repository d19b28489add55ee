package find

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
)

// searchPlan says what all explanations of an answer have in common.
func searchPlan(p *output.Printer, s *v1.SearchPlan) {
	var how string
	switch s.GetRanking() {
	case "hybrid":
		how = fmt.Sprintf("ranked by %s words (BM25, %s) + %s meaning (cosine, %s)", figure(s.Words.GetWeight()), listRange(s.Words), figure(s.Vectors.GetWeight()), listRange(s.Vectors))
		if len(s.Feedback) > 0 {
			how += "; meaning is that of the words and of " + strings.Join(s.Feedback, ", ")
		}
	case "vector":
		how = fmt.Sprintf("ranked by meaning (cosine, %s)", listRange(s.Vectors))
	case "bm25":
		how = fmt.Sprintf("ranked by words (BM25, %s)", listRange(s.Words))
	case "reading":
		how = "ranked by words in the files themselves: the index leaves them out"
	default:
		how = "newest first: the query has no words to rank by"
	}
	p.Printf("%s\n", p.Paint(output.Dim, how))
	if len(s.GetConditions()) > 0 {
		p.Printf("%s\n", p.Paint(output.Dim, "every result meets "+strings.Join(s.Conditions, ", ")))
	}
}

// listRange says how many documents a list has and what their scores are.
func listRange(l *v1.RankedList) string {
	if l.GetLength() == 0 {
		return "none"
	}
	return fmt.Sprintf("%s to %s in %s", figure(l.Worst), figure(l.Best), output.Plural(int(l.Length), "document"))
}

// explanation prints the sum that a score is, below its hit.
func explanation(p *output.Printer, e *v1.Explanation, plan *v1.SearchPlan) {
	t, v := e.GetText(), e.GetVector()
	score, meaning := "words "+figure(t.GetScore()), "meaning unknown"
	if v.Cosine != nil {
		meaning = "meaning " + figure(v.GetCosine())
	}
	switch plan.GetRanking() {
	case "newest":
		return
	case "reading", "bm25":
		p.Printf("    %s\n", p.Paint(output.Dim, score))
	case "vector":
		p.Printf("    %s\n", p.Paint(output.Dim, meaning+listPlace(v.GetRank())))
		recency(p, e)
		return
	default:
		p.Printf("    %s\n", p.Paint(output.Dim, fmt.Sprintf("%s = %s for %s%s + %s for %s%s",
			figure(t.GetShare()+v.GetShare()), figure(t.GetShare()), score, listPlace(t.GetRank()), figure(v.GetShare()), meaning, listPlace(v.GetRank()))))
	}
	var rows output.Table
	words := func(of string, all []*v1.WordExplanation) {
		for _, w := range all {
			rows.Add(output.Safe("     "), p.Paint(output.Yellow, w.Word), figure(w.Score), p.Paint(output.Dim, of+wordText(w, plan.GetDocuments())))
		}
	}
	words("", t.GetWords())
	words("in the best section ", t.GetSection())
	p.Table(rows)
	recency(p, e)
}

// recency prints what a document's age, and its name, make of the sum, where they count.
func recency(p *output.Printer, e *v1.Explanation) {
	if r := e.GetRecency(); r != nil {
		age := string(output.Plural(int(r.Days), "day")) + " old"
		if r.Days == 0 {
			age = "of today"
		}
		p.Printf("    %s\n", p.Paint(output.Dim, fmt.Sprintf("recency: %s, %s; score %s", times(r), age, figure(e.GetScore()-e.GetNamed()))))
	}
	if e.GetLast() {
		p.Printf("    %s\n", p.Paint(output.Dim, "a conversation with kist, a finished draft, a template, or excluded in Obsidian: after all others, unless path:, or type: or status: of the first two, is asked for"))
	}
	if n := e.GetNamed(); n > 0 {
		p.Printf("    %s\n", p.Paint(output.Dim, fmt.Sprintf("called what was asked for: + %s; score %s", figure(n), figure(e.GetScore()))))
	}
}

// times is the factor of a document's age.
func times(r *v1.RecencyExplanation) string {
	if r == nil {
		return "x1"
	}
	return "x" + figure(r.Factor)
}

func listPlace(rank int32) string {
	if rank == 0 {
		return " (not listed)"
	}
	return fmt.Sprintf(" (#%d)", rank)
}

// wordText says what a word's score is made of.
func wordText(w *v1.WordExplanation, documents int32) string {
	var fields []string
	for _, f := range w.Fields {
		what := f.Field
		if f.Term != w.Word {
			what += " as " + f.Term
		}
		fields = append(fields, fmt.Sprintf("%s %dx (length %.0f, average %.0f) %s", what, f.Count, f.Length, f.Average, figure(f.Score)))
	}
	return fmt.Sprintf("idf %s, in %d of %d; %s", figure(w.Idf), w.Documents, documents, strings.Join(fields, ", "))
}

// figure prints a number to three digits that count.
func figure(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a < 0.001:
		return strconv.FormatFloat(v, 'g', 1, 64)
	case a < 10:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// whyNot says what became of one document.
func whyNot(p *output.Printer, w *v1.WhyNot, plan *v1.SearchPlan) {
	if w == nil {
		return
	}
	p.Printf("%s  %s\n", p.Paint(output.Bold, w.Path), p.Paint(output.Cyan, w.Verdict+": "+w.Reason))
	if w.Explanation != nil && (w.Explanation.Rank > 0 || len(w.Explanation.Text.GetWords()) > 0) {
		explanation(p, w.Explanation, plan)
	}
	for _, c := range w.Conditions {
		how := p.Paint(output.Green, "meets")
		if !c.Met {
			how = p.Paint(output.Red, "fails")
		}
		p.Printf("    %s %s\n", how, c.Text)
	}
	if len(w.Lacking) > 0 {
		p.Printf("    it lacks %s\n", strings.Join(w.Lacking, ", "))
	}
	if w.Verdict != "ranked" || w.LastPath == "" {
		return
	}
	p.Printf("    the last one shown is %s with %s", w.LastPath, figure(w.LastScore))
	for i, d := range w.Differences {
		p.Printf("%s %s %s against %s", output.Safe([]string{"; there", ","}[min(i, 1)]), d.Word, figure(d.There), figure(d.Here))
	}
	if here := w.Explanation.GetRecency(); w.LastRecency.GetFactor() > here.GetFactor() {
		p.Printf("; recency there %s against %s", times(w.LastRecency), times(here))
	}
	p.Printf("\n")
}
