package git

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"
)

// PointerOf returns what a pointer of Git LFS says of the file's content: its SHA-256 in hex and its size, with a space between them.
func PointerOf(text []byte) string {
	sum, size := "", ""
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "oid":
			sum = strings.TrimPrefix(value, "sha256:")
		case "size":
			size = value
		}
	}
	return sum + " " + size
}

// Holds reports whether a file has the content that a pointer (empty: none) stands for.
func Holds(file, pointer string) (bool, error) {
	fi, err := os.Lstat(file)
	if _, size, _ := strings.Cut(pointer, " "); pointer == "" || err != nil || !fi.Mode().IsRegular() || strconv.FormatInt(fi.Size(), 10) != size {
		return false, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return strings.HasPrefix(pointer, hex.EncodeToString(sum.Sum(nil))+" "), err
}
