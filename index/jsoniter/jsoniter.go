/*
Package jsoniter stands in for the library of that name, by a replace line of kist's go.mod.
bleve reads and writes shapes on a map with it, of which kist's index has none. The library
has types that look methods up by their names, so that the linker would keep each method of
each type of the whole program, some megabytes. This has what bleve calls, of encoding/json.
*/
package jsoniter

import "encoding/json"

// API reads and writes JSON.
type API struct{}

// ConfigCompatibleWithStandardLibrary does it as encoding/json does.
var ConfigCompatibleWithStandardLibrary API

// Marshal is json.Marshal, with its errors.
func (API) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

// Unmarshal is json.Unmarshal, with its errors.
func (API) Unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }
