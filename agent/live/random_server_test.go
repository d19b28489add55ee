//go:build live

package live

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kist/agent/models"
)

// startRandom starts llama.cpp's server with a model of random weights, those of a seed, by the Python that
// KIST_LIVE_PYTHON names, which has the packages of .ci/serve-model.py. Its answers are
// short. It is ended with the test. Where there is no such Python it returns false.
func startRandom(t *testing.T, weights uint64) (s server, found bool) {
	t.Helper()
	python := os.Getenv("KIST_LIVE_PYTHON")
	if python == "" {
		fmt.Println("live: LEFT OUT: KIST_LIVE_PYTHON names no Python that has llama.cpp's server")
		return s, false
	}
	file := randomWeights(t, weights)
	port := freePort(t)
	var log bytes.Buffer
	process := exec.Command(python, "../../.ci/serve-model.py", "--model", file, "--threads", "1", "--tokens", "40", port)
	process.Stdout, process.Stderr = &log, &log
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(process.Process.Kill(), ignoreExit(process.Wait())); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the server said last: %s", log.Bytes()[max(0, log.Len()-2000):])
		}
	})
	s = server{url: "http://127.0.0.1:" + port + "/v1", model: "random"}
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		resp, err := http.Get("http://127.0.0.1:" + port + "/health")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return s, true
			}
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("the server isn't there after a minute: %v", err)
		}
	}
}

// randomWeights writes a model's file.
func randomWeights(t *testing.T, seed uint64) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "random.gguf")
	if out, err := exec.Command("go", "run", "./randommodel", "-seed", fmt.Sprint(seed), "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

func ignoreExit(err error) error {
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		return nil
	}
	return err
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// settings are those with which the server is this machine's only one.
func (s server) settings() models.Settings {
	return models.Settings{Context: *size, Servers: map[string]models.Server{"openai": {URL: s.url, Key: os.Getenv("KIST_LIVE_KEY"), Set: true}}}
}
