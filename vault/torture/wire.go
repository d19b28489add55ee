package torture

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// This file holds what the judge and the processes say to each other.

// A command goes from the judge to a process.
type command struct {
	Do string // an editor's: start, pause, resume, release; a daemon's: go, rest, walk, compare, undo; quit

	// start
	Dir  string        `json:",omitempty"`
	Side string        `json:",omitempty"` // folder for what editors that share a file must tell each other
	Own  []string      `json:",omitempty"` // files that nobody else edits
	Hot  []string      `json:",omitempty"` // shared files
	Seed uint64        `json:",omitempty"`
	Late time.Duration `json:",omitempty"` // how long after it was displaced a file that is held open is written
	// resume: markers that the judge has found elsewhere, by file
	Forget map[string][]string `json:",omitempty"`

	Plan plan     // go
	IDs  []string `json:",omitempty"` // undo: operations, the one to take back first comes first
}

// A plan says how a daemon's file system fails. The zero plan: not at all.
type plan struct {
	KillAt   int     // die at this call; 0: don't
	KillCall string  // count only calls of this name
	Errors   float64 // the part of all calls that fail
	Seed     uint64
}

// A message goes from a process to the judge.
type message struct {
	Is   string // see daemon.go and editor.go
	Text string `json:",omitempty"`

	// ack: what was acknowledged
	IDs   []string `json:",omitempty"`
	Start int64    `json:",omitempty"` // when the operation began, in Unix nanoseconds

	// compared: whether there is a follower, and what is wrong with it
	Followed    bool     `json:",omitempty"`
	Differences []string `json:",omitempty"`

	// paused: what an editor did since its last pause
	Saves    int                  `json:",omitempty"`
	Styles   map[string]int       `json:",omitempty"`
	Late     int                  `json:",omitempty"` // files that it still holds open
	Expect   map[string][]string  `json:",omitempty"` // markers that must be somewhere, by file
	Versions map[string][]version `json:",omitempty"` // texts it wrote, by file
	Failed   map[string]string    `json:",omitempty"` // undo: why, by operation
}

// A version is a text that an editor gave a file.
type version struct {
	Sum uint64 // the first bytes of the text's SHA-256
	At  int64  // when it was in place, in Unix nanoseconds
}

// A wire writes messages, each with one call so that a kill can't cut it.
type wire struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *wire) send(m message) {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // plain values always marshal
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.w.Write(append(text, '\n')) // an error means that the judge is gone: stdin ends too
}

// commands hands out what the judge says, until it is gone.
func commands(r io.Reader) <-chan command {
	c := make(chan command)
	go func() {
		defer close(c)
		for dec := json.NewDecoder(r); ; {
			var cmd command
			if dec.Decode(&cmd) != nil {
				return
			}
			c <- cmd
		}
	}()
	return c
}
