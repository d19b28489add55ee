package main

import (
	"math/rand/v2"
	"unicode"
)

// Where the fingers land instead: the rows of a keyboard.
var rows = []string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// misspell makes typing errors in a share of the letters: two swapped, one left out, one
// twice, or the neighbour on the keyboard.
func misspell(text string, share float64, random *rand.Rand) string {
	runes := []rune(text)
	var out []rune
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if !unicode.IsLetter(r) || random.Float64() >= share {
			out = append(out, r)
			continue
		}
		switch random.IntN(4) {
		case 0:
			if i+1 < len(runes) && unicode.IsLetter(runes[i+1]) {
				out = append(out, runes[i+1], r)
				i++
				continue
			}
			out = append(out, r, r)
		case 1: // left out
		case 2:
			out = append(out, r, r)
		default:
			out = append(out, beside(r, random))
		}
	}
	return string(out)
}

// beside is a letter next to another on the keyboard.
func beside(r rune, random *rand.Rand) rune {
	for _, row := range rows {
		for i, k := range row {
			if k != unicode.ToLower(r) {
				continue
			}
			if i == 0 || i+1 < len(row) && random.IntN(2) == 0 {
				return rune(row[i+1])
			}
			return rune(row[i-1])
		}
	}
	return r
}
