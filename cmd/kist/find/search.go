package find

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/completion"
	"kist/cmd/kist/output"
	"kist/cmd/kist/terminal"
	"kist/cmd/kist/usage"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// Search is the command kist search.
func Search(a App) *cobra.Command {
	var req v1.SearchRequest
	var wait bool
	var linksTo, mode string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find documents",
		Long:  searchHelp,
		Example: "  kist search paint supplier -p houseboat\n  kist search --type task --tag urgent -n 20\n" +
			"  kist search 'status:open after:2026-11 -title:draft \"paint supplier\"'\n  kist search --links-to notes/bread.md\n" +
			"  kist search paint --explain --why-not notes/bread.md",
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			if linksTo != "" {
				return a.backlinks(ctx, k, args, &v1.BacklinksRequest{Path: a.InVault(linksTo), Limit: req.Limit})
			}
			req.Query = strings.Join(args, " ")
			if err := usage.Query(req.Query); err != nil {
				return a.Usage(err, "kist search --help explains queries")
			}
			if req.WhyNot != "" {
				req.WhyNot = a.InVault(req.WhyNot)
			}
			if wait {
				r, err := k.Index.WaitIndex(ctx, &v1.WaitIndexRequest{})
				if err != nil {
					return err
				}
				req.WaitSeq = r.Freshness.GetIndexedSeq()
			}
			r, err := k.Search.Search(ctx, &req)
			if err != nil {
				return err
			}
			return a.Show(r, func(p *output.Printer) { a.searchAnswer(p, r) })
		}),
	}
	cmd.PreRunE = func(*cobra.Command, []string) error { return a.setMode(&req, mode) }
	f := cmd.Flags()
	a.ProjectFlag(cmd, &req.Project, "only this project's")
	f.StringVar(&req.Type, "type", "", "only project, task, memory, note, conversation, or what `type` in the front matter says")
	f.StringArrayVar(&req.Tags, "tag", nil, "only with this tag; may be given more than once")
	f.Int32VarP(&req.Limit, "limit", "n", 0, "at most so many (else 10)")
	f.BoolVar(&wait, "wait", false, "wait until the index holds every change known now")
	f.StringVar(&linksTo, "links-to", "", "instead: what links to the document at this path, and what mentions it without a link")
	f.StringVar(&mode, "mode", "", "rank by words and meaning (hybrid, the default), by words alone (text), or by meaning alone (vector)")
	f.BoolVar(&req.Explain, "explain", false, "say of each result what its score is made of")
	f.StringVar(&req.WhyNot, "why-not", "", "say why the document at this path isn't shown, or where it is")
	completion.Fixed(cmd, "mode", "hybrid", "text", "vector")
	completion.Fixed(cmd, "type", "project", "task", "memory", "note", "conversation")
	return cmd
}

// setMode sets how a search ranks.
func (a App) setMode(req *v1.SearchRequest, mode string) error {
	modes := map[string]v1.SearchMode{"": 0, "hybrid": v1.SearchMode_SEARCH_MODE_HYBRID, "text": v1.SearchMode_SEARCH_MODE_TEXT, "vector": v1.SearchMode_SEARCH_MODE_VECTOR}
	m, ok := modes[mode]
	if !ok {
		return a.Usage(fmt.Errorf("--mode is hybrid, text or vector, not %q", mode), "")
	}
	req.Mode = m
	return nil
}

// searchAnswer prints what a search found, with explanations where there are some.
func (a App) searchAnswer(p *output.Printer, r *v1.SearchResponse) {
	if r.Plan != nil {
		searchPlan(p, r.Plan)
	}
	for _, h := range r.Results {
		Hit(p, h)
		if h.Explanation != nil {
			explanation(p, h.Explanation, r.Plan)
		}
	}
	whyNot(p, r.WhyNot, r.Plan)
	a.searchFooter(len(r.Results), int(r.Total), r.Freshness)
	a.searchNotes(r)
}

// searchHelp is the query language as a table.
const searchHelp = `Find documents: the best section of each, with its line, heading and an excerpt; of a
canvas (type:canvas), the best text card. Without a query, what the filters let through.
Where the index is behind the files, kist says so.

A query is words, of which a document needs one, and those with more and rarer ones come
first. The rest of this table are conditions, which every result meets. Put the query in
single quotes where it has some of them. "--" before a query that begins with "-".

  "some words"               the words as they stand
  word*                      words that begin so; counts as a word
  -word -"phrase" -key:x     not these
  title:x heading:x body:x   a word, word* or "phrase" there
  tag:x project:x type:x     as the flags; tag:boat includes boat/hull, tag:bo* others
  path:notes/                paths that begin so; with stars all of it: path:*/tasks/*
  lang:de                    the language, by front matter (lang) or by the text
  after:D before:D           on the first day of D or later, or before it; D is 2026,
                             2026-11 or 2026-11-20. A document's date is its front
                             matter's date, else created, else when it was last written
  key:x key:x* key:*         any other key of the front matter: a value or a word of it,
                             the beginning of one, any value

A word that is nowhere is tried with one letter changed. Words such as "the" count only
where a query has no others.

With --explain each score is taken apart. Words count by BM25: how rare one is (idf), how
often it is in which field, and how long that field is. Meaning is the cosine of vectors.
Both are brought to 0 to 1 and added up, 0.7 to 0.3. The sum is multiplied by 1.05 for a
document changed today, by 1.025 for one of 90 days ago, by 1.01 for one of 200: of two
equally good ones the newer comes first. What counts is updated, modified, lastmod or
date in the front matter, else when the file was last written.`

// backlinks prints what links to a document and what mentions it.
func (a App) backlinks(ctx context.Context, k *dial.Client, query []string, req *v1.BacklinksRequest) error {
	if len(query) > 0 {
		return a.Usage(fmt.Errorf("--links-to takes no query"), "")
	}
	r, err := k.Search.Backlinks(ctx, req)
	if err != nil {
		return err
	}
	return a.Show(r, func(p *output.Printer) {
		for _, h := range r.Links {
			Hit(p, h)
		}
		if len(r.Mentions) > 0 {
			p.Printf("%s\n", p.Paint(output.Dim, "mentioned without a link:"))
		}
		for _, h := range r.Mentions {
			Hit(p, h)
		}
		switch more := int(r.TotalLinks+r.TotalMentions) - len(r.Links) - len(r.Mentions); {
		case len(r.Links)+len(r.Mentions) == 0:
			a.Log.Printf("nothing links to it or mentions it\n")
		case more > 0:
			a.Log.Printf("%s\n", a.Log.Paint(output.Dim, string(output.Plural(more, "more document"))))
		}
		Freshness(a.Log, r.Freshness)
	})
}

// Hit prints one result: where it is, then what it says.
func Hit(p *output.Printer, h *v1.Hit) {
	p.Printf("%s", p.Paint(output.Bold, output.LineRef(h.Path, h.Line)))
	if heading := cmp.Or(h.Heading, h.Title); heading != "" {
		p.Printf("  %s", p.Paint(output.Cyan, heading))
	}
	if h.HeadOnly {
		p.Printf("  %s", p.Paint(output.Yellow, "only its beginning is searched: it is too large"))
	}
	if h.LeftOut {
		p.Printf("  %s", p.Paint(output.Dim, "(excluded, or a template)"))
	}
	p.Printf("\n")
	if strings.TrimSpace(h.Excerpt) == "" {
		return
	}
	p.Printf("    %s\n", excerpt(p, h.Excerpt, h.Highlights))
}

// excerpt makes one line of a text, with the matched ranges in colour.
func excerpt(p *output.Printer, text string, spans []*v1.Span) output.Safe {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		start, end := int(s.Start), int(s.End)
		if start < at || end < start || end > len(text) {
			continue // not the order that the contract promises: better plain than wrong
		}
		b.WriteString(output.OneLine(text[at:start]))
		b.WriteString(string(p.Wrap(output.Yellow, output.Safe(output.OneLine(text[start:end])))))
		at = end
	}
	b.WriteString(output.OneLine(text[at:]))
	return output.Safe(strings.TrimSpace(b.String()))
}

// searchNotes says what was done to the query.
func (a App) searchNotes(r *v1.SearchResponse) {
	for _, word := range slices.Sorted(maps.Keys(r.Corrected)) {
		a.Log.Printf("nothing has %s; found by %s\n", output.Safe(terminal.Line(word)), output.Safe(terminal.Line(r.Corrected[word])))
	}
	if r.Partial {
		a.Log.Printf("%s\n", a.Log.Paint(output.Yellow, "the query asks for more than can be looked at: there may be more; narrow it down"))
	}
}

// searchFooter says on standard error what the results alone don't.
func (a App) searchFooter(shown, total int, f *v1.Freshness) {
	if shown == 0 {
		a.Log.Printf("nothing found\n")
	} else if more := total - shown; more > 0 {
		a.Log.Printf("%s\n", a.Log.Paint(output.Dim, string(output.Plural(more, "more document"))))
	}
	Freshness(a.Log, f)
}

// Freshness says what the index lacks, if anything.
func Freshness(p *output.Printer, f *v1.Freshness) {
	switch {
	case f.GetPending() > 0:
		p.Printf("%s\n", p.Paint(output.Yellow, "the index is behind: "+string(output.Plural(int(f.GetPending()), "file"))+" to go"))
	case f.GetIndexedSeq() < f.GetVaultSeq(): // how many isn't known yet
		p.Printf("%s\n", p.Paint(output.Yellow, "the index is behind: it is looking at what changed"))
	}
	if f.GetDegraded() != "" {
		p.Printf("%s\n", p.Paint(output.Yellow, f.GetDegraded()))
	}
	if f.GetDirect() > 0 {
		p.Printf("%s\n", p.Paint(output.Dim, "searched "+string(output.Plural(int(f.GetDirect()), "file"))+" that the index doesn't hold yet"))
	}
	if f.GetFailed() > 0 {
		p.Printf("%s\n", p.Paint(output.Yellow, string(output.Plural(int(f.GetFailed()), "file"))+" could not be fully read: kist index status names them"))
	}
	if f.GetVectors() != "" {
		p.Printf("%s\n", p.Paint(output.Yellow, f.GetVectors()))
	}
}
