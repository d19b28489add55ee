package vault

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kist/vault/fsys"
)

var (
	//go:embed init/kist.yaml
	initConfig []byte
	//go:embed init/gitignore
	initGitignore []byte
	//go:embed init/gitattributes
	initGitattributes []byte
	//go:embed init/welcome.md
	initWelcome []byte
)

// Init makes dir a vault: it creates the folder if there is none in its parent, which
// must exist, lest a mistyped path becomes a tree of folders, and in it what
// is missing of kist.yaml, .gitignore and .gitattributes and, in a folder that is
// otherwise empty, welcome.md. It returns the names of what it created and
// changes no file that exists.
func Init(dir string) ([]string, error) {
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("create vault: %w", err)
	}
	root, err := fsys.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("create vault: %w", err)
	}
	defer root.Close()
	empty, err := isEmpty(dir)
	if err != nil {
		return nil, fmt.Errorf("create vault: %w", err)
	}
	files := []struct {
		name string
		text []byte
	}{{".gitignore", initGitignore}, {".gitattributes", initGitattributes}, {"welcome.md", initWelcome}, {ConfigFile, initConfig}}
	d := fsys.Disk{Root: root}
	var made []string
	for _, f := range files {
		if f.name == "welcome.md" && !empty {
			continue
		}
		switch err := d.CreateSynced(f.name, f.text, 0o666, nil); {
		case err == nil:
			made = append(made, f.name)
		case !errors.Is(err, fs.ErrExist):
			return made, fmt.Errorf("create vault: %w", err)
		}
	}
	if len(made) == 0 {
		return nil, nil
	}
	if err := d.SyncFolderAt("."); err != nil {
		return made, fmt.Errorf("create vault: %w", err)
	}
	return made, nil
}

// makeFolder makes a folder where there is none.
func makeFolder(dir string) error {
	if fi, err := os.Stat(dir); err == nil && fi.IsDir() {
		return nil // its parent needn't be readable
	}
	parent, err := fsys.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return err
	}
	defer parent.Close()
	return fsys.Disk{Root: parent}.Mkdir(filepath.Base(dir), 0o777)
}

// isEmpty reports whether a folder holds nothing but hidden files, such as those
// of a fresh git clone, or of an earlier start that was cut short.
func isEmpty(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			return false, err
		}
	}
	return true, err
}
