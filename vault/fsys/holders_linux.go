package fsys

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Holders names the other programs of this user that have the file p below the folder
// dir open, such as "vim (process 4711)", as far as the system shows them.
func Holders(dir, p string) []string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	want := filepath.Join(dir, filepath.FromSlash(p))
	// The links are read and not followed: what they lead to may hang.
	links, _ := filepath.Glob("/proc/[0-9]*/fd/[0-9]*")
	var out []string
	for _, link := range links {
		if to, err := os.Readlink(link); err != nil || to != want {
			continue
		}
		proc := filepath.Dir(filepath.Dir(link))
		if filepath.Base(proc) == strconv.Itoa(os.Getpid()) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(proc, "comm"))
		out = append(out, fmt.Sprintf("%s (process %s)", strings.TrimSpace(string(name)), filepath.Base(proc)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
