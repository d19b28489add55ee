package rpc

import (
	"context"
	"fmt"
	"strings"
	"time"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/conversation"
)

// maxPiece bounds a message of an export, in bytes.
const maxPiece = 256 << 10

func (s *sessionService) ExportSession(ctx context.Context, req *kistv1.ExportSessionRequest, stream *connect.ServerStream[kistv1.ExportSessionResponse]) error {
	found, err := conversation.FindSession(ctx, s.Vault, req.Session)
	if err != nil {
		return err
	}
	turns, err := conversation.SessionTurns(ctx, s.Vault, found)
	if err != nil {
		return err
	}
	title := found.Title
	if title == "" {
		title = "Conversation"
	}
	head := fmt.Sprintf("# %s\n\nSession %s, begun %s, %d turns.\n", vault.OneLine(title), found.ID, found.Created.UTC().Format(time.DateTime+" UTC"), len(turns))
	if err := sendPieces(stream, head); err != nil {
		return err
	}
	for _, t := range turns {
		if err := sendPieces(stream, exported(t)); err != nil {
			return err
		}
	}
	return nil
}

// sendPieces sends a text, which may be longer than a message should be.
func sendPieces(stream *connect.ServerStream[kistv1.ExportSessionResponse], s string) error {
	for s = text(s); s != ""; {
		piece := s[:min(len(s), maxPiece)]
		if len(piece) < len(s) { // between two characters
			piece = strings.ToValidUTF8(piece, "")
		}
		if err := stream.Send(&kistv1.ExportSessionResponse{Markdown: piece}); err != nil {
			return err
		}
		s = s[len(piece):]
	}
	return nil
}

// exported is a turn in Markdown, with what came of it.
func exported(t conversation.Turn) string {
	var b strings.Builder
	where := ""
	if t.Project != "" {
		where = ", in " + t.Project
	}
	fmt.Fprintf(&b, "\n## %s%s\n\n**You:** %s\n\n**kist:** %s\n", t.At.UTC().Format(time.DateTime+" UTC"), where, strings.TrimSpace(t.User), strings.TrimSpace(t.Reply))
	for _, part := range []struct {
		name  string
		lines []string
	}{{"Done or proposed", t.Actions}, {"Operations", t.Operations}, {"Read", t.Context}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(&b, "\n%s:\n\n- %s\n", part.name, strings.Join(part.lines, "\n- "))
		}
	}
	return b.String()
}
