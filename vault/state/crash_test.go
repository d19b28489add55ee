//go:build unix

package state_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kist/vault/state"
)

func TestMain(m *testing.M) {
	switch file := os.Getenv("KIST_TEST_STATE"); os.Getenv("KIST_TEST_STATE_CHILD") {
	case "write":
		crashChild(file)
	case "full":
		fullChild(file)
	default:
		os.Exit(m.Run())
	}
}

func child(t *testing.T, what, file string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "KIST_TEST_STATE="+file, "KIST_TEST_STATE_CHILD="+what)
	return cmd
}

// step is the nth write: each touches a document, another's move, an operation
// and a position, in this order.
func step(db *state.DB, n int) error {
	text := fmt.Sprintf("step %d\n%s", n, strings.Repeat("line\n", n%500))
	path := fmt.Sprintf("%03d", n%200)
	return errors.Join(
		db.PutDocument(doc(path, text), []byte(text)),
		db.MoveDocument(fmt.Sprintf("moving-%d", n-1), fmt.Sprintf("moving-%d", n)),
		db.PutOperations(
			[]state.Entry{{ID: fmt.Sprintf("%08d", n), Keys: []string{path, fmt.Sprintf("last-%d", n%3)}, Value: []byte(text)}},
			map[string]int64{"log": int64(n)}),
	)
}

// crashChild writes on from where the file ends, and prints what it flushed.
func crashChild(file string) {
	db, err := state.Open(file, state.Options{Flush: 3 * time.Millisecond})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	at, err := db.Position("log")
	if err == nil && at == 0 {
		err = db.PutDocument(doc("moving-0", "moving"), []byte("moving"))
	}
	for n := int(at) + 1; err == nil; n++ {
		if err = step(db, n); err == nil && n%50 == 0 {
			err = db.Flush()
			fmt.Println("flushed", n)
		}
	}
	fmt.Println("failed:", err)
	os.Exit(1)
}

// A process is killed again and again at any time. The file always opens, has
// everything that was flushed, and is the state after some write, whole.
func TestKill(t *testing.T) {
	kills := 24
	if s := os.Getenv("KIST_TEST_KILLS"); s != "" {
		kills, _ = strconv.Atoi(s)
	}
	file := temp(t)
	for range kills {
		cmd := child(t, "write", file)
		var out bytes.Buffer
		cmd.Stdout = &out
		must(t, cmd.Start())
		time.Sleep(time.Duration(10+rand.IntN(50)) * time.Millisecond)
		must(t, cmd.Process.Kill())
		cmd.Wait()
		flushed := 0
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "failed") || strings.HasPrefix(line, "open") {
				t.Fatal(line)
			}
			if n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "flushed "))); err == nil && strings.HasSuffix(line, "\n") {
				flushed = n
			}
		}
		checkKilled(t, file, flushed)
	}
	if found, _ := os.ReadDir(strings.TrimSuffix(file, "/state.db")); len(found) != 1 {
		t.Errorf("left over: %v", found)
	}
}

func checkKilled(t *testing.T, file string, flushed int) {
	t.Helper()
	db := open(t, file)
	at, err := db.Position("log")
	must(t, err)
	n := int(at)
	if n < flushed {
		t.Fatalf("%d was flushed, and the file ends at %d", flushed, n)
	}
	count := 0
	for e, err := range db.OperationsAscending("", "") {
		must(t, err)
		if count++; e.ID != fmt.Sprintf("%08d", count) {
			t.Fatalf("operation %s is number %d", e.ID, count)
		}
	}
	if count != n {
		t.Errorf("%d operations at position %d", count, n)
	}
	want := min(n, 200)
	known, all := 0, 0
	for d, err := range db.Documents() {
		must(t, err)
		all++
		text, ok, err := db.Text(d.Path)
		must(t, err)
		if !ok || d.Hash != hash(string(text)) {
			t.Errorf("%s: text of %d bytes is not its own", d.Path, len(text))
		}
		if !strings.HasPrefix(d.Path, "moving-") {
			known++
		}
	}
	// The write that the kill cut short may have got as far as its document.
	if known < want || known > want+1 {
		t.Errorf("%d documents after %d writes", known, n)
	}
	// At most one moves: a kill between a move and its position makes the next
	// child move what isn't there any more.
	if count, _ := db.Len(); count != all || all > known+1 {
		t.Errorf("Len is %d, there are %d, of them %d that don't move", count, all, known)
	}
	must(t, db.Close())
}

// The operating system refuses to let the file grow, as on a full disk.
func TestFileTooLarge(t *testing.T) {
	file := temp(t)
	out, err := child(t, "full", file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "survived") {
		t.Fatalf("%v\n%s", err, out)
	}
	db := open(t, file)
	for i := range 40 {
		if _, ok, err := db.Text(fmt.Sprint(i)); !ok || err != nil {
			t.Fatal(i, ok, err)
		}
	}
}

// fullChild writes until there is no more room, sees that all is readable, and
// goes on when there is room again.
func fullChild(file string) {
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was)
	db, err := state.Open(file, state.Options{Flush: time.Hour})
	limit := was
	limit.Cur = 1 << 20
	err = errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	noise := make([]byte, 100<<10)
	failed := 0
	for i := 0; i < 40 && err == nil; i++ {
		for j := range noise {
			noise[j] = byte(rand.IntN(256))
		}
		err = db.PutDocument(state.Document{Path: fmt.Sprint(i)}, noise)
		if e := db.Flush(); e != nil {
			failed++
			fmt.Println(e)
		}
	}
	for i := 0; i < 40 && err == nil; i++ {
		var ok bool
		if _, ok, err = db.Text(fmt.Sprint(i)); !ok && err == nil {
			err = fmt.Errorf("%d isn't known", i)
		}
	}
	if err != nil || failed == 0 || db.Err() != nil {
		fmt.Println("failed:", err, failed, db.Err())
		os.Exit(1)
	}
	if err := errors.Join(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was), db.Close()); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("survived")
}
