package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func written(t *testing.T, seed uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, seed); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWrite: the file is the same for a seed, of the size that is promised, and its head
// is one of the format. That llama.cpp loads it, the live tests show.
func TestWrite(t *testing.T) {
	one := written(t, 1)
	if bytes.Equal(one, written(t, 2)) {
		t.Error("it isn't by its seed")
	}
	if len(one) < 300<<10 || len(one) > 600<<10 {
		t.Errorf("%d bytes", len(one))
	}
	if string(one[:4]) != "GGUF" || binary.LittleEndian.Uint32(one[4:]) != 3 || binary.LittleEndian.Uint64(one[8:]) != 3+9*layers {
		t.Errorf("%q", one[:24])
	}
	path := filepath.Join(t.TempDir(), "x.gguf")
	if err := save(path, 1); err != nil {
		t.Fatal(err)
	}
	if saved, err := os.ReadFile(path); err != nil || !bytes.Equal(saved, one) {
		t.Errorf("%d bytes, %v", len(saved), err)
	}
	if save(t.TempDir(), 1) == nil {
		t.Error("a folder was written")
	}
}

func TestVocabulary(t *testing.T) {
	v, err := newVocabulary()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	classes := map[string]bool{}
	for _, x := range v.tokens {
		if seen[x.text] {
			t.Errorf("%q is there twice", x.text)
		}
		seen[x.text], classes[x.class] = true, true
	}
	for _, x := range v.tokens {
		if !classes[x.after] {
			t.Errorf("%q follows %s, which there is none of", x.text, x.after)
		}
	}
	if !seen["<0x1B>"] || !seen["[ACTION: "] || v.tokens[v.end].text != "<|im_end|>" || len(v.classes()) >= width {
		t.Errorf("%d tokens", len(v.tokens))
	}
	if got := strings.Join(pieces("aab aab ab", 2)[:2], " "); got != space+"a "+space+"aa" {
		t.Errorf("%s", got)
	}
}

func TestHalf(t *testing.T) {
	for x, want := range map[float32]uint16{0: 0, 1: 0x3c00, -2: 0xc000, 0.5: 0x3800, 1e-9: 0, 65504: 0x7bff} {
		if got := half(x); got != want {
			t.Errorf("%v: %x", x, got)
		}
	}
}
