//go:build !linux

package fsys

import (
	"io/fs"
	"os"
)

func (r *Root) openBelow(string, int, fs.FileMode) (*os.File, bool, error) { return nil, false, nil }

func (r *Root) lstatBelow(string) (fs.FileInfo, bool, error) { return nil, false, nil }

func (r *Root) removeBelow(string) (bool, error) { return false, nil }

func (r *Root) renameBelow(string, string) (bool, error) { return false, nil }
