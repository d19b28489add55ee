/*
Package features says what the API can do, so that a client needn't guess it from the version
of the daemon. The words never change their meaning; docs/clients.md lists them.
*/
package features

// APIVersion rises only when something changes its meaning, or goes. What is added gets a word.
const APIVersion = 1

// A Feature is a word for something that a client can rely on where a daemon says it.
type Feature struct{ Word, Means string }

// All lists the features, the oldest first.
func All() []Feature {
	return []Feature{
		{"request_id", "what is sent again with the same `request_id`, where a request has one, is carried out once"},
		{"expect", "what changes a document takes `expect`, the hash of it as the caller saw it, where the request has that field"},
		{"propose", "writes take `propose`, where the request has that field, and wait for approval then"},
		{"after_seq", "`WatchOperations`, `WatchDocuments`, `WatchTasks` and `WatchSession` begin with what was missed"},
		{"watch_turn", "turns go on without their client; `WatchTurn` takes them up again and `CancelTurn` ends them"},
		{"pages", "all lists have `page_size`, `page_token` and `next_page_token`"},
		{"reasons", "errors have a `reason` and `field_violations`"},
		{"get", "all calls that only read can be asked by GET"},
		{"language", "`LanguageService` is there: what editors need"},
		{"documents", "`ListDocuments`, `CreateDocument`, `EditDocument` and `DeleteDocument` are there: documents as wholes"},
		{"tokens", "`TokenService` is there: named tokens, also ones that only read"},
		{"describe", "`Describe` lists the values of fields that have only some"},
		{"analysis", "`AuditProject`, `GetCompleteness` and `ForecastProject` are there"},
		{"export", "`ExportSession` is there"},
	}
}

// Words lists what GetStatus says.
func Words() []string {
	var words []string
	for _, f := range All() {
		words = append(words, f.Word)
	}
	return words
}
