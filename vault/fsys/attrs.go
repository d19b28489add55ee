//go:build linux || darwin

package fsys

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// accessList is the attribute that holds a file's access control list on Linux.
const accessList = "system.posix_acl_access"

// attrs returns a file's extended attributes; none where the file system has none.
func attrs(f *os.File) (map[string][]byte, error) {
	fd := int(f.Fd())
	list, err := grown(func(buf []byte) (int, error) { return unix.Flistxattr(fd, buf) })
	if errors.Is(err, unix.ENOTSUP) || len(list) == 0 && err == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(list, []byte{0}), []byte{0}) {
		value, err := grown(func(buf []byte) (int, error) { return unix.Fgetxattr(fd, string(name), buf) })
		if err == nil {
			out[string(name)] = value
		} else if needed(string(name)) {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
	}
	return out, nil
}

// grown calls get with a buffer of the size that it asks for.
func grown(get func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := get(nil)
		if n <= 0 || err != nil {
			return nil, err
		}
		buf := make([]byte, n)
		n, err = get(buf)
		if !errors.Is(err, unix.ERANGE) { // it didn't grow in between
			return buf[:max(n, 0)], err
		}
	}
}

// needed says whether an edit is refused rather than lose the attribute: what the
// user set, and who may read the file. The rest (labels of the system) is copied
// where that is allowed.
func needed(name string) bool {
	if runtime.GOOS == "darwin" {
		switch name {
		case "com.apple.provenance", "com.apple.quarantine", "com.apple.macl", "com.apple.lastuseddate#PS":
			return false // the system's own, and protected
		}
		return true
	}
	return strings.HasPrefix(name, "user.") || name == accessList
}

// measured says whether an attribute is a checksum of the old text.
func measured(name string) bool { return name == "security.ima" || name == "security.evm" }

// copyAttrs gives f the attributes of old.
func copyAttrs(f *File, old *os.File) error {
	want, err := attrs(old)
	if err != nil {
		return err
	}
	// A folder's default access list would give the file rights that it hadn't.
	has, err := attrs(f.f)
	if err != nil {
		return err
	}
	for name := range has {
		if _, keep := want[name]; !keep && name == accessList {
			if err := f.removeAttr(name); err != nil {
				return fmt.Errorf("attribute %s: %w", name, BareError(err))
			}
		}
	}
	for name, value := range want {
		if measured(name) {
			continue
		}
		if err := f.setAttr(name, value); err != nil && needed(name) {
			return fmt.Errorf("its attribute %s would be lost: %w", name, BareError(err))
		}
	}
	return nil
}

func setAttr(f *os.File, name string, value []byte) error {
	return unix.Fsetxattr(int(f.Fd()), name, value, 0)
}

func removeAttr(f *os.File, name string) error { return unix.Fremovexattr(int(f.Fd()), name) }
