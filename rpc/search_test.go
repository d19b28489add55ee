package rpc_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

// TestSearchFindsLongHeadings: a heading of a megabyte is told by its beginning.
func TestSearchFindsLongHeadings(t *testing.T) {
	s, _ := open(t, "-- a.md --\n# "+strings.Repeat("long", 300_000)+"\n\nhull\n-- b.md --\nhull\n")
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	if _, err := c.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"", "hull"} {
		if r, err := c.Search.Search(ctx, &kistv1.SearchRequest{Query: query}); err != nil || len(r.Results) != 2 {
			t.Errorf("%q: %v, %v", query, r, err)
		}
	}
}

// TestHighlightRanges: what matched is told in letters as editors and browsers count them, too.
func TestHighlightRanges(t *testing.T) {
	s, _ := open(t, "-- a.md --\n# Täglich\n\n🔁 für die Hülle\n")
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	if _, err := c.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		t.Fatal(err)
	}
	r, err := c.Search.Search(ctx, &kistv1.SearchRequest{Query: "Hülle"})
	if err != nil || len(r.Results) != 1 || len(r.Results[0].HighlightRanges) != 1 {
		t.Fatalf("%v, %v", r, err)
	}
	at := r.Results[0].HighlightRanges[0]
	line := utf16.Encode([]rune(strings.Split(r.Results[0].Excerpt, "\n")[at.Start.Line]))
	if got := string(utf16.Decode(line[at.Start.GetUtf16Column():at.End.GetUtf16Column()])); got != "Hülle" {
		t.Errorf("%q of %v", got, r.Results[0])
	}
}

// TestExplain: what the wire carries adds up as well.
func TestExplain(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	if _, err := c.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		t.Fatal(err)
	}
	plain, err := c.Search.Search(ctx, &kistv1.SearchRequest{Query: "hull steel"})
	if err != nil || plain.Plan != nil || plain.WhyNot != nil || plain.Results[0].Explanation != nil {
		t.Fatalf("%v, %v", plain, err)
	}
	r, err := c.Search.Search(ctx, &kistv1.SearchRequest{Query: "hull steel", Explain: true, Limit: 1, WhyNot: "projects/houseboat/tasks/paint.md"})
	if err != nil || len(r.Results) != 1 || r.Plan.GetRanking() != "bm25" || r.Plan.Documents != 5 {
		t.Fatalf("%v, %v", r, err)
	}
	e, sum := r.Results[0].Explanation, 0.0
	if len(e.Text.Section) == 0 {
		t.Error("nothing of the best section")
	}
	for _, w := range slices.Concat(e.Text.Words, e.Text.Section) {
		fields := 0.0
		for _, f := range w.Fields {
			fields += f.Score
		}
		if math.Abs(fields-w.Score) > 1e-9 || w.Documents == 0 || w.Idf <= 0 {
			t.Errorf("%v", w)
		}
		sum += w.Score
	}
	age := e.Recency // of a project, by when it was created
	if math.Abs(sum*age.GetFactor()-r.Results[0].Score) > 1e-9 || age.GetFactor() <= 1 || sum == 0 || e.Rank != 1 || e.Vector.Cosine != nil {
		t.Errorf("%v: the parts make %v", r.Results[0], sum)
	}
	w := r.WhyNot
	if w.LastRecency.GetFactor() != age.GetFactor() {
		t.Errorf("%v", w.LastRecency)
	}
	if w.Verdict != "ranked" || w.LastPath != r.Results[0].Path || w.LastScore != r.Results[0].Score || len(w.Lacking) != 1 || w.Lacking[0] != "steel" || w.Explanation.Rank != 2 || len(w.Differences) == 0 {
		t.Errorf("%v", w)
	}
}

func TestRelatedProjects(t *testing.T) {
	s, _ := open(t, boat+"-- projects/raft/project.md --\n---\nname: Raft\ntags: [water]\n---\nSee [[Houseboat]].\n")
	c, ctx := s.Client(rpctest.Connect), t.Context()
	if _, err := c.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"houseboat", "projects/houseboat/project.md", "01HZ0000000000000000000001"} {
		r, err := c.Search.RelatedProjects(ctx, &kistv1.RelatedProjectsRequest{Project: ref})
		if err != nil || len(r.Projects) != 1 || r.Total != 1 {
			t.Fatalf("%s: %v, %v", ref, r, err)
		}
		p := r.Projects[0]
		if p.Slug != "raft" || p.Name != "Raft" || p.TotalLinks != 1 || p.LinkPairs[0].From != "projects/raft/project.md" || len(p.SharedTags) != 1 {
			t.Errorf("%v", p)
		}
	}
	if _, err := c.Search.RelatedProjects(ctx, &kistv1.RelatedProjectsRequest{Project: "none"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("%v", err)
	}
}

// TestWatchIndex: a status comes at once, the stream ends when the index is ready, and
// without until_ready it goes on and tells of what changes.
func TestWatchIndex(t *testing.T) {
	s, _ := open(t, boat)
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	stream, err := c.Index.WatchIndex(ctx, &kistv1.WatchIndexRequest{UntilReady: true})
	if err != nil {
		t.Fatal(err)
	}
	var last *kistv1.GetIndexStatusResponse
	for stream.Receive() {
		last = stream.Msg().Status
	}
	if stream.Err() != nil || last.GetState() != "ready" || last.Documents != 5 {
		t.Errorf("%v, %v", last, stream.Err())
	}
	stream.Close()
	stream, err = c.Index.WatchIndex(ctx, &kistv1.WatchIndexRequest{})
	if err != nil || !stream.Receive() {
		t.Fatal(err, stream.Err())
	}
	if _, err := c.Vault.CreateNote(ctx, &kistv1.CreateNoteRequest{Title: "New"}); err != nil {
		t.Fatal(err)
	}
	for stream.Receive() && stream.Msg().Status.Documents < 6 {
	}
	if stream.Err() != nil {
		t.Error(stream.Err())
	}
	stream.Close()
}
