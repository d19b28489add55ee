/*
Package features says what the API can do, so that a client needn't guess it from the version
of the daemon. The words never change their meaning; Describe lists them with what they mean.
*/
package features

import (
	"slices"

	"kist/rpc/describe"
)

// APIVersion rises only when something changes its meaning, or goes. What is added gets a word.
const APIVersion = 1

// Words lists what GetStatus says, the oldest first.
func Words() (words []string) {
	all := describe.All()
	i := slices.IndexFunc(all, func(e describe.Enumeration) bool { return e.Name == "feature" })
	for _, v := range all[i].Values {
		words = append(words, v.Value)
	}
	return words
}
