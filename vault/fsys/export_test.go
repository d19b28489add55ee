package fsys

// LongWay makes a folder do without the calls that only some systems have.
func (r *Root) LongWay() {
	r.folder.Close()
	r.folder = nil
}
