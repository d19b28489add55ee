package rpc

import (
	"errors"
	"path"
	"strings"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/vault"
	"kist/vault/markdown"
)

// document converts a file that was parsed. Front matter that doesn't parse is a
// problem of the document, not of the call.
func document(name string, doc *markdown.Document) *kistv1.Document {
	out := &kistv1.Document{
		Path:     text(name),
		Title:    text(title(name, doc)),
		Text:     doc.Source(),
		Hash:     string(vault.HashOf(doc.Source())),
		Sections: each(doc.Sections(), section),
	}
	front, err := doc.FrontMatter()
	var syntax *markdown.SyntaxError
	switch {
	case errors.As(err, &syntax):
		out.Problems = append(out.Problems, problem(vault.Problem{
			Path: name, Line: syntax.Line, Column: syntax.Column, Message: syntax.Message, Hint: fault.Hint(err),
		}))
	case err != nil:
		out.Problems = append(out.Problems, faulty(name, err))
	case front != nil:
		out.Properties = each(front.Keys(), property)
		out.Type = text(front.String("type"))
	}
	return out
}

// faulty tells of an error as a problem of a file.
func faulty(name string, err error) *kistv1.Problem {
	return problem(vault.Problem{Path: name, Message: err.Error(), Hint: fault.Hint(err)})
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
	return &kistv1.Property{Key: text(p.Key), Value: text(p.Value), Line: int32s(p.Line)}
}

func section(s markdown.Section) *kistv1.Section {
	return &kistv1.Section{
		Heading: text(strings.Join(s.Path, " > ")),
		Level:   int32s(s.Level),
		Line:    int32s(s.Line),
		EndLine: int32s(s.EndLine),
	}
}
