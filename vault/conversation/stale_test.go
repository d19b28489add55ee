package conversation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// An editor saves the conversation, as it read it a moment before, over the turns that
// are added meanwhile: all it wrote and all turns are there in the end.
func TestStaleEditorLosesNoTurn(t *testing.T) {
	for name, saveAs := range vaulttest.Savers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := vaulttest.New(t, "")
			vaulttest.Watch(t, v)
			addTurns(t, v, turnAt("T0", vaulttest.Now))
			file := filepath.Join(v.Dir(), today)
			stop := make(chan struct{})
			var editing sync.WaitGroup
			saves := 0
			editing.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					text, err := os.ReadFile(file)
					if err != nil {
						continue
					}
					time.Sleep(2 * time.Millisecond) // the user types
					saves++
					if err := saveAs(file, append(text, fmt.Sprintf("\nremark %d.\n", saves)...)); err != nil {
						t.Error(err)
						return
					}
					time.Sleep(5 * time.Millisecond)
				}
			})
			const turns = 60
			for i := 1; i <= turns; i++ {
				addTurns(t, v, turnAt(fmt.Sprintf("T%d", i), vaulttest.Now.Add(time.Duration(i)*time.Second)))
				time.Sleep(3 * time.Millisecond)
			}
			close(stop)
			editing.Wait()
			var text string
			missing := 1
			for end := time.Now().Add(5 * time.Second); missing > 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				text, missing = everything(t, v.Dir()), 0
				for i := range turns + 1 {
					if strings.Count(text, fmt.Sprintf("<!-- turn T%d session", i)) == 0 || !strings.Contains(text, fmt.Sprintf("reply T%d\n", i)) {
						missing++
					}
				}
			}
			gone := 0
			for i := 1; i <= saves; i++ {
				if !strings.Contains(text, fmt.Sprintf("remark %d.", i)) {
					gone++
				}
			}
			if missing > 0 || gone > 0 {
				t.Errorf("of %d turns %d are lost, of %d remarks %d", turns+1, missing, saves, gone)
			}
		})
	}
}

// everything is the text of all conversation files, conflict copies too.
func everything(t *testing.T, dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "conversations", "*.md"))
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		b.Write(text)
	}
	return b.String()
}

// Who edits what was just said, or takes it out again and again, has seen it: kist gives
// way.
func TestTurnTakenOutOnPurpose(t *testing.T) {
	t.Parallel()
	v := vaulttest.New(t, "")
	vaulttest.Watch(t, v)
	addTurns(t, v, turnAt("T1", vaulttest.Now), turnAt("T2", vaulttest.Now.Add(time.Second)))
	file := filepath.Join(v.Dir(), today)
	read := func() string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	edited := strings.Replace(read(), "reply T2", "[redacted]", 1)
	write(edited)
	const long = 700 * time.Millisecond // what is added again is so after 300
	time.Sleep(long)
	if got := read(); got != edited {
		t.Fatalf("an edit was not left alone:\n%s", got)
	}
	without := edited[:strings.LastIndex(edited, "\n## ")]
	for range 8 {
		write(without)
		for end := time.Now().Add(long); read() == without; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				return
			}
		}
	}
	t.Fatal("what is taken out comes back for ever")
}
