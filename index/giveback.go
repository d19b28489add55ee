package index

// What a build and the learning of vectors leave behind is garbage of several times
// the size of all that is still needed, and an idle process takes minutes to find
// that out: of 12,000 files 170 MB stayed, of which 17 were in use.

// heavy notes that much memory was used and will be of no more use.
func (x *Index) heavy() { x.litter.Store(true) }

// giveBack returns to the system what heavy work left behind, if there was any. It
// takes a collection, some tens of milliseconds, during which searches go on.
func (x *Index) giveBack() {
	if x.litter.Swap(false) {
		x.release()
	}
}
