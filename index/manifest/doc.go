// Package manifest is the list of files that an index holds: what is known of each, its [Entry],
// and what that adds up to. [Load] and [Manifest.Save] keep it in one file; it is derived from the
// store and the files and may be lost at any time. [Manifest.Compare] compares it with what a
// vault lists and applies the brake, and a [Holding] says which entries of a long document the
// store has already. It is not safe for concurrent use.
package manifest
