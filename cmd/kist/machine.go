package main

import (
	"context"
	"fmt"

	"kist/cmd/kist/machine"
)

// This file holds the checks of doctor that look at the machine.

// checkGit looks for git 2.30, the oldest version kist is tested with.
func checkGit(ctx context.Context) check {
	const name, hint = "git", "only carrying the vault between machines needs it: install git 2.30 or newer"
	major, minor, err := machine.Git(ctx)
	switch {
	case err != nil:
		return warn(name, err.Error(), hint)
	case major < 2 || major == 2 && minor < 30:
		return warn(name, fmt.Sprintf("version %d.%d is too old", major, minor), hint)
	}
	return okay(name, fmt.Sprintf("version %d.%d", major, minor))
}

// lowSpace is when a disk counts as nearly full: room for the index of a large vault.
const lowSpace = 200 << 20

// checkMachine looks at what the system allows.
func checkMachine(vault string) []check {
	var checks []check
	if free, ok := machine.FreeSpace(vault); ok {
		detail := fmt.Sprintf("%d MiB free", free>>20)
		if free < lowSpace {
			checks = append(checks, warn("disk", detail, "make room: with a full disk kist only reads"))
		} else {
			checks = append(checks, okay("disk", detail))
		}
	}
	if limit, ok := machine.WatchLimit(); ok {
		folders := machine.Folders(vault)
		detail := fmt.Sprintf("%d folders, %d watches allowed", folders, limit)
		if folders*2 > limit {
			checks = append(checks, warn("watches", detail, "raise fs.inotify.max_user_watches, or changes are found later"))
		} else {
			checks = append(checks, okay("watches", detail))
		}
	}
	return checks
}
