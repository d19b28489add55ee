package watch

import (
	"testing"

	"golang.org/x/sys/unix"
)

// savesHere are ways to save that only this system has.
var savesHere = []save{
	{name: "exchanged with a temporary file", save: func(t *testing.T, note, text string) {
		tmp := beside(note, ".kist-1.tmp")
		write(t, tmp, text)
		if err := unix.Renameat2(unix.AT_FDCWD, tmp, unix.AT_FDCWD, note, unix.RENAME_EXCHANGE); err != nil {
			t.Fatal(err)
		}
		remove(t, tmp)
	}},
}
