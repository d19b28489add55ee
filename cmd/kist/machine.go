package main

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

// This file holds the checks of doctor that look at the machine.

var gitVersion = regexp.MustCompile(`(\d+)\.(\d+)`)

// checkGit looks for git 2.30, the oldest version kist is tested with.
func checkGit(ctx context.Context) check {
	const name, hint = "git", "only carrying the vault between machines needs it: install git 2.30 or newer"
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		return warn(name, "not found", hint)
	}
	m := gitVersion.FindStringSubmatch(string(out))
	if m == nil {
		return warn(name, fmt.Sprintf("says %q", out), hint)
	}
	major, _ := strconv.Atoi(m[1]) // digits, by the expression
	minor, _ := strconv.Atoi(m[2])
	if major < 2 || major == 2 && minor < 30 {
		return warn(name, "version "+m[0]+" is too old", hint)
	}
	return okay(name, "version "+m[0])
}

// lowSpace is when a disk counts as nearly full: room for the index of a large vault.
const lowSpace = 200 << 20

// checkMachine looks at what the system allows.
func checkMachine(vault string) []check {
	var checks []check
	if free, ok := freeSpace(vault); ok {
		detail := fmt.Sprintf("%d MiB free", free>>20)
		if free < lowSpace {
			checks = append(checks, warn("disk", detail, "make room: with a full disk kist only reads"))
		} else {
			checks = append(checks, okay("disk", detail))
		}
	}
	if limit, ok := watchLimit(); ok {
		folders := countFolders(vault)
		detail := fmt.Sprintf("%d folders, %d watches allowed", folders, limit)
		if folders*2 > limit {
			checks = append(checks, warn("watches", detail, "raise fs.inotify.max_user_watches, or changes are found later"))
		} else {
			checks = append(checks, okay("watches", detail))
		}
	}
	return checks
}

// countFolders counts the folders that are watched; what can't be read isn't.
func countFolders(vault string) int {
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
