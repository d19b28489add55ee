package rpc

import (
	"kist/index/rank"
	"kist/index/relation"
	kistv1 "kist/proto/kist/v1"
)

func searchPlan(p *rank.Plan) *kistv1.SearchPlan {
	if p == nil {
		return nil
	}
	return &kistv1.SearchPlan{
		Ranking:    string(p.Ranking),
		Documents:  int32s(p.Documents),
		Conditions: texts(p.Conditions),
		Words:      rankedList(p.Words),
		Vectors:    rankedList(p.Near),
		Feedback:   texts(p.Feedback),
	}
}

func rankedList(l rank.List) *kistv1.RankedList {
	return &kistv1.RankedList{Weight: l.Weight, Length: int32s(l.Length), Best: l.Best, Worst: l.Worst}
}

func explanation(e *rank.Explanation) *kistv1.Explanation {
	if e == nil {
		return nil
	}
	out := &kistv1.Explanation{
		Rank:  int32s(e.Rank),
		Score: e.Score,
		Text: &kistv1.TextExplanation{
			Rank:    int32s(e.Text.Rank),
			Score:   e.Text.Score,
			Words:   each(e.Text.Words, wordExplanation),
			Section: each(e.Text.Section, wordExplanation),
			Normal:  e.Text.Normal,
			Order:   e.Text.Order,
			Share:   e.Text.Share,
		},
		Vector: &kistv1.VectorExplanation{
			Rank:   int32s(e.Vector.Rank),
			Floor:  e.Vector.Floor,
			Normal: e.Vector.Normal,
			Share:  e.Vector.Share,
		},
	}
	out.Recency, out.Named, out.Last = recency(e.Recency), e.Named, e.Last
	if e.Vector.Known {
		out.Vector.Cosine = &e.Vector.Cosine
	}
	return out
}

func recency(p *rank.RecencyPart) *kistv1.RecencyExplanation {
	if p == nil {
		return nil
	}
	return &kistv1.RecencyExplanation{Factor: p.Factor, Days: int32s(p.Days)}
}

func wordExplanation(w rank.WordPart) *kistv1.WordExplanation {
	return &kistv1.WordExplanation{
		Word:      text(w.Word),
		Documents: int32s(w.Documents),
		Idf:       w.IDF,
		Freq:      w.Freq,
		Score:     w.Score,
		Fields: each(w.Fields, func(f rank.FieldPart) *kistv1.FieldExplanation {
			return &kistv1.FieldExplanation{
				Field: f.Field, Term: text(f.Term), Count: int32s(f.Count), Length: f.Length, Average: f.Average,
				Weight: f.Weight, Freq: f.Freq, Score: f.Score,
			}
		}),
	}
}

func whyNot(w *rank.WhyNot) *kistv1.WhyNot {
	if w == nil {
		return nil
	}
	out := &kistv1.WhyNot{
		Path:    text(w.Path),
		Verdict: string(w.Verdict),
		Reason:  text(w.Reason),
		Conditions: each(w.Conditions, func(c rank.Condition) *kistv1.SearchCondition {
			return &kistv1.SearchCondition{Text: text(c.Text), Met: c.Met}
		}),
		Lacking:     texts(w.Lacking),
		Explanation: explanation(w.Why),
		LastPath:    text(w.LastPath),
		Differences: each(w.Differences(), func(d rank.Difference) *kistv1.WordDifference {
			return &kistv1.WordDifference{Word: text(d.Word), Here: d.Here, There: d.There}
		}),
	}
	if w.Last != nil {
		out.LastScore, out.LastRecency = w.Last.Score, recency(w.Last.Recency)
	}
	return out
}

func relatedProject(p relation.RelatedProject) *kistv1.RelatedProject {
	return &kistv1.RelatedProject{
		Slug:    text(p.Slug),
		Path:    text(p.Path),
		Name:    text(p.Name),
		Score:   p.Score,
		Content: p.Content,
		Alike: each(p.Alike, func(a relation.LikePair) *kistv1.LikePair {
			return &kistv1.LikePair{Ours: text(a.Ours), Theirs: text(a.Theirs), Cosine: a.Cosine}
		}),
		Links:      p.Links,
		TotalLinks: int32s(p.TotalLinks),
		LinkPairs: each(p.LinkPairs, func(l relation.LinkPair) *kistv1.LinkPair {
			return &kistv1.LinkPair{From: text(l.From), To: text(l.To)}
		}),
		Tags:       p.Tags,
		SharedTags: texts(p.Shared),
	}
}
