// Package rank is what stands between a query and the order of its results, as far as it needs
// nothing but the store: so far which terms a misspelt word may have been ([Respell]).
package rank
