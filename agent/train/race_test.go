//go:build race

package main

// raced: the race detector makes what trains a model ten times as slow, and has nothing
// to find in it; the plain run does all of it.
const raced = true
