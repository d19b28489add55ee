package displaced

import (
	"fmt"
	"path"
	"strings"
)

// maxName is how many bytes a name may have on nearly all file systems.
const maxName = 255

// CopyName returns the name of a conflict copy, "base (conflict stamp).md", with a number from the second one
// on, and with the end of a long base cut off.
func CopyName(base, stamp string, n int) string {
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	end := fmt.Sprintf(" (conflict %s)%s", stamp, ext)
	if n > 1 {
		end = fmt.Sprintf(" (conflict %s %d)%s", stamp, n, ext)
	}
	if room := max(0, maxName-len(end)); len(stem) > room {
		stem = strings.ToValidUTF8(stem[:room], "")
	}
	return stem + end
}
