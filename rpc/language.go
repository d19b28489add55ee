package rpc

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/assist"
	"kist/vault/names"
	"kist/vault/position"
)

type languageService struct {
	Deps
	desk *assist.Desk
}

// maxReferences is how many references are looked for.
const maxReferences = 20_000

// question reads what every request has in common; at may be nil.
func (s *languageService) question(path string, at *kistv1.Position, unsaved []*kistv1.UnsavedDocument) (assist.Question, error) {
	q := assist.Question{Path: path}
	for _, u := range unsaved {
		q.Buffers = append(q.Buffers, names.Buffer{Path: u.Path, Text: []byte(u.Text)})
	}
	if at == nil {
		return q, nil
	}
	var text []byte
	for _, u := range q.Buffers {
		if u.Path == path {
			text = u.Text
		}
	}
	if text == nil {
		var err error
		if text, err = s.Vault.Read(path); err != nil {
			return q, err
		}
	}
	table := position.New(text)
	if q.At = table.Offset(int(at.Line), int(at.Column)); at.Utf16Column != nil {
		q.At = table.OffsetUTF16(int(at.Line), int(*at.Utf16Column))
	}
	return q, nil
}

func (s *languageService) Complete(ctx context.Context, req *kistv1.CompleteRequest) (*kistv1.CompleteResponse, error) {
	q, err := s.question(req.Path, req.Position, req.Unsaved)
	if err != nil {
		return nil, err
	}
	var found assist.Candidates
	if req.Position != nil {
		found, err = s.desk.CompleteAt(ctx, q, int(req.Limit))
	} else {
		found, err = s.desk.Complete(ctx, q, assist.Blank{Kind: assist.Kind(req.Kind), Of: req.Of, Prefix: req.Prefix}, int(req.Limit))
	}
	if err != nil {
		return nil, err
	}
	res := &kistv1.CompleteResponse{
		Kind: string(found.Blank.Kind), More: found.More, Closed: found.Blank.Closed, Degraded: text(found.Degraded),
	}
	var cut bool
	res.Completions, cut = fitting(found.List, func(c assist.Candidate) *kistv1.Completion {
		m := &kistv1.Completion{Text: text(c.Text), Label: text(c.Label), Detail: text(c.Detail), Path: text(c.Path)}
		if c.Where.Path != "" {
			m.Range = spotRange(c.Where)
		}
		return m
	})
	res.More = res.More || cut
	if req.Position != nil && res.Kind != "" {
		table, err := s.table(q)
		if err != nil {
			return nil, err
		}
		res.Range = placesRange(table.Place(found.Blank.Span.Start), table.Place(found.Blank.Span.End))
	}
	return res, nil
}

// table counts in the text of a question's document.
func (s *languageService) table(q assist.Question) (*position.Table, error) {
	for _, b := range q.Buffers {
		if b.Path == q.Path {
			return position.New(b.Text), nil
		}
	}
	src, err := s.Vault.Read(q.Path)
	return position.New(src), err
}

func (s *languageService) ResolveLink(ctx context.Context, req *kistv1.ResolveLinkRequest) (*kistv1.ResolveLinkResponse, error) {
	if req.Position == nil {
		if req.Target == "" {
			return nil, vault.Hinted(fmt.Errorf("%w: a position or a target is needed", vault.ErrInvalid), "give position, a place in the text, or target, what a link says")
		}
		q, err := s.question(req.Path, nil, req.Unsaved)
		if err != nil {
			return nil, err
		}
		t, err := s.desk.Name(ctx, q, req.Target)
		if err != nil {
			return nil, err
		}
		return &kistv1.ResolveLinkResponse{Link: linkMessage(t)}, nil
	}
	q, err := s.question(req.Path, req.Position, req.Unsaved)
	if err != nil {
		return nil, err
	}
	t, ok, err := s.desk.Resolve(ctx, q)
	if err != nil || !ok {
		return &kistv1.ResolveLinkResponse{}, err
	}
	return &kistv1.ResolveLinkResponse{Link: linkMessage(t)}, nil
}

func (s *languageService) ListLinks(ctx context.Context, req *kistv1.ListLinksRequest) (*kistv1.ListLinksResponse, error) {
	q, err := s.question(req.Path, nil, req.Unsaved)
	if err != nil {
		return nil, err
	}
	all, degraded, err := s.desk.Links(ctx, q)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, func(t assist.Target) string { return spotKey(t.Link) }, linkMessage)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListLinksResponse{Links: list, Degraded: text(degraded), NextPageToken: next}, nil
}

// spotKey orders spots by path and place.
func spotKey(s assist.Spot) string {
	return fmt.Sprintf("%s\x00%09d %09d", text(s.Path), s.Start.Line, s.Start.Column)
}

func (s *languageService) ListReferences(ctx context.Context, req *kistv1.ListReferencesRequest) (*kistv1.ListReferencesResponse, error) {
	q, err := s.question(req.Path, req.Position, req.Unsaved)
	if err != nil {
		return nil, err
	}
	look := s.desk.Backlinks
	if req.Position != nil {
		look = s.desk.References
	}
	all, more, err := look(ctx, q, maxReferences)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, spotKey, location)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListReferencesResponse{References: list, More: more, NextPageToken: next}, nil
}

func (s *languageService) ListTags(ctx context.Context, req *kistv1.ListTagsRequest) (*kistv1.ListTagsResponse, error) {
	q, err := s.question("", nil, req.Unsaved)
	if err != nil {
		return nil, err
	}
	all, err := s.desk.Tags(ctx, q.Buffers, strings.TrimPrefix(req.Prefix, "#"))
	if err != nil {
		return nil, err
	}
	key := func(t names.Tag) string { return strings.ToLower(t.Name) }
	list, next, err := page.Of(req, 0, all, key, func(t names.Tag) *kistv1.Tag {
		return &kistv1.Tag{Name: name(t.Name), Documents: int32s(t.Documents)}
	})
	if err != nil {
		return nil, err
	}
	return &kistv1.ListTagsResponse{Tags: list, NextPageToken: next}, nil
}

// maxSymbols is how many symbols of a document are told.
const maxSymbols = 5000

func (s *languageService) DocumentSymbols(ctx context.Context, req *kistv1.DocumentSymbolsRequest) (*kistv1.DocumentSymbolsResponse, error) {
	q, err := s.question(req.Path, nil, req.Unsaved)
	if err != nil {
		return nil, err
	}
	all, err := s.desk.Symbols(ctx, q)
	if err != nil {
		return nil, err
	}
	list, cut := fitting(all[:min(maxSymbols, len(all))], func(one assist.Symbol) *kistv1.Symbol {
		return &kistv1.Symbol{
			Kind: one.Kind, Name: text(clipName(one.Name)), Level: int32s(one.Level), Done: one.Done,
			Range: spotRange(one.Whole), Selection: spotRange(one.Own),
		}
	})
	return &kistv1.DocumentSymbolsResponse{Symbols: list, More: cut || len(all) > maxSymbols}, nil
}

// fitting converts the first of a list that one answer has room for, and says whether more
// are left.
func fitting[A any, M proto.Message](list []A, one func(A) M) ([]M, bool) {
	for part, more := range page.Parts(list, one) {
		return part, more
	}
	return nil, false
}

// clipName holds a symbol's name to what is shown of it.
func clipName(name string) string {
	if len(name) > 500 {
		return strings.ToValidUTF8(name[:500], "") + "..."
	}
	return name
}

// maxFaults is how many faults of a document are told.
const maxFaults = 500

func (s *languageService) CheckDocument(ctx context.Context, req *kistv1.CheckDocumentRequest) (*kistv1.CheckDocumentResponse, error) {
	q, err := s.question(req.Path, nil, req.Unsaved)
	if err != nil {
		return nil, err
	}
	faults, degraded, err := s.desk.Check(ctx, q)
	if err != nil {
		return nil, err
	}
	list, cut := fitting(faults[:min(maxFaults, len(faults))], func(f assist.Fault) *kistv1.Fault {
		return &kistv1.Fault{Code: f.Code, Grave: f.Grave, Range: spotRange(f.Where), Message: text(f.Message), Hint: text(f.Hint), Target: text(f.Target)}
	})
	return &kistv1.CheckDocumentResponse{Degraded: text(degraded), Faults: list, More: cut || len(faults) > maxFaults}, nil
}

func (s *languageService) PrepareRename(ctx context.Context, req *kistv1.PrepareRenameRequest) (*kistv1.PrepareRenameResponse, error) {
	q, err := s.question(req.Path, req.Position, req.Unsaved)
	if err != nil {
		return nil, err
	}
	kind, name, at, ok, err := s.desk.CanRename(ctx, q)
	if err != nil || !ok {
		return &kistv1.PrepareRenameResponse{}, err
	}
	return &kistv1.PrepareRenameResponse{Kind: kind, Name: text(name), Range: spotRange(at)}, nil
}

func (s *languageService) Rename(ctx context.Context, req *kistv1.RenameRequest) (*kistv1.RenameResponse, error) {
	q, err := s.question(req.Path, req.Position, req.Unsaved)
	if err != nil {
		return nil, err
	}
	r, err := s.desk.PlanRename(ctx, q, req.NewName)
	if err != nil {
		return nil, err
	}
	res := &kistv1.RenameResponse{Edits: each(r.Edits, textEdit), Left: each(r.Left, leftOver), Path: text(r.Path), From: text(r.From), Kind: r.Kind}
	if err := answerable(res, r); err != nil {
		return nil, err
	}
	if res.Operation, err = s.carryOut(ctx, r.Step, req.Reason, req.Propose); err != nil {
		return nil, err
	}
	return res, nil
}

// answerable refuses, before anything is written, what couldn't be answered with the operation.
func answerable(res proto.Message, r assist.Renaming) error {
	room := page.MaxBytes
	if len(r.Step.Changes) > 0 {
		room -= maxChanges
	}
	if page.Bytes(res) <= room {
		return nil
	}
	return fmt.Errorf("%w: of what is unsaved, %d places would change; nothing was: save the documents, and ask again", fault.ErrLarge, len(r.Edits))
}

// carryOut applies or proposes a step; nil where it has no changes.
func (s *languageService) carryOut(ctx context.Context, step vault.Step, reason string, propose bool) (*kistv1.Operation, error) {
	if len(step.Changes) == 0 {
		return nil, nil
	}
	// The document was compared already; of those that change, it may be none.
	if w := wishOf(ctx); slices.ContainsFunc(step.Changes, func(c vault.Change) bool { return c.Path == w.path || c.From == w.path }) {
		if err := w.guard([]vault.Step{step}); err != nil {
			return nil, err
		}
	}
	step.Reason = cmp.Or(reason, step.Reason)
	act := s.Vault.Apply
	if propose {
		act = s.Vault.Propose
	}
	ops, err := act(ctx, vault.Batch{Origin: origin(ctx), Steps: []vault.Step{step}})
	if err != nil {
		return nil, err
	}
	return operation(ops[0]), nil
}

func (s *languageService) MoveDocument(ctx context.Context, req *kistv1.MoveDocumentRequest) (*kistv1.MoveDocumentResponse, error) {
	q, err := s.question(req.Path, nil, req.Unsaved)
	if err != nil {
		return nil, err
	}
	r, err := s.desk.PlanMove(ctx, q, req.To, req.UpdateLinks)
	if err != nil {
		return nil, err
	}
	res := &kistv1.MoveDocumentResponse{Edits: each(r.Edits, textEdit), Left: each(r.Left, leftOver)}
	if err := answerable(res, r); err != nil {
		return nil, err
	}
	if res.Operation, err = s.carryOut(ctx, r.Step, req.Reason, req.Propose); err != nil {
		return nil, err
	}
	return res, nil
}

func (s *languageService) ExtractSection(ctx context.Context, req *kistv1.ExtractSectionRequest) (*kistv1.ExtractSectionResponse, error) {
	q, err := s.question(req.Path, req.Position, req.Unsaved)
	if err != nil {
		return nil, err
	}
	step, err := s.desk.PlanExtract(ctx, q)
	if err != nil {
		return nil, err
	}
	op, err := s.carryOut(ctx, step, req.Reason, req.Propose)
	if err != nil {
		return nil, err
	}
	return &kistv1.ExtractSectionResponse{Operation: op, Path: text(step.Changes[0].Path)}, nil
}
