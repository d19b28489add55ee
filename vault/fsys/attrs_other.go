//go:build !linux && !darwin

package fsys

import (
	"errors"
	"os"
)

// Extended attributes are kept on Linux and macOS alone.
func copyAttrs(*File, *os.File) error { return nil }

func setAttr(*os.File, string, []byte) error { return errors.ErrUnsupported }

func removeAttr(*os.File, string) error { return errors.ErrUnsupported }
