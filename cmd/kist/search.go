package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func searchCommand(c *cli) *cobra.Command {
	var req v1.SearchRequest
	var wait bool
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find documents",
		Long: "Find documents: the best section of each, with its line, heading and an excerpt. Without\n" +
			"a query, what the filters let through. Where the index is behind the files, kist says so.",
		Example: "  kist search paint supplier -p houseboat\n  kist search --type task --tag urgent -n 20",
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Query = strings.Join(args, " ")
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
			return c.show(r, func(p *printer) {
				for _, h := range r.Results {
					p.hit(h)
				}
				c.searchFooter(r)
			})
		}),
	}
	f := cmd.Flags()
	c.projectFlag(cmd, &req.Project, "only this project's")
	f.StringVar(&req.Type, "type", "", "only project, task, memory, note, conversation, or what `type` in the front matter says")
	f.StringArrayVar(&req.Tags, "tag", nil, "only with this tag; may be given more than once")
	f.Int32VarP(&req.Limit, "limit", "n", 0, "at most so many (else 10)")
	f.BoolVar(&wait, "wait", false, "wait until the index holds every change known now")
	complete(cmd, "type", "project", "task", "memory", "note", "conversation")
	return cmd
}

// hit prints one result: where it is, then what it says.
func (p *printer) hit(h *v1.Hit) {
	p.printf("%s", p.paint(bold, lineRef(h.Path, h.Line)))
	if heading := orElse(h.Heading, h.Title); heading != "" {
		p.printf("  %s", p.paint(cyan, heading))
	}
	p.printf("\n")
	if strings.TrimSpace(h.Excerpt) == "" {
		return
	}
	p.printf("    %s\n", p.excerpt(h.Excerpt, h.Highlights))
}

// excerpt makes one line of a text, with the matched ranges in colour.
func (p *printer) excerpt(text string, spans []*v1.Span) safe {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		start, end := int(s.Start), int(s.End)
		if start < at || end < start || end > len(text) {
			continue // not the order that the contract promises: better plain than wrong
		}
		b.WriteString(oneLine(text[at:start]))
		b.WriteString(string(p.wrap(yellow, safe(oneLine(text[start:end])))))
		at = end
	}
	b.WriteString(oneLine(text[at:]))
	return safe(strings.TrimSpace(b.String()))
}

// oneLine makes text fit for a line with blanks where it had line ends and tabs.
func oneLine(s string) string {
	return line(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(s))
}

// searchFooter says on standard error what the results alone don't.
func (c *cli) searchFooter(r *v1.SearchResponse) {
	if len(r.Results) == 0 {
		c.log.printf("nothing found\n")
	} else if more := int(r.Total) - len(r.Results); more > 0 {
		c.log.printf("%s\n", c.log.paint(dim, string(plural(more, "more document"))))
	}
	c.log.freshness(r.Freshness)
}

// freshness says what the index lacks, if anything.
func (p *printer) freshness(f *v1.Freshness) {
	if f.GetPending() > 0 || f.GetIndexedSeq() < f.GetVaultSeq() {
		p.printf("%s\n", p.paint(yellow, "the index is behind: "+string(plural(int(f.GetPending()), "file"))+" to go"))
	}
	if f.GetFailed() > 0 {
		p.printf("%s\n", p.paint(yellow, string(plural(int(f.GetFailed()), "file"))+" could not be fully read: kist index status names them"))
	}
}
