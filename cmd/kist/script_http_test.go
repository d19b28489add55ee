package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdHTTP: http STATUS URL [token=VAULT|token=wrong] [host=NAME] [origin=URL] posts an
// empty JSON message and wants that status. token=VAULT takes that vault's token.
func cmdHTTP(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: http STATUS URL [token=VAULT|token=wrong] [host=NAME] [origin=URL]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	req, err := http.NewRequest(http.MethodPost, args[1], strings.NewReader("{}"))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	for _, arg := range args[2:] {
		key, value, _ := strings.Cut(arg, "=")
		switch key {
		case "token":
			token := []byte(value)
			if value != "wrong" {
				token, err = os.ReadFile(filepath.Join(ts.MkAbs(value), ".kist", "token"))
				ts.Check(err)
			}
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		case "host":
			req.Host = value
		case "origin":
			req.Header.Set("Origin", value)
		default:
			ts.Fatalf("unknown argument %q", arg)
		}
	}
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	ts.Check(res.Body.Close())
	if res.StatusCode != want {
		ts.Fatalf("status %d, want %d", res.StatusCode, want)
	}
}
