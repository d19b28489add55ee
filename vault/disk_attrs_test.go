//go:build linux

package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"kist/vault"
	"kist/vault/vaulttest"
)

// accessList is a list that lets user 1234 read and write: version 2, then tag,
// rights and id of each entry.
const accessList = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x06\x00\xd2\x04\x00\x00" +
	"\x04\x00\x04\x00\xff\xff\xff\xff" + "\x10\x00\x06\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"

func attr(t *testing.T, p, name string) string {
	t.Helper()
	buf := make([]byte, 1<<16)
	n, err := unix.Getxattr(p, name, buf)
	if errors.Is(err, unix.ENODATA) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(buf[:n])
}

func TestAttributesSurvive(t *testing.T) {
	disk := &badDisk{}
	dir := vaulttest.Write(t, "-- a.md --\na\n")
	p := filepath.Join(dir, "a.md")
	want := map[string]string{"user.tags": "red", "user.large": strings.Repeat("x", 2000), "system.posix_acl_access": accessList}
	for name, value := range want {
		if err := unix.Setxattr(p, name, []byte(value), 0); errors.Is(err, unix.ENOTSUP) {
			t.Skipf("%s: the file system of %s has no extended attributes", name, dir)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	v, err := vault.Open(ctx, dir, vault.Options{Fault: disk.fault})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	mustApply(t, v, update("a.md", "a\n", "A\n"))
	for name, value := range want {
		if got := attr(t, p, name); got != value {
			t.Errorf("%s is %q", name, got)
		}
	}
	// Where one can't be kept, the edit is refused, and it says which.
	disk.when(func(call string) error {
		if call == "setxattr" {
			return syscall.ENOSPC
		}
		return nil
	})
	_, err = v.Apply(ctx, batch(update("a.md", "A\n", "B\n")))
	disk.when(nil)
	if err == nil || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "a.md") || !strings.Contains(err.Error(), "attribute") {
		t.Errorf("error %v", err)
	}
	if got := text(t, v, "a.md"); got != "A\n" || attr(t, p, "user.tags") != "red" {
		t.Errorf("file holds %q", got)
	}
}

// A folder whose new files get an access list by themselves must not open up a file
// that has none.
func TestAFoldersDefaultListIsNotAdded(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	p := filepath.Join(v.Dir(), "a.md")
	if err := unix.Setxattr(v.Dir(), "system.posix_acl_default", []byte(accessList), 0); errors.Is(err, unix.ENOTSUP) {
		t.Skipf("the file system of %s has no access lists", v.Dir())
	} else if err != nil {
		t.Fatal(err)
	}
	mustApply(t, v, update("a.md", "a\n", "A\n"), create("new.md", "n\n"))
	if got := attr(t, p, "system.posix_acl_access"); got != "" {
		t.Errorf("the file got the list %q", got)
	}
	if got := attr(t, filepath.Join(v.Dir(), "new.md"), "system.posix_acl_access"); got == "" {
		t.Error("a new file did not get the folder's list")
	}
}

func TestOwnerSurvives(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	disk := &badDisk{}
	v, err := vault.Open(ctx, vaulttest.Write(t, "-- a.md --\na\n"), vault.Options{Fault: disk.fault})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	p := filepath.Join(v.Dir(), "a.md")
	owner := func(uid, gid int, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.Chown(p, uid, gid), os.Chmod(p, mode)); err != nil {
			t.Fatal(err)
		}
	}
	owner(1234, 1235, 0o640)
	mustApply(t, v, update("a.md", "a\n", "b\n"))
	st := new(syscall.Stat_t)
	if err := syscall.Stat(p, st); err != nil || st.Uid != 1234 || st.Gid != 1235 || st.Mode&0o777 != 0o640 {
		t.Errorf("owner %d, group %d, mode %o, %v", st.Uid, st.Gid, st.Mode, err)
	}
	// Without the right to give files away, it depends on who would lose what.
	disk.when(func(call string) error {
		if call == "chown" {
			return syscall.EPERM
		}
		return nil
	})
	for _, tt := range []struct {
		uid, gid int
		mode     os.FileMode
		refused  bool
	}{
		{1234, 0, 0o660, false}, // shared by a group
		{1234, 0, 0o640, true},  // the owner could not write any more
		{1234, 0, 0o666, false}, // everybody may anyway
		{0, 1235, 0o640, true},  // the group could not read any more
		{0, 1235, 0o644, false}, // everybody may anyway
		{1234, 1235, 0o644, true},
	} {
		owner(tt.uid, tt.gid, tt.mode)
		now := text(t, v, "a.md")
		_, err := v.Apply(ctx, batch(update("a.md", now, now+"x\n")))
		if (err != nil) != tt.refused || err != nil && !errors.Is(err, os.ErrPermission) {
			t.Errorf("owner %d, group %d, mode %o: %v", tt.uid, tt.gid, tt.mode, err)
		}
	}
}
