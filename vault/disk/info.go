package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Hash is the SHA-256 of a file's bytes in hex; empty: no file.
type Hash string

// HashOf returns the hash of text; nil, unlike an empty text, stands for no file.
func HashOf(text []byte) Hash {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return Hash(hex.EncodeToString(sum[:]))
}

// Info describes a file as the file system sees it.
type Info struct {
	Path    string
	Size    int64
	ModTime time.Time
	// ChangeTime is when content or attributes last changed, which no program can
	// set; where the system doesn't know, it is ModTime.
	ChangeTime time.Time
	Inode      uint64 // 0 where the system has none
	Links      uint64 // how many names the file has
}

// A Problem is something about a file that keeps kist from fully using it.
type Problem struct {
	Path    string
	Line    int // 1-based; 0: the fault has no position
	Column  int
	Message string
	Hint    string
}
