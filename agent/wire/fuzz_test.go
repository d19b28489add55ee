package wire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kist/agent/model"
)

// FuzzAnswer gives an answer pieces of all kinds in any order: hear checks the form of what
// comes of them. The first byte of each line says what kind of piece it is.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("tHello\nt <think>\nhhm\nu12\nse"))
	f.Add([]byte("t<think>a</thi\ntnk>b\xe2\x82\nc0x\x00create_\nc0\x00task\x00{\"a\nc0\x00\x00\":1}\nsc\nt!\nn"))
	f.Add([]byte("o{\"a\":1}\no{}\nu\xff\nse\nsl\nx\ntafter"))
	f.Add([]byte("t\x1b[2J\u202e</think>\nh\xff\nse"))
	f.Add([]byte("tx\nt" + strings.Repeat("Z", 5000)))
	f.Add([]byte("tbefore\nn\nt<think>" + strings.Repeat("\xce\xb1", 4000) + "</think>after\nse"))
	f.Add([]byte("h" + strings.Repeat("\xce\xb1", 300) + "\xce"))
	f.Add([]byte("h" + strings.Repeat("\xce\xb1", 4000) + "\nse"))
	f.Fuzz(func(t *testing.T, script []byte) {
		whole, pieces := runs(script), byteRuns(script)
		a := hear(t, func(a *Answer) { play(a, whole) })
		b := hear(t, func(a *Answer) { play(a, pieces) })
		if a.Text != b.Text || a.Thinking != b.Thinking || a.Stop != b.Stop || len(a.Calls) != len(b.Calls) || a.Err != b.Err {
			t.Errorf("whole: %+v\nin pieces: %+v", a, b)
		}
	})
}

// A piece of a stream, and its kind.
type piece struct {
	kind byte
	text string
}

// runs splits a script into pieces.
func runs(script []byte) (all []piece) {
	for start, i := 0, 0; i <= len(script); i++ {
		if i < len(script) && script[i] != '\n' {
			continue
		}
		if start < i {
			all = append(all, piece{script[start], string(script[start+1 : i])})
		}
		start = i + 1
	}
	return all
}

// byteRuns is the same with texts in pieces of one byte.
func byteRuns(script []byte) (all []piece) {
	for _, p := range runs(script) {
		if p.kind != 't' && p.kind != 'h' {
			all = append(all, p)
			continue
		}
		for i := range len(p.text) {
			all = append(all, piece{p.kind, p.text[i : i+1]})
		}
	}
	return all
}

func play(a *Answer, pieces []piece) {
	for _, p := range pieces {
		switch p.kind {
		case 't':
			a.Text(p.text)
		case 'h':
			a.Thinking(p.text)
		case 'n':
			a.Text("\n")
		case 'c':
			a.Call(somePart(p.text))
		case 'o':
			a.Call(Part{Name: "o", Arguments: json.RawMessage(p.text)})
		case 'u':
			n := 0
			for _, c := range []byte(p.text) {
				n = n*256 + int(int8(c))
			}
			a.Usage(model.Usage{Input: n, Output: len(p.text)})
		case 's':
			a.Stop(map[string]model.Stop{"l": model.Length, "c": model.Calls, "r": model.Refused}[p.text])
			if p.text == "e" {
				a.Stop(model.End)
			}
		case 'd':
			a.State(&model.State{Provider: p.text})
		case 'x':
			a.Fail(errors.New("a fault"))
		}
	}
	a.End()
}

// somePart reads an index, an id, a name and arguments, with zero bytes between.
func somePart(text string) (p Part) {
	if text != "" && text[0] != '-' {
		n := int(text[0] - '0')
		p.Index, text = &n, text[1:]
	}
	for i, field := 0, 0; i <= len(text); i++ {
		if i < len(text) && text[i] != 0 {
			continue
		}
		switch field++; field {
		case 1:
			p.ID = text[:i]
		case 2:
			p.Name = text[:i]
		case 3:
			p.Arguments, _ = json.Marshal(text[:i])
		}
		text, i = text[min(i+1, len(text)):], -1
		if text == "" {
			break
		}
	}
	return p
}
