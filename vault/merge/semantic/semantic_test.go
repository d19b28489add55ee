package semantic

import "testing"

func TestWholeFile(t *testing.T) {
	const base, one, other = "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"
	tests := []struct {
		name               string
		base, ours, theirs []byte
		want               []byte
		conflicts          int
	}{
		{"nothing changed", []byte(base), []byte(base), []byte(base), []byte(base), 0},
		{"ours changed", []byte(base), []byte(one), []byte(base), []byte(one), 0},
		{"theirs changed", []byte(base), []byte(base), []byte(one), []byte(one), 0},
		{"both changed alike", []byte(base), []byte(one), []byte(one), []byte(one), 0},
		{"both changed", []byte(base), []byte(one), []byte(other), []byte("A\nb\nC\n"), 0},
		{"ours deleted", []byte(base), nil, []byte(base), nil, 0},
		{"theirs deleted", []byte(base), []byte(base), nil, nil, 0},
		{"both deleted", []byte(base), nil, nil, nil, 0},
		{"ours deleted what theirs changed", []byte(base), nil, []byte(one), []byte(one), 0},
		{"theirs deleted what ours changed", []byte(base), []byte(one), nil, []byte(one), 0},
		{"ours emptied, theirs deleted", []byte(base), []byte{}, nil, []byte{}, 0},
		{"both created alike", nil, []byte(one), []byte(one), []byte(one), 0},
		{"binary", []byte("a\x00"), []byte("b\x00"), []byte("c\x00"), []byte("b\x00"), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Merge(tt.base, tt.ours, tt.theirs, Options{Path: "a.md"})
			if !equal(got.Text, tt.want) || len(got.Conflicts) != tt.conflicts || got.Clean() != (tt.conflicts == 0) {
				t.Errorf("Merge = %q, %d conflicts; want %q, %d", got.Text, len(got.Conflicts), tt.want, tt.conflicts)
			}
		})
	}
}
