package dial

import (
	"context"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
)

// beginnings is how often a thing is read anew that changes while it is read.
const beginnings = 5

// Document reads a document of any size, which may take several calls of get.
func Document(ctx context.Context, path string, get func(context.Context, *kistv1.GetDocumentRequest) (*kistv1.GetDocumentResponse, error)) (*kistv1.GetDocumentResponse, error) {
	var all *kistv1.GetDocumentResponse
	return pages(func(token string) (*kistv1.GetDocumentResponse, string, error) {
		r, err := get(ctx, &kistv1.GetDocumentRequest{Path: path, Pages: true, PageToken: token})
		if err != nil {
			return nil, "", err
		}
		next := r.NextPageToken
		r.NextPageToken = ""
		if token == "" {
			all = r
			return all, next, nil
		}
		if r.Document.Content != nil {
			all.Document.Content = proto.String(all.Document.GetContent() + r.Document.GetContent())
		}
		all.Document.Text = append(all.Document.Text, r.Document.Text...)
		return all, next, nil
	})
}

// Operation reads an operation of any size, which may take several calls of get; texts asks
// for what a proposed one's files would hold.
func Operation(ctx context.Context, id string, texts bool, get func(context.Context, *kistv1.GetOperationRequest) (*kistv1.GetOperationResponse, error)) (*kistv1.GetOperationResponse, error) {
	var all *kistv1.GetOperationResponse
	return pages(func(token string) (*kistv1.GetOperationResponse, string, error) {
		r, err := get(ctx, &kistv1.GetOperationRequest{Id: id, Texts: texts, Pages: true, PageToken: token})
		if err != nil {
			return nil, "", err
		}
		next := r.NextPageToken
		r.NextPageToken = ""
		if token == "" {
			all = r
			return all, next, nil
		}
		changes := all.Operation.Changes
		for _, c := range r.Operation.Changes {
			if !c.Continues {
				changes = append(changes, c)
				continue
			}
			last := changes[len(changes)-1]
			if last.Patch += c.Patch; c.Text != nil {
				last.Text = proto.String(last.GetText() + c.GetText())
			}
		}
		all.Operation.Changes = changes
		return all, next, nil
	})
}

// pages reads page by page. A token that isn't good any more says that the thing has changed.
func pages[T any](read func(token string) (all T, next string, err error)) (T, error) {
	token := ""
	for begun := 1; ; {
		all, next, err := read(token)
		switch {
		case err != nil && token != "" && connect.CodeOf(err) == connect.CodeInvalidArgument && begun < beginnings:
			begun++
			next = ""
		case err != nil || next == "":
			return all, err
		}
		token = next
	}
}
