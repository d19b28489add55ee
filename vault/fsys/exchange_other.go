//go:build !linux && !darwin

package fsys

import "os"

func exchange(*os.File, string, string) error { return ErrNoExchange }

func renameNew(*os.File, *os.File, string, string) error { return ErrNoExchange }
