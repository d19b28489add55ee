package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file holds the script command that is a server of language models.

// cmdModelServer: modelserver NAME FILE starts a server with OpenAI's interface, whose
// address $NAME_URL is and stays, also when it is started again; it has one model, small,
// and answers by the lines of the file, the last of which counts for all that follow:
//
//	words TEXT          says it
//	think THOUGHT|TEXT  thinks first
//	call TOOL {...}     calls a tool
//	cut TEXT            says it, and the connection breaks
//	status N TEXT       refuses
//	hang                nothing comes
//
// modelserver NAME asked prints what it was asked since the last time, a line for each
// request: the user's message, or what the last tool told. modelserver NAME gone ends it.
func cmdModelServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: modelserver NAME FILE|asked|gone")
	}
	all, ok := ts.Value(modelServersKey{}).(map[string]*modelServer)
	if !ok {
		ts.Fatalf("the script has no set of servers")
	}
	s := all[args[0]]
	switch {
	case s == nil && (args[1] == "asked" || args[1] == "gone"):
		ts.Fatalf("no server %s was started", args[0])
	case args[1] == "asked":
		_, err := ts.Stdout().Write([]byte(s.told()))
		ts.Check(err)
	case args[1] == "gone":
		s.end()
	default:
		addr := "127.0.0.1:0"
		if s != nil {
			s.end()
			addr = s.addr
		}
		l, err := listenAt(addr)
		ts.Check(err)
		s = &modelServer{addr: l.Addr().String(), lines: strings.Split(strings.TrimSpace(ts.ReadFile(args[1])), "\n"), over: make(chan struct{})}
		s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s}}
		s.http.Start()
		ts.Defer(s.end)
		ts.Setenv(args[0]+"_URL", "http://"+s.addr+"/v1")
		all[args[0]] = s
	}
}

// listenAt listens where a server was a moment ago: a client's connection may have been
// given its port meanwhile, and lets go of it soon.
func listenAt(addr string) (l net.Listener, err error) {
	for range 100 {
		if l, err = net.Listen("tcp", addr); err == nil {
			return l, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil, err
}

type modelServersKey struct{}

type modelServer struct {
	addr  string
	http  *httptest.Server
	over  chan struct{}
	ended sync.Once

	mu    sync.Mutex
	lines []string // of answers still to come
	asked []string
}

func (s *modelServer) end() {
	s.ended.Do(func() {
		close(s.over)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

func (s *modelServer) told() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.asked
	s.asked = nil
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "\n") + "\n"
}

// next notes what is asked and returns the line of its answer.
func (s *modelServer) next(asked string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked)
	line := s.lines[0]
	if len(s.lines) > 1 {
		s.lines = s.lines[1:]
	}
	return line
}

func (s *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, `{"data":[{"id":"small","context_length":32768}]}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	var req struct {
		Messages []struct {
			Role, Content string
		}
		Tools []any
	}
	if json.Unmarshal(body, &req) != nil || len(req.Messages) == 0 {
		http.Error(w, "a request that makes no sense", http.StatusBadRequest)
		return
	}
	last := req.Messages[len(req.Messages)-1]
	said := last.Content
	if _, after, ok := strings.Cut(said, "</context>"); ok {
		said = after // what stands before is kist's own
	}
	kind, text, _ := strings.Cut(s.next(fmt.Sprintf("%s, %d tools: %s", last.Role, len(req.Tools), strings.Join(strings.Fields(said), " "))), " ")
	s.play(w, r, kind, text, len(body)/4)
}

// play sends one answer; count is how many tokens it says that it read.
func (s *modelServer) play(w http.ResponseWriter, r *http.Request, kind, text string, count int) {
	delta := func(d map[string]any, finish string) {
		choice := map[string]any{"index": 0, "delta": d}
		if finish != "" {
			choice["finish_reason"] = finish
		}
		piece, _ := json.Marshal(map[string]any{"choices": []any{choice}, "usage": map[string]int{"prompt_tokens": count, "completion_tokens": len(text) / 4}})
		fmt.Fprintf(w, "data: %s\n\n", piece)
		_ = http.NewResponseController(w).Flush()
	}
	first, rest, _ := strings.Cut(text, " ")
	switch kind {
	case "status":
		n, err := strconv.Atoi(first)
		if err != nil {
			n = http.StatusTeapot
		}
		http.Error(w, rest, n)
		return
	case "hang":
		select {
		case <-s.over:
		case <-r.Context().Done():
		}
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	finish := "stop"
	switch kind {
	case "cut":
		delta(map[string]any{"content": text}, "")
		panic(http.ErrAbortHandler)
	case "think":
		thought, said, _ := strings.Cut(text, "|")
		delta(map[string]any{"reasoning_content": thought}, "")
		delta(map[string]any{"content": said}, "")
	case "call":
		finish = "tool_calls"
		delta(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function", "function": map[string]string{"name": first, "arguments": rest}}}}, "")
	default:
		for word := range strings.SplitAfterSeq(text, " ") {
			delta(map[string]any{"content": word}, "")
		}
	}
	delta(map[string]any{}, finish)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
