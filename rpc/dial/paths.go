package dial

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// ConfigFile is the file whose presence makes a folder a vault.
const ConfigFile = "kist.yaml"

// maxSocketPath is what fits with a final NUL into sockaddr_un on every system:
// 104 bytes on macOS and the BSDs, 108 on Linux and Windows.
const maxSocketPath = 103

// Paths are the absolute paths that belong to the daemon of one vault.
type Paths struct {
	Vault  string // the vault's folder, links resolved
	State  string // .kist, which holds the next three
	Lock   string // held by the daemon for life; says who holds it
	Token  string // what a request must carry
	Info   string // daemon.json, see [Info]
	Socket string
	Log    string // of a daemon that a command started
	Sync   string // folder of sync's settings; outside the vault on purpose
	Trust  string // what this machine's user agreed to; outside the vault on purpose
	Tokens string // named tokens, hashed; outside the vault on purpose
}

// PathsFor returns the paths of a vault, which need not exist. It fails where the
// home folder is unknown or every place for the socket has too long a name.
func PathsFor(vault string) (Paths, error) {
	dir, err := resolve(vault)
	if err != nil {
		return Paths{}, err
	}
	sum := sha256.Sum256([]byte(dir))
	name := hex.EncodeToString(sum[:8])
	socket, err := socketPath(name)
	if err != nil {
		return Paths{}, err
	}
	states, err := xdg("XDG_STATE_HOME", ".local", "state")
	if err != nil {
		return Paths{}, err
	}
	state := filepath.Join(dir, ".kist")
	return Paths{
		Vault:  dir,
		State:  state,
		Lock:   filepath.Join(state, "lock"),
		Token:  filepath.Join(state, "token"),
		Info:   filepath.Join(state, "daemon.json"),
		Socket: socket,
		Log:    filepath.Join(states, "kist", name+".log"),
		Sync:   filepath.Join(states, "kist", "sync", name),
		Trust:  filepath.Join(states, "kist", "trust", name+".json"),
		Tokens: filepath.Join(states, "kist", "tokens", name+".json"),
	}, nil
}

// SpareToken is where the token is while there is no room for it in the vault: beside the
// socket, in a folder that nobody else can write.
func (p Paths) SpareToken() string { return p.Socket + ".token" }

// socketPath returns the first place whose name is short enough. The vault itself
// is none of them: it may be on a file system without sockets.
func socketPath(name string) (string, error) {
	var dirs []string
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) && isDir(run) {
		dirs = append(dirs, filepath.Join(run, "kist"))
	}
	own := "kist"
	if uid := os.Getuid(); uid >= 0 {
		own += "-" + strconv.Itoa(uid)
	}
	dirs = append(dirs, filepath.Join(os.TempDir(), own))
	if filepath.Separator == '/' {
		dirs = append(dirs, "/tmp/"+own)
	}
	for _, dir := range dirs {
		if path := filepath.Join(dir, name+".sock"); len(path) <= maxSocketPath {
			return path, nil
		}
	}
	return "", fmt.Errorf("no place for the socket: %s is too long a name for one", dirs[0])
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// CheckSocketDir reports why the folder of the socket must not be trusted: it is
// a link, somebody else's, or open to others, who could then listen in our place.
func (p Paths) CheckSocketDir() error {
	dir := filepath.Dir(p.Socket)
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	return checkOwner(dir, info)
}

// xdg returns the folder that a variable names, or the one below the home folder.
func xdg(variable string, fallback ...string) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home folder: %w", err)
	}
	return filepath.Join(append([]string{home}, fallback...)...), nil
}
