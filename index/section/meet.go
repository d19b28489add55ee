package section

import "slices"

// Meet reports whether lists of positions, which it sorts, have one in common.
func Meet(lists [][]int) bool {
	for _, l := range lists {
		slices.Sort(l)
	}
	return slices.ContainsFunc(lists[0], func(n int) bool {
		return !slices.ContainsFunc(lists[1:], func(l []int) bool {
			_, ok := slices.BinarySearch(l, n)
			return !ok
		})
	})
}
