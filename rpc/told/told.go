/*
Package told remembers which checkbox a client was told of by which line, so that a change of
"notes/boat.md:4" doesn't hit what has moved to that line since: completing a recurring task
makes a line more, and deleting one a line less, while a person still reads the list of before.

[New] returns the interceptor. It knows what this daemon told, by the client's name, and lets
everything else pass; a request with expect says itself what it was told.
*/
package told

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/entity"
)

// most is how many checkboxes are remembered of a client, and how many clients: beyond it all
// of them are forgotten.
const most, mostClients = 20_000, 50

// titles are those of a document's checkboxes by line.
type titles map[int]string

// A memory is what was told, by client and document.
type memory struct {
	vault *vault.Vault

	mu      sync.Mutex
	clients map[string]map[string]titles
	count   map[string]int
}

// New returns the interceptor that refuses with [vault.ErrConflict] what was meant for another
// checkbox.
func New(v *vault.Vault) connect.Interceptor {
	return &memory{vault: v, clients: map[string]map[string]titles{}, count: map[string]int{}}
}

// WrapUnary implements connect.Interceptor.
func (m *memory) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		client := req.Header().Get("Kist-Client")
		if ref, ok := req.Any().(interface{ GetTask() string }); ok && expected(req.Any()) == "" {
			if err := m.check(ctx, client, ref.GetTask()); err != nil {
				return nil, err
			}
		}
		res, err := next(ctx, req)
		if err == nil {
			m.note(client, res.Any())
		}
		return res, err
	}
}

func expected(req any) string {
	if guarded, ok := req.(interface{ GetExpect() string }); ok {
		return guarded.GetExpect()
	}
	return ""
}

// note takes in the tasks of an answer.
func (m *memory) note(client string, answer any) {
	var tasks []*kistv1.Task
	switch a := answer.(type) {
	case interface{ GetTasks() []*kistv1.Task }:
		tasks = a.GetTasks()
	case interface{ GetTask() *kistv1.Task }:
		tasks = []*kistv1.Task{a.GetTask()}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range tasks {
		if t.GetLine() == 0 {
			continue
		}
		docs := m.clients[client]
		if docs == nil || m.count[client] > most {
			if len(m.clients) > mostClients {
				clear(m.clients)
			}
			docs = map[string]titles{}
			m.clients[client], m.count[client] = docs, 0
		}
		if docs[t.Path] == nil {
			docs[t.Path] = titles{}
		}
		docs[t.Path][int(t.Line)] = t.Title
		m.count[client]++
	}
}

// check compares what a line was told to hold with what it does.
func (m *memory) check(ctx context.Context, client, ref string) error {
	m.mu.Lock()
	told := m.count[client] > 0 && strings.Contains(ref, ":")
	m.mu.Unlock()
	if !told {
		return nil
	}
	task, err := entity.FindTask(ctx, m.vault, ref)
	if err != nil || task.Line == 0 {
		return nil // the call itself says what is wrong
	}
	m.mu.Lock()
	in := maps.Clone(m.clients[client][task.Path])
	m.mu.Unlock()
	was, known := in[task.Line]
	if !known || was == task.Title {
		return nil
	}
	delete(in, task.Line)
	moved := slices.Contains(slices.Collect(maps.Values(in)), task.Title) // it was told to be on another line
	now := 0
	tasks, err := entity.TasksIn(ctx, m.vault, task.Path)
	for _, t := range tasks {
		if t.Title == was {
			now = t.Line
		}
	}
	if err != nil || now == 0 && !moved {
		return err // it was given another title
	}
	said := fmt.Sprintf("%s is “%s” by now; when it was listed it was “%s”", ref, vault.OneLine(task.Title), vault.OneLine(was))
	if now > 0 {
		said += fmt.Sprintf(", which is on line %d", now)
	}
	return vault.Hinted(fmt.Errorf("%w: %s", vault.ErrConflict, said), "list the tasks again: lines above it have come or gone since")
}

// WrapStreamingHandler implements connect.Interceptor.
func (m *memory) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// WrapStreamingClient implements connect.Interceptor.
func (m *memory) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}
