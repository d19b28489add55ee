package documents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/orders"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/entity"
	"kist/vault/markdown"
)

// ListDocuments reads the documents of the page that is asked for, and of the others no more
// than their names.
func (s *Service) ListDocuments(ctx context.Context, req *kistv1.ListDocumentsRequest) (*kistv1.ListDocumentsResponse, error) {
	all, err := catalog.Documents(ctx, s.Vault)
	if err != nil {
		return nil, err
	}
	if req.Prefix != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(d catalog.Document) bool { return !strings.HasPrefix(d.Path, req.Prefix) })
	}
	key, err := orders.Documents(req.OrderBy)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, key, s.listed)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListDocumentsResponse{Documents: list, NextPageToken: next, TotalSize: int32(len(all))}, nil
}

// listed is what a list says of a document. One that went meanwhile has no hash.
func (s *Service) listed(d catalog.Document) *kistv1.ListedDocument {
	out := &kistv1.ListedDocument{Path: d.Path, Type: s.Vault.TypeOf(d.Path), Size: d.Size, Modified: timestamppb.New(d.Modified)}
	doc, err := s.Vault.Document(d.Path)
	if err != nil {
		out.Title = title(d.Path, markdown.Parse(nil))
		return out
	}
	out.Title, out.Hash, out.Size = valid(clip(title(d.Path, doc))), string(vault.HashOf(doc.Source())), int64(len(doc.Source()))
	if front, err := doc.FrontMatter(); err == nil && front != nil && front.String("type") != "" {
		out.Type = valid(front.String("type"))
	}
	return out
}

// clip leaves of a title of megabytes the beginning, and dots.
func clip(title string) string {
	if len(title) > 16<<10 {
		return title[:16<<10] + "..."
	}
	return title
}

// CreateDocument makes a document of a text, and overwrites nothing.
func (s *Service) CreateDocument(ctx context.Context, req *kistv1.CreateDocumentRequest) (*kistv1.CreateDocumentResponse, error) {
	step, err := entity.PlanCreateDocument(s.Vault, req.Path, req.Text)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateDocumentResponse{Path: step.Entity.Path, Operation: op}, nil
}

// EditDocument replaces ranges of the text that the caller saw.
func (s *Service) EditDocument(ctx context.Context, req *kistv1.EditDocumentRequest) (*kistv1.EditDocumentResponse, error) {
	edits := make([]entity.TextEdit, len(req.Edits))
	for i, e := range req.Edits {
		if e.Range.GetStart() == nil || e.Range.GetEnd() == nil {
			return nil, vault.Hinted(fmt.Errorf("%w: the range of edit %d needs a start and an end", vault.ErrInvalid, i+1), "give both, each a line with a column or utf16_column")
		}
		edits[i] = entity.TextEdit{Start: spot(e.Range.Start), End: spot(e.Range.End), Text: e.Text}
	}
	step, err := entity.PlanEditDocument(s.Vault, req.Path, vault.Hash(req.Expect), edits)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.EditDocumentResponse{Operation: op}, nil
}

// DeleteDocument deletes the document that the caller saw.
func (s *Service) DeleteDocument(ctx context.Context, req *kistv1.DeleteDocumentRequest) (*kistv1.DeleteDocumentResponse, error) {
	step, err := entity.PlanDeleteDocument(s.Vault, req.Path, vault.Hash(req.Expect))
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.DeleteDocumentResponse{Operation: op}, nil
}

// spot reads a position: its column in UTF-16 counts where it is set.
func spot(p *kistv1.Position) entity.Spot {
	if p.Utf16Column != nil {
		return entity.Spot{Line: int(p.Line), Column: int(*p.Utf16Column), UTF16: true}
	}
	return entity.Spot{Line: int(p.Line), Column: int(p.Column)}
}
