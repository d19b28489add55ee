//go:build !linux && !darwin

package vault

import (
	"errors"
	"os"
)

// Extended attributes are kept on Linux and macOS alone.
func copyAttrs(*diskFile, *os.File) error { return nil }

func setAttr(*os.File, string, []byte) error { return errors.ErrUnsupported }

func removeAttr(*os.File, string) error { return errors.ErrUnsupported }
