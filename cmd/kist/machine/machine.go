// Package machine tells what the system allows a vault: room on the disk, watches of
// folders, a git that is new enough; and which version this program is. It judges nothing,
// and writes nothing.
package machine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

var gitVersion = regexp.MustCompile(`(\d+)\.(\d+)`)

// Git returns the version of the git that is on the path; an error where there is none
// or where it doesn't say.
func Git(ctx context.Context) (major, minor int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		return 0, 0, fmt.Errorf("not found")
	}
	m := gitVersion.FindStringSubmatch(string(out))
	if m == nil {
		return 0, 0, fmt.Errorf("says %q", out)
	}
	major, _ = strconv.Atoi(m[1]) // digits, by the expression
	minor, _ = strconv.Atoi(m[2])
	return major, minor, nil
}

// Folders counts the folders of a vault that are watched; what can't be read isn't.
func Folders(vault string) int {
	n := 0
	_ = filepath.WalkDir(vault, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if path != vault && d.Name()[0] == '.' {
			return filepath.SkipDir
		}
		n++
		return nil
	})
	return n
}
