// Package relation goes out from a document or a project instead of from words: which documents
// link to it or mention it ([FindBacklinks]), and which projects have to do with it
// ([FindProjects]). Both look into what a search of package rank does.
package relation
