package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	seed := flag.Uint64("seed", 1, "of the weights")
	out := flag.String("o", "random.gguf", "the file to write")
	flag.Parse()
	if err := save(*out, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "randommodel:", err)
		os.Exit(1)
	}
}

func save(path string, seed uint64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := Write(w, seed); err != nil {
		f.Close()
		return err
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Write writes the model of a seed.
func Write(w io.Writer, seed uint64) error {
	v, err := newVocabulary()
	if err != nil {
		return err
	}
	f := file{}
	f.describe(v)
	f.weights(v, seed)
	return f.write(w)
}
