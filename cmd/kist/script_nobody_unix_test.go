//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdNobody: nobody ARGS... runs a command without the rights of root, to which no
// permission applies; everything in the script's folder then belongs to that user.
func cmdNobody(ts *testscript.TestScript, neg bool, args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	prepare(ts, cmd)
	if os.Getuid() == 0 {
		const id = 65534
		ts.Check(os.Chmod(filepath.Dir(ts.Getenv("WORK")), 0o755))
		ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(path, id, id)
			}
			if errors.Is(err, fs.ErrNotExist) { // a daemon is at work there
				return nil
			}
			return err
		}))
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}
	}
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	if err := cmd.Run(); (err != nil) != neg {
		ts.Fatalf("%s ended with %v", strings.Join(args, " "), err)
	}
}
