package torture

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// An editor saves files, one after another, in all the ways that editors do.
//
// Messages: "paused" in answer to pause, with what it did.
type editor struct {
	name     string
	files    desk
	rng      *rand.Rand
	own      []string
	hot      []string
	n        int   // number of the last save
	held     *held // a file kept open
	late     []*late
	lateness time.Duration
	since    message
}

func editorMain(name string, in <-chan command, out *wire) {
	e := &editor{name: name}
	running := false
	for {
		if !running {
			cmd, ok := <-in
			if !ok || cmd.Do == "quit" {
				return
			}
			running = true
			switch cmd.Do {
			case "start":
				e.start(cmd)
			case "resume":
				e.files.forget(cmd.Forget)
			case "release":
				running = false
				e.releaseLate()
				out.send(message{Is: "released"})
				continue
			}
		}
		select {
		case cmd, ok := <-in:
			if !ok || cmd.Do == "quit" {
				return
			}
			running = false
			e.release()
			out.send(e.report())
		default:
			e.step()
		}
	}
}

func (e *editor) start(c command) {
	e.releaseLate()
	*e = editor{
		name: e.name, lateness: c.Late, rng: rand.New(rand.NewPCG(c.Seed, uint64(e.name[1]))), own: c.Own, hot: c.Hot,
		files: desk{dir: c.Dir, side: c.Side, expect: map[string][]string{}},
	}
	e.report()
}

// report returns what there is to say since the last one.
func (e *editor) report() message {
	m := e.since
	m.Is, m.Expect, m.Late = "paused", e.files.expect, len(e.late)
	e.since = message{Styles: map[string]int{}, Versions: map[string][]version{}}
	return m
}

// path is where the editor finds a file: often through links.
func (e *editor) path(file string) string {
	if e.rng.IntN(3) == 0 {
		file = linked(file)
	}
	return e.files.path(file)
}

// step makes at most one save.
func (e *editor) step() {
	if e.held != nil && time.Now().After(e.held.next) {
		e.writeHeld()
		return
	}
	e.writeLate()
	file, shared := e.own[e.rng.IntN(len(e.own))], false
	if e.rng.IntN(4) == 0 {
		file, shared = e.hot[e.rng.IntN(len(e.hot))], true
	}
	if e.held != nil && e.held.file == file || e.isLate(file) {
		return
	}
	if !e.files.take(file, shared) {
		return // another editor's turn
	}
	if !shared && e.rng.IntN(8) == 0 {
		e.stayLate(file)
	}
	if !e.save(file, shared) {
		e.files.give(file, shared)
	}
	time.Sleep(time.Duration(e.rng.IntN(250)) * time.Microsecond)
}

// save saves the file in some way. It reports whether it holds on to the file.
func (e *editor) save(file string, shared bool) (holds bool) {
	p := e.path(file)
	appended := 0
	for _, m := range e.files.expect[file] {
		if body, _ := unseal(m); key(body) == e.name+" "+stem(file)+" a" {
			appended++
		}
	}
	if appended < 10 && e.rng.IntN(5) == 0 {
		if e.held == nil && e.rng.IntN(15) == 0 {
			return e.hold(file, shared)
		}
		e.append(file)
		return false
	}
	text, err := os.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) && len(e.files.expect[file]) == 0 {
		e.put(file, "create", document(file), func(text []byte) error { return writeNew(p, text) })
		return false
	}
	if err != nil || !e.sees(text, file) {
		return false // it will be back
	}
	old := text
	if torn(text, file) != "" {
		if len(e.files.expect[file]) > 0 {
			return false
		}
		text = document(file) // a person would do the same
	}
	if appended >= 10 || appended > 3 && e.rng.IntN(8) == 0 {
		text = dropAdditions(text, e.name, file)
	}
	s := styles[e.rng.IntN(len(styles))]
	e.put(file, s.name, text, func(text []byte) error { return s.save(e, p, old, text) })
	return false
}

// sees reports whether the text has all saves so far.
func (e *editor) sees(text []byte, file string) bool {
	for _, m := range e.files.expect[file] {
		if !hasLine(text, m) {
			return false
		}
	}
	return true
}

// put saves text with a marker of its own in it.
func (e *editor) put(file, style string, text []byte, save func(text []byte) error) {
	e.n++
	marker := slot(e.name, file, e.n)
	text, ok := setSlot(text, e.name, file, marker)
	if !ok {
		return
	}
	if err := save(text); err != nil {
		var back *movedBack
		switch {
		case errors.As(err, &back):
			e.wrote(file, back.text)
		case !errors.Is(err, errNotSaved):
			panic(err)
		}
		return
	}
	prefix := e.name + " " + stem(file) + " "
	expect := slices.DeleteFunc(e.files.expect[file], func(m string) bool {
		return len(m) > len(prefix) && m[:len(prefix)] == prefix && !hasLine(text, m)
	})
	e.files.expect[file] = append(expect, marker)
	e.saved(style)
	e.wrote(file, text)
}

func (e *editor) saved(style string) {
	e.since.Saves++
	e.since.Styles[style]++
}

func (e *editor) wrote(file string, text []byte) {
	e.since.Versions[file] = append(e.since.Versions[file], version{Sum: sum(text), At: time.Now().UnixNano()})
}

// sum is the beginning of a text's hash.
func sum(text []byte) uint64 {
	h := sha256.Sum256(text)
	return binary.BigEndian.Uint64(h[:])
}

// append adds a line to a file without reading it.
func (e *editor) append(file string) {
	f, err := os.OpenFile(e.path(file), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return
	}
	e.add(f, file, "append")
	f.Close()
}

func (e *editor) add(f *os.File, file, style string) {
	e.n++
	marker := addition(e.name, file, e.n)
	if _, err := f.WriteString(marker + "\n"); err != nil {
		panic(err)
	}
	e.files.expect[file] = append(e.files.expect[file], marker)
	e.saved(style)
}

// held is a file that an editor keeps open while it works on others.
type held struct {
	f      *os.File
	file   string
	shared bool
	left   int
	next   time.Time
}

func (e *editor) hold(file string, shared bool) bool {
	f, err := os.OpenFile(e.path(file), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false
	}
	e.held = &held{f: f, file: file, shared: shared, left: 1 + e.rng.IntN(4)}
	return true
}

func (e *editor) writeHeld() {
	h := e.held
	e.add(h.f, h.file, "hold open")
	h.next = time.Now().Add(time.Duration(1+e.rng.IntN(40)) * time.Millisecond)
	if h.left--; h.left <= 0 {
		e.release()
	}
}

// release closes the file that is held open.
func (e *editor) release() {
	if e.held == nil {
		return
	}
	e.held.f.Close()
	e.files.give(e.held.file, e.held.shared)
	e.held = nil
}
