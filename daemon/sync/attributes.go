package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kist/vault/control"
)

// maxAttributes is more than such a file has, in bytes.
const maxAttributes = 1 << 20

// Attributes returns the lines that .gitattributes lacks for plain git to merge documents and kist's
// records by meaning. Where the file says something else of such files, that is the user's word.
func (e *Engine) Attributes() ([]string, error) {
	text, err := control.ReadWithin(e.opts.Vault.Dir(), attributesFile, maxAttributes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", attributesFile, err)
	}
	return e.lacking(text), nil
}

func (e *Engine) lacking(text []byte) (lines []string) {
	var said []string // patterns of which the file names a merge
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) > 1 && !strings.HasPrefix(f[0], "#") && slices.ContainsFunc(f[1:], func(a string) bool {
			return a == "binary" || strings.TrimLeft(a, "-!") == "merge" || strings.HasPrefix(a, "merge=")
		}) {
			said = append(said, f[0])
		}
	}
	l := e.opts.Vault.Layout()
	for _, pattern := range []string{"*.md", "*.canvas", l.Operations + "/**", l.Sessions + "/**"} {
		if !slices.Contains(said, pattern) && !strings.ContainsAny(pattern, " \t\"") {
			lines = append(lines, pattern+" merge=kist")
		}
	}
	return lines
}

// attributesHead stands above what is appended.
const attributesHead = "# Plain git merges documents by meaning where it knows `kist merge`, and by lines elsewhere."

// addAttributes appends to .gitattributes what it lacks, and changes nothing that is there.
func (e *Engine) addAttributes(ctx context.Context) (lines []string, err error) {
	err = e.opts.Vault.WriteRecord(ctx, attributesFile, func(now []byte) ([]byte, error) {
		lines = e.lacking(now)
		if len(lines) == 0 || len(now) > maxAttributes {
			return nil, errAsItIs
		}
		end := "\n"
		if bytes.Contains(now, []byte("\r\n")) {
			end = "\r\n"
		}
		if len(now) > 0 {
			if !bytes.HasSuffix(now, []byte("\n")) {
				now = append(bytes.Clone(now), end...)
			}
			now = append(bytes.Clone(now), end...)
		}
		return append(bytes.Clone(now), strings.Join(append([]string{attributesHead}, lines...), end)+end...), nil
	})
	if errors.Is(err, errAsItIs) {
		err = nil
	}
	return lines, err
}
