/*
Command randommodel writes a language model of random weights: a GGUF file of half a
megabyte that llama.cpp loads, the same for a seed.

	go run ./agent/live/randommodel -seed 1 -o random.gguf

It is a llama of two narrow layers. Its vocabulary is all bytes, pieces of ordinary words
(text.txt, by byte pair encoding), and the pieces that calls consist of (marks.txt). The
weights are random, but lean to the latter, so that what it says is noise, control bytes
included, among which are calls of every kind, whole, damaged, and with arguments that mean
nothing. It is for tests of what has to hold whatever a model says, and fit for nothing else.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
*/
package main
