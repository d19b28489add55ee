//go:build !linux

package watch

// savesHere are ways to save that only this system has.
var savesHere []save
