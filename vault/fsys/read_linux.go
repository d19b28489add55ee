package fsys

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ReadPlain reads at most limit bytes (all when negative, up to [MaxWhole]) of a regular file below the
// folder root, in five calls of the kernel and one that finds the end; an [os.Root]
// takes four more for every folder on the way, and a search reads thousands of files.
// It follows no link and leaves what it can't do, for whatever reason, to the long way.
func ReadPlain(root *os.File, p string, limit int64) (text []byte, stat Stat, ok bool) {
	conn, err := root.SyscallConn()
	if err != nil {
		return nil, Stat{}, false
	}
	// Control keeps the folder's descriptor from being closed meanwhile, and its number
	// from being another's.
	err = conn.Control(func(dir uintptr) {
		var fd int
		var st unix.Stat_t
		if fd, ok = openPlain(int(dir), p, &st); !ok {
			return
		}
		defer unix.Close(fd)
		stat = Stat{Size: st.Size, ModTime: timeOf(st.Mtim), ChangeTime: timeOf(st.Ctim), Inode: st.Ino, Links: uint64(st.Nlink)}
		if ok = limit >= 0 || st.Size <= MaxWhole; ok {
			text, ok = readAll(fd, st.Size, limit)
		}
	})
	return text, stat, ok && err == nil
}

func timeOf(t unix.Timespec) time.Time { return time.Unix(t.Unix()) }

// openPlain opens a regular file that no link leads to. Only what is one may be opened:
// a pipe would block, and a device may do anything.
func openPlain(dir int, p string, st *unix.Stat_t) (fd int, ok bool) {
	regular := func(err error) bool { return err == nil && st.Mode&unix.S_IFMT == unix.S_IFREG }
	if !regular(unix.Fstatat(dir, p, st, unix.AT_SYMLINK_NOFOLLOW)) {
		return -1, false
	}
	fd, err := unix.Openat2(dir, p, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_NOFOLLOW,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return -1, false
	}
	if !regular(unix.Fstat(fd, st)) {
		unix.Close(fd)
		return -1, false
	}
	return fd, true
}

// readAll reads up to limit bytes of a file that is size bytes long, or is no longer.
func readAll(fd int, size, limit int64) (text []byte, ok bool) {
	n := size
	if limit >= 0 {
		n = min(n, limit)
	}
	text = make([]byte, 0, n+1) // one more than expected: the read after it finds the end
	for limit < 0 || int64(len(text)) < limit {
		if int64(len(text)) > max(limit, MaxWhole) {
			return nil, false // it grows while it is read
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		room := text[len(text):cap(text)]
		if limit >= 0 {
			room = room[:min(int64(len(room)), limit-int64(len(text)))]
		}
		m, err := unix.Read(fd, room)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, false
		}
		if m == 0 {
			break
		}
		text = text[:len(text)+m]
	}
	return text, true
}
