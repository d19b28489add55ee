package rpc

import (
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/vault/assist"
	"kist/vault/position"
)

func place(p position.Place) *kistv1.Position {
	return &kistv1.Position{Line: int32s(p.Line), Column: int32s(p.Column), Utf16Column: proto.Int32(int32s(p.UTF16)), ByteOrderMark: p.Mark}
}

func placesRange(start, end position.Place) *kistv1.Range {
	return &kistv1.Range{Start: place(start), End: place(end)}
}

func spotRange(s assist.Spot) *kistv1.Range { return placesRange(s.Start, s.End) }

func location(s assist.Spot) *kistv1.Location {
	return &kistv1.Location{Path: text(s.Path), Range: spotRange(s), Text: text(s.Text)}
}

func linkMessage(t assist.Target) *kistv1.Link {
	l := &kistv1.Link{
		Target: name(t.Name), Anchor: name(t.Anchor), Path: text(t.Path), Title: name(t.Title), MissingAnchor: t.Missing,
		Others: texts(t.Others[:min(100, len(t.Others))]), Attachment: t.Outside, Excerpt: text(t.Excerpt), LinkingDocuments: int32s(t.Linking),
	}
	if t.Link.Path != "" {
		l.Location = location(t.Link)
	}
	if t.Anchor != "" && t.Path != "" && !t.Missing {
		l.Range = spotRange(t.Place)
	}
	return l
}

func textEdit(e assist.Edit) *kistv1.TextEdit {
	return &kistv1.TextEdit{Path: text(e.Path), Range: spotRange(e.Spot), NewText: text(e.New)}
}

func leftOver(l assist.Left) *kistv1.Problem {
	return &kistv1.Problem{Path: text(l.Path), Line: int32s(l.Line + 1), Message: l.Reason}
}
