//go:build !linux

package vaulttest

func memory() string { return "" }
