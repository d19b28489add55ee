package lsp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/creachadair/jrpc2"
	"google.golang.org/protobuf/encoding/protojson"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	places "kist/vault/position"
)

// The commands that actions and lenses name.
const (
	createNote     = "kist.createNote"     // title
	completeTask   = "kist.completeTask"   // uri, line
	extractSection = "kist.extractSection" // uri, position
	addProject     = "kist.addProject"     // name
	approve        = "kist.approve"        // id, digest
	reject         = "kist.reject"         // id
	undo           = "kist.undo"           // id
	proposal       = "kist.proposal"       // id; answers with the operation, with its files' texts
	showReferences = "kist.showReferences" // uri; an editor's own, which the server answers with nothing
)

func commandNames() []string {
	return []string{createNote, completeTask, extractSection, addProject, approve, reject, undo, proposal, showReferences}
}

// arguments are a command's.
func arguments(args ...any) (list []json.RawMessage) {
	for _, a := range args {
		b, err := json.Marshal(a)
		if err != nil {
			b = []byte("null")
		}
		list = append(list, b)
	}
	return list
}

var openBox = regexp.MustCompile(`^[ \t>]*(?:[-*+]|[0-9]+[.)])[ \t]+\[ \][ \t]`)

func (s *server) codeActions(ctx context.Context, p codeActionParams) ([]codeAction, error) {
	list := []codeAction{}
	d := s.document(p.TextDocument.URI)
	if !d.usable() {
		return list, nil
	}
	add := func(kind, title, name string, args ...any) *codeAction {
		list = append(list, codeAction{Title: title, Kind: kind, Command: command{title, name, arguments(args...)}})
		return &list[len(list)-1]
	}
	for _, f := range p.Context.Diagnostics {
		var target string
		if f.Source != "kist" || f.Code != "dead_link" || json.Unmarshal(f.Data, &target) != nil {
			continue
		}
		a := add("quickfix", fmt.Sprintf("Create the note %q", target), createNote, target)
		a.Diagnostics = []diagnostic{f}
	}
	line := d.lines.Line(p.Range.Start.Line)
	if openBox.Match(line) {
		add("quickfix", "Complete this task", completeTask, d.uri, p.Range.Start.Line)
	}
	if heading := bytes.TrimLeft(line, "#"); len(heading) < len(line) && bytes.HasPrefix(heading, []byte(" ")) {
		name := strings.TrimSpace(valid(heading))
		add("refactor.extract", "Make a note of this section", extractSection, d.uri, p.Range.Start)
		add("refactor", fmt.Sprintf("Add the project %q", name), addProject, name)
	}
	for _, op := range s.proposals(ctx, d) {
		add("quickfix", "Approve: "+matter(op), approve, op.Id, op.Digest)
		add("quickfix", "Reject: "+matter(op), reject, op.Id)
	}
	if op := s.last(ctx, d); op != nil {
		add("refactor", "Undo: "+matter(op), undo, op.Id)
	}
	return list, nil
}

// maxProposals is how many proposals of a document are shown.
const maxProposals = 5

func listOperations(k *dial.Client) func(context.Context, *v1.ListOperationsRequest) (*v1.ListOperationsResponse, error) {
	return k.Operation.ListOperations
}

// proposals are the operations on a document that wait for approval; none where that can't
// be asked.
func (s *server) proposals(ctx context.Context, d *document) []*v1.Operation {
	res, err := ask(ctx, s, listOperations, &v1.ListOperationsRequest{Status: "proposed", Entity: d.path, PageSize: maxProposals})
	if err != nil {
		return nil
	}
	return res.Operations
}

// last is the newest operation on a document that can be undone and wasn't made by hand.
func (s *server) last(ctx context.Context, d *document) *v1.Operation {
	res, err := ask(ctx, s, listOperations, &v1.ListOperationsRequest{Status: "completed", Entity: d.path, PageSize: 20})
	if err != nil {
		return nil
	}
	for _, op := range res.Operations {
		if op.Actor != "editor" && op.UndoneBy == "" {
			return op
		}
	}
	return nil
}

// execute carries out a command, and has the editor show what became of it.
func (s *server) execute(ctx context.Context, req *jrpc2.Request) (any, error) {
	var p command
	if err := unmarshal(req, &p); err != nil {
		return nil, err
	}
	text := func(i int) (out string) {
		if i < len(p.Arguments) {
			_ = json.Unmarshal(p.Arguments[i], &out) // what is no text is refused as an empty one
		}
		return out
	}
	if p.Command == proposal {
		return s.proposal(ctx, text(0))
	}
	done, err := s.carryOut(ctx, p, text)
	if err != nil {
		return nil, said(err)
	}
	if done != "" {
		s.show(messageInfo, "kist: "+done)
	}
	return nil, nil
}

// proposal is a proposed operation with what its files would hold, in the form of JSON that
// the commands have.
func (s *server) proposal(ctx context.Context, id string) (any, error) {
	res, err := dial.Operation(ctx, id, true, func(ctx context.Context, req *v1.GetOperationRequest) (*v1.GetOperationResponse, error) {
		return ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.GetOperationRequest) (*v1.GetOperationResponse, error) {
			return k.Operation.GetOperation
		}, req)
	})
	if err != nil {
		return nil, said(err)
	}
	out, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(res.Operation)
	if err != nil {
		return nil, said(err)
	}
	return json.RawMessage(out), nil
}

func (s *server) carryOut(ctx context.Context, p command, text func(int) string) (string, error) {
	switch p.Command {
	case createNote:
		return s.createNote(ctx, text(0))
	case completeTask, extractSection:
		return s.edit(ctx, p, text(0))
	case addProject:
		res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.CreateProjectRequest) (*v1.CreateProjectResponse, error) {
			return k.Project.CreateProject
		}, &v1.CreateProjectRequest{Name: text(0)})
		return "added " + res.GetProject().GetPath(), err
	case approve:
		res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.ApproveOperationRequest) (*v1.ApproveOperationResponse, error) {
			return k.Operation.ApproveOperation
		}, &v1.ApproveOperationRequest{Id: text(0), Digest: text(1)})
		return "approved: " + res.GetOperation().GetReason(), err
	case reject:
		res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.RejectOperationRequest) (*v1.RejectOperationResponse, error) {
			return k.Operation.RejectOperation
		}, &v1.RejectOperationRequest{Id: text(0)})
		return "rejected: " + res.GetOperation().GetReason(), err
	case undo:
		_, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.UndoOperationRequest) (*v1.UndoOperationResponse, error) {
			return k.Operation.UndoOperation
		}, &v1.UndoOperationRequest{Target: &v1.UndoOperationRequest_Id{Id: text(0)}})
		return "undone", err
	case showReferences:
		return "", nil
	}
	return "", fmt.Errorf("there is no command %q", p.Command)
}

// matter is what an operation is about: its reason, or what it does to what.
func matter(op *v1.Operation) string {
	return cmp.Or(op.Reason, op.Type+" "+op.GetEntity().GetPath())
}

// createNote makes the note that a dead link names, in a file of that name: other programs find
// it by that alone. Whoever asks again, having got no answer, doesn't get another one beside it.
func (s *server) createNote(ctx context.Context, target string) (string, error) {
	name, _, _ := strings.Cut(target, "#")
	there, err := ask(ctx, s, resolveLink, &v1.ResolveLinkRequest{Target: name})
	if err != nil {
		return "", err
	}
	if p := there.GetLink().GetPath(); p != "" {
		return "", fmt.Errorf("%s is there already", p)
	}
	p := strings.TrimSuffix(strings.TrimPrefix(name, "/"), ".md")
	res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.CreateDocumentRequest) (*v1.CreateDocumentResponse, error) {
		return k.Vault.CreateDocument
	}, &v1.CreateDocumentRequest{Path: p + ".md", Text: "# " + path.Base(p) + "\n"})
	return "made " + res.GetPath(), err
}

// edit carries out what changes an open document, which has to be saved.
func (s *server) edit(ctx context.Context, p command, uri string) (string, error) {
	d := s.document(uri)
	if !d.usable() || len(p.Arguments) < 2 {
		return "", fmt.Errorf("%s isn't open", uri)
	}
	now, saved := s.isSaved(ctx, d)
	if !saved {
		return "", &staleError{d, now}
	}
	hash := now.Hash
	if p.Command == extractSection {
		var at position
		if err := json.Unmarshal(p.Arguments[1], &at); err != nil {
			return "", err
		}
		res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.ExtractSectionRequest) (*v1.ExtractSectionResponse, error) {
			return k.Language.ExtractSection
		}, &v1.ExtractSectionRequest{Path: d.path, Position: s.inFile(at, d, now), Expect: hash})
		return "made " + res.GetPath(), err
	}
	var line int
	if err := json.Unmarshal(p.Arguments[1], &line); err != nil {
		return "", err
	}
	_, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.CompleteTaskRequest) (*v1.CompleteTaskResponse, error) {
		return k.Task.CompleteTask
	}, &v1.CompleteTaskRequest{Task: fmt.Sprintf("%s:%d", d.path, line+1), Expect: hash})
	if err != nil { // the line may be another's by now, which is found before the hash is compared
		if now, saved := s.isSaved(ctx, d); !saved || now.Hash != hash { // or the editor has loaded it again meanwhile
			return "", &staleError{d, now}
		}
	}
	return "completed", err
}

// isSaved reports whether the file is what the editor has, but for what editors keep to
// themselves, and what it is; nil where that can't be read. What was saved may have been changed since by somebody else,
// and be changed again: what goes by its lines has to be carried out on its hash alone.
func (s *server) isSaved(ctx context.Context, d *document) (now *v1.Document, saved bool) {
	res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.GetDocumentRequest) (*v1.GetDocumentResponse, error) {
		return k.Vault.GetDocument
	}, &v1.GetDocumentRequest{Path: d.path})
	if err != nil {
		return nil, false
	}
	return res.Document, res.Document.Hash == d.hash() || bytes.Equal(plain(textOf(res.Document)), plain(d.text))
}

// textOf is a document's text, in whichever form it came.
func textOf(d *v1.Document) []byte { return append([]byte(d.GetContent()), d.Text...) }

// plain is a text without a byte order mark and with the line ends of Unix.
func plain(text []byte) []byte {
	return bytes.ReplaceAll(bytes.TrimPrefix(text, []byte(places.Mark)), []byte("\r\n"), []byte("\n"))
}
