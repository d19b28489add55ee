package lsp

import (
	"bytes"
	"context"
	"fmt"
	"path"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// inlayHints shows behind open tasks by what kist calls them: what the file on the disk says
// of them counts there, so a line that the editor has moved has none until it is saved.
func (s *server) inlayHints(ctx context.Context, p rangeParams) ([]inlayHint, error) {
	list := []inlayHint{}
	d := s.document(p.TextDocument.URI)
	if !d.usable() {
		return list, nil
	}
	res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.ListTasksRequest) (*v1.ListTasksResponse, error) {
		return k.Task.ListTasks
	}, &v1.ListTasksRequest{Path: d.path, OrderBy: "path", PageSize: 1000})
	if err != nil {
		return nil, said(err)
	}
	for _, t := range res.Tasks {
		n := int(t.Line) - 1
		if t.Path != d.path || n < p.Range.Start.Line || n > p.Range.End.Line {
			continue
		}
		line := d.lines.Line(n)
		if box := openBox.Find(line); box == nil || !holdsTitle(line[len(box):], t.Title) {
			continue
		}
		at := position{n, len(line)}
		if !s.utf8 {
			at.Character = d.lines.Place(d.lines.Offset(n, len(line))).UTF16
		}
		ref := fmt.Sprintf("%s:%d", t.Path, t.Line)
		list = append(list, inlayHint{Position: at, Label: path.Base(ref), Tooltip: "kist calls this task " + ref, PaddingLeft: true})
	}
	return list, nil
}

// holdsTitle reports whether a task's text may have a title, whose words can stand between fields.
func holdsTitle(text []byte, title string) bool {
	for word := range bytes.FieldsSeq([]byte(title)) {
		i := bytes.Index(text, word)
		if i < 0 {
			return false
		}
		text = text[i+len(word):]
	}
	return true
}
