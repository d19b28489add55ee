package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// UseFault says where the count of what models used, which limits go by, was lost or can't be
// read; empty: it wasn't. The daemon puts a damaged one aside.
func UseFault(vault string) string {
	file, aside := filepath.Join(vault, ".kist", "tokens.json"), filepath.Join(vault, ".kist", "tokens.damaged")
	if _, err := os.Lstat(aside); err == nil {
		return fmt.Sprintf("the count was damaged and began anew, so that limits don't know what was used before; it is kept as %s until you delete it", aside)
	}
	info, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "" // nothing was used
	}
	if err == nil && !info.Mode().IsRegular() {
		return file + " is not a regular file; the count begins anew with the next request"
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &map[string]json.RawMessage{})
	}
	if err != nil {
		return fmt.Sprintf("%s can't be read: %v; the count begins anew with the next request", file, err)
	}
	return ""
}
