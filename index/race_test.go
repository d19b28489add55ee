//go:build race

package index

// raced: the race detector makes the reading of long files several times as slow.
const raced = true
