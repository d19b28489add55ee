package model

import "strings"

// EmbeddingPrompts returns what an embedding model wants before a query and before a
// passage, as its model card says; without it some find markedly less. A model that
// isn't known gets nothing. The name may have an owner before it and a tag behind.
func EmbeddingPrompts(name string) (query, passage string) {
	name = strings.ToLower(name)
	has := func(part string) bool { return strings.Contains(name, part) }
	switch {
	case has("nomic-embed"):
		return "search_query: ", "search_document: "
	case has("mxbai-embed"), has("snowflake-arctic-embed") && !has("arctic-embed2"):
		return "Represent this sentence for searching relevant passages: ", ""
	case has("arctic-embed2"):
		return "query: ", ""
	case has("e5-") && !has("instruct"):
		return "query: ", "passage: "
	case has("embeddinggemma"):
		return "task: search result | query: ", "title: none | text: "
	case has("qwen3-embedding"):
		return "Instruct: Given a search query, retrieve relevant passages that answer the query\nQuery: ", ""
	}
	return "", ""
}
