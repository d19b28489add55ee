package assist

import (
	"fmt"

	"kist/vault"
)

func notMarkdown(p string) error {
	return fmt.Errorf("%w %q: only Markdown is read so", vault.ErrInvalidPath, p)
}
