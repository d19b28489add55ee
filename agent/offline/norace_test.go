//go:build !race

package offline

const raced = false
