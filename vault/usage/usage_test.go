package usage_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/usage"
	"kist/vault/vaulttest"
)

func TestUse(t *testing.T) {
	v := vaulttest.New(t, "")
	for i, use := range []usage.Use{{Tokens: 5, Cost: 0.25}, {}, {Tokens: 7, Cost: 0.5}, {Tokens: -3, Cost: -0.25}, {Tokens: -30, Cost: -1}, {Tokens: 12, Cost: 0.75}} {
		if err := v.AddUse("2026-11-20", use); err != nil {
			t.Fatal(err)
		}
		if got := v.Used("2026-11-20").Tokens; got != []int{5, 5, 12, 9, 0, 12}[i] {
			t.Errorf("%d tokens", got)
		}
	}
	for i := range 60 {
		if err := v.AddUse(time.Date(2026, 1, i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), usage.Use{Tokens: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.AddUse("2026-11-19", usage.Use{Tokens: 100, Cost: 1}); err != nil {
		t.Fatal(err)
	}
	dir := v.Dir()
	again := func() {
		t.Helper()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		v = vaulttest.Open(t, dir)
	}
	again()
	for when, want := range map[string]usage.Use{"2026-11-20": {Tokens: 12, Cost: 0.75}, "2026-11": {Tokens: 112, Cost: 1.75}, "2026-01-01": {}, "2025-11-20": {}} {
		if got := v.Used(when); got != want {
			t.Errorf("%s: %+v after a restart, want %+v", when, got, want)
		}
	}
	// What an older kist wrote, and what nobody did.
	for text, want := range map[string]int{`{"2026-11-20":12}`: 13, "null": 1, `{"2026-11-20":{"tokens":-4,"cost":-1}}`: 1, `[1]`: 1} {
		if err := os.WriteFile(filepath.Join(dir, ".kist/tokens.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		again()
		if err := v.AddUse("2026-11-20", usage.Use{Tokens: 1}); err != nil || v.Used("2026-11-20").Tokens != want {
			t.Errorf("%s: %+v, %v", text, v.Used("2026-11-20"), err)
		}
	}
}

// What is booked is refused or added with nothing in between, and taken back without a rest.
func TestBookUse(t *testing.T) {
	v := vaulttest.New(t, "")
	if err := v.AddUse("2026-11-01", usage.Use{Tokens: 3, Cost: 0.7}); err != nil {
		t.Fatal(err)
	}
	for _, allowed := range []bool{false, true} {
		err := v.BookUse("2026-11-20", usage.Use{Tokens: 5, Cost: 0.1}, func(day, month usage.Use) bool {
			if day != (usage.Use{}) || month != (usage.Use{Tokens: 3, Cost: 0.7}) {
				t.Errorf("%+v, %+v", day, month)
			}
			return allowed
		})
		if got := v.Used("2026-11-20").Tokens; err != nil || (got == 5) != allowed {
			t.Errorf("%d tokens, %v", got, err)
		}
	}
	for _, cost := range []float64{0.2, -0.1, -0.2} {
		if err := v.AddUse("2026-11-20", usage.Use{Cost: cost}); err != nil {
			t.Fatal(err)
		}
	}
	if got := v.Used("2026-11-20").Cost; got != 0 {
		t.Errorf("%v is left", got)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if err := v.BookUse("2026-11-21", usage.Use{Tokens: 10}, func(day, _ usage.Use) bool { return day.Tokens+10 <= 30 }); err != nil {
				t.Error(err)
			}
		})
	}
	if wait.Wait(); v.Used("2026-11-21").Tokens != 30 {
		t.Errorf("%+v", v.Used("2026-11-21"))
	}
}

// What can't be read is put aside, and the count goes on.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func(file string) error{
		"half-written": func(file string) error { return os.WriteFile(file, []byte(`{"2026-11-20":{"tok`), 0o600) },
		"a folder":     func(file string) error { return os.MkdirAll(filepath.Join(file, "x"), 0o700) },
	} {
		dir := vaulttest.Write(t, "")
		file := filepath.Join(dir, ".kist", "tokens.json")
		if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), damage(file)); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		v := openLogged(t, dir, &log)
		if err := v.AddUse("2026-11-20", usage.Use{Tokens: 7}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(filepath.Join(dir, ".kist", "tokens.damaged")); err != nil || !strings.Contains(log.String(), "begins anew") {
			t.Errorf("%s: %v, %s", name, err, log.String())
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != `{"2026-11-20":{"tokens":7}}` {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

func openLogged(t *testing.T, dir string, log *bytes.Buffer) *vault.Vault {
	t.Helper()
	v, err := vault.Open(context.Background(), dir, vault.Options{Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v
}
