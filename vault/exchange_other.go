//go:build !linux && !darwin

package vault

import "os"

func exchange(*os.File, string, string) error { return errNoExchange }

func renameNew(*os.File, *os.File, string, string) error { return errNoExchange }
