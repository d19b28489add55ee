package documents

import (
	"errors"
	"path"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/vault"
	"kist/vault/markdown"
)

// document converts a file that was parsed. Front matter that doesn't parse is a
// problem of the document, not of the call.
func document(name string, doc *markdown.Document) *kistv1.Document {
	out := &kistv1.Document{
		Path:  valid(name),
		Title: valid(title(name, doc)),
		Hash:  string(vault.HashOf(doc.Source())),
	}
	if utf8.Valid(doc.Source()) {
		out.Content = proto.String(string(doc.Source()))
	} else {
		out.Text = doc.Source()
	}
	for _, s := range doc.Sections() {
		out.Sections = append(out.Sections, section(s))
	}
	front, err := doc.FrontMatter()
	var syntax *markdown.SyntaxError
	switch {
	case errors.As(err, &syntax):
		p := faulty(name, err)
		p.Line, p.Column, p.Message = int32(syntax.Line), int32(syntax.Column), valid(syntax.Message)
		out.Problems = append(out.Problems, p)
	case err != nil:
		out.Problems = append(out.Problems, faulty(name, err))
	case front != nil:
		for _, p := range front.Keys() {
			out.Properties = append(out.Properties, property(p))
		}
		out.Type = valid(front.String("type"))
	}
	return out
}

// faulty tells of an error as a problem of a file.
func faulty(name string, err error) *kistv1.Problem {
	return &kistv1.Problem{Path: valid(name), Message: valid(err.Error()), Hint: valid(fault.Hint(err))}
}

// title is what the document calls itself: in its front matter, in its first
// heading, or by the name of its file.
func title(name string, doc *markdown.Document) string {
	if front, err := doc.FrontMatter(); err == nil && front != nil {
		for _, key := range []string{"title", "name"} {
			if s := front.String(key); s != "" {
				return s
			}
		}
	}
	for _, s := range doc.Sections() {
		if s.Level == 1 {
			return s.Heading()
		}
	}
	return strings.TrimSuffix(path.Base(name), ".md")
}

func property(p markdown.Property) *kistv1.Property {
	return &kistv1.Property{Key: valid(p.Key), Value: valid(p.Value), Line: int32(p.Line)}
}

func section(s markdown.Section) *kistv1.Section {
	return &kistv1.Section{
		Heading: valid(strings.Join(s.Path, " > ")),
		Level:   int32(s.Level),
		Line:    int32(s.Line),
		EndLine: int32(s.EndLine),
	}
}

// valid makes a string fit for a message, which must be UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
