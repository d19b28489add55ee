//go:build !linux && !darwin

package main

// freeSpace is not known here.
func freeSpace(string) (uint64, bool) { return 0, false }

// watchLimit is not known here.
func watchLimit() (int, bool) { return 0, false }
