package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
)

// deviceName names this copy of the vault in file names: the host's name, and a
// hash of machine and path so that two machines of one name, or two clones on one
// machine, never append to the same file. It needs no stored state.
func deviceName(dir string) string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "device"
	}
	host, _, _ = strings.Cut(host, ".")
	var machine []byte
	for _, f := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if machine, err = os.ReadFile(f); err == nil {
			break
		}
	}
	sum := sha256.Sum256([]byte(host + "\x00" + string(machine) + "\x00" + dir))
	return Slug(host) + "-" + hex.EncodeToString(sum[:3])
}
