package vector

import "golang.org/x/sys/cpu"

// fast reports whether the processor has AVX2, as all have since about 2015.
var fast = cpu.X86.HasAVX2

// dotFast is dotPlain of n components, a multiple of 16 and not 0: eight times as
// fast, since sixteen are multiplied at once.
//
//go:noescape
func dotFast(q *int16, v *byte, n int) int32
