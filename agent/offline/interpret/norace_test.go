//go:build !race

package interpret

const raced = false
