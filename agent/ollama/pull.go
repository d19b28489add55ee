package ollama

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"kist/agent/endpoint"
	"kist/agent/wire"
)

// Progress is how far a pull has come.
type Progress struct {
	Status      string // in words, such as "pulling manifest"
	Done, Total int64  // bytes of the part in work; Total 0: it isn't counted
}

// Pull has a server fetch a model, by /api/pull, and tells how that goes; it ends early
// where tell returns false. The server keeps what it has. Errors are *endpoint.Error or
// come from ctx.
func Pull(ctx context.Context, e *endpoint.Endpoint, name string, tell func(Progress) bool) error {
	body, err := json.Marshal(map[string]any{"model": name, "stream": true})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL().JoinPath("/api/pull").String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	client := e.Stream(endpoint.Patience{})
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return pulled(ctx, err)
	}
	defer resp.Body.Close()
	for lines := bufio.NewReader(resp.Body); ; {
		line, readErr := lines.ReadBytes('\n')
		var p struct {
			Status           string
			Total, Completed int64
			Error            string
		}
		if json.Unmarshal(line, &p) == nil {
			switch {
			case p.Error != "":
				return e.Answered(http.StatusOK, endpoint.Message(line))
			case p.Status == "success":
				tell(Progress{Status: "success"})
				return nil
			case !tell(Progress{Status: wire.Clean(p.Status), Done: max(0, p.Completed), Total: max(0, p.Total)}):
				return nil
			}
		}
		switch {
		case readErr == nil:
		case readErr == io.EOF:
			return e.Answered(0, "the server broke off; pulling again goes on where it was")
		default:
			return pulled(ctx, readErr)
		}
	}
}

func pulled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return endpoint.Cause(err)
}
