package agent

import "fmt"

// wrap adds where an error of the vault came from.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
