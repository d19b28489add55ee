package rpc

import (
	"math"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"kist/index"
	"kist/index/rank"
	"kist/index/served"
	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/position"
)

// text makes a string fit for a message, which must be UTF-8. Control characters
// stay: whoever shows the text has to make them harmless.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// name is text of what stands on one line: of a line of megabytes the beginning, and dots.
func name(s string) string {
	if len(s) > 16<<10 {
		s = s[:16<<10] + "..."
	}
	return text(s)
}

func texts[S ~[]string](list S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// int32s holds a number to what the wire carries instead of letting it wrap.
func int32s[N ~int | ~int64](n N) int32 {
	return int32(max(math.MinInt32, min(math.MaxInt32, int64(n))))
}

func timestamp(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() || t.Year() < 1 { // what no message can hold
		return nil
	}
	return timestamppb.New(t)
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// each converts a list.
func each[A, B any](list []A, one func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = one(a)
	}
	return out
}

func freshness(f rank.Freshness) *kistv1.Freshness {
	return &kistv1.Freshness{
		IndexedSeq: int32s(f.Indexed),
		VaultSeq:   int32s(f.Vault),
		Pending:    int32s(f.Pending),
		Failed:     int32s(f.Failed),
		Degraded:   text(f.Degraded),
		Vectors:    text(f.Vectors),
		Direct:     int32s(f.Direct),
	}
}

func problem(p vault.Problem) *kistv1.Problem {
	return &kistv1.Problem{
		Path:    text(p.Path),
		Line:    int32s(p.Line),
		Column:  int32s(p.Column),
		Message: text(p.Message),
		Hint:    text(p.Hint),
	}
}

func indexStatus(s index.Status) *kistv1.GetIndexStatusResponse {
	return &kistv1.GetIndexStatusResponse{
		State:     string(s.State),
		Freshness: freshness(s.Freshness),
		Documents: int32s(s.Documents),
		Sections:  int32s(s.Sections),
		Notice:    text(s.Notice),
		Problems:  each(s.Problems, problem),
		Progress:  progress(s.Progress),
		Vectors: &kistv1.VectorStatus{
			State:     string(s.Vectors.State),
			Model:     s.Vectors.Model,
			Documents: int32s(s.Vectors.Documents),
			Pending:   int32s(s.Vectors.Pending),
			Training:  s.Vectors.Training,
			Embedder:  embedder(s.Vectors.Embedder),
		},
	}
}

// embedder is nil where there is none.
func embedder(s served.Status) *kistv1.EmbedderStatus {
	if s.Model == "" {
		return nil
	}
	return &kistv1.EmbedderStatus{
		Model:     text(s.Model),
		State:     string(s.State),
		InUse:     s.InUse,
		Documents: int32s(s.Documents),
		Pending:   int32s(s.Pending),
		Skipped:   int32s(s.Skipped),
		Problem:   text(s.Problem),
	}
}

func progress(p index.Progress) *kistv1.IndexProgress {
	return &kistv1.IndexProgress{Done: int32s(p.Done), Total: int32s(p.Total), PerSecond: p.Rate, SecondsLeft: p.Left.Seconds()}
}

func hit(h rank.Hit) *kistv1.Hit {
	spans := each(h.Highlights, func(s rank.Span) *kistv1.Span {
		return &kistv1.Span{Start: int32s(s.Start), End: int32s(s.End)}
	})
	excerpt, table := text(h.Excerpt), position.New([]byte(h.Excerpt))
	ranges := each(h.Highlights, func(s rank.Span) *kistv1.Range {
		return placesRange(table.Place(s.Start), table.Place(s.End))
	})
	if excerpt != h.Excerpt {
		spans, ranges = nil, nil // they count other bytes
	}
	return &kistv1.Hit{
		Path:       text(h.Path),
		Line:       int32s(h.Line),
		Heading:    name(h.Heading),
		Excerpt:    excerpt,
		Highlights: spans,
		Score:      h.Score,
		Project:    text(h.Project),
		Title:      name(h.Title),
		Type:       text(h.Type),
		Tags:       texts(h.Tags),
		HeadOnly:   h.HeadOnly,
		LeftOut:    h.LeftOut,

		HighlightRanges: ranges,
		Explanation:     explanation(h.Why),
	}
}
