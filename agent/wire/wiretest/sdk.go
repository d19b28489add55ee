//go:build sdk

package wiretest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ReadBySDK has the official SDK of npm for a protocol, openai or anthropic, read each of
// the streams, and returns the message that it made of it into value, which may be called
// with the names in any order, or why it made none. KIST_SDK names the folder of read.mjs
// with the SDKs installed.
func ReadBySDK(t *testing.T, sdk string, streams map[string]string, value func(name string, message []byte)) (refused map[string]string) {
	t.Helper()
	dir := os.Getenv("KIST_SDK")
	if dir == "" {
		t.Fatal("KIST_SDK names no folder; .ci/run sdk makes one")
	}
	var names []string
	urls := map[string]string{}
	server := New(t, func(r Request) Answer {
		n, err := strconv.Atoi(strings.Split(r.Path, "/")[1])
		if err != nil {
			t.Error(err)
			return Answer{Status: 404}
		}
		return Answer{Body: streams[names[n]], Step: 1000}
	})
	for name := range streams {
		urls[name] = server.URL + "/" + strconv.Itoa(len(names))
		names = append(names, name)
	}
	asked, err := json.Marshal(map[string]any{"sdk": sdk, "streams": urls})
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "read.mjs"))
	node.Stdin, node.Stderr = bytes.NewReader(asked), os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal(out, &read); err != nil || len(read) != len(streams) {
		t.Fatalf("%v: %d of %d streams were read: %s", err, len(read), len(streams), out)
	}
	refused = map[string]string{}
	for name, r := range read {
		if r.Error != "" {
			refused[name] = r.Error
			continue
		}
		value(name, r.Value)
	}
	return refused
}
