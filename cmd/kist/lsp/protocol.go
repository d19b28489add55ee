package lsp

import "encoding/json"

// The structs of the protocol, as far as they are used. Their meaning is that of the
// specification, version 3.17; columns count as the position encoding says.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text,omitempty"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type positionParams struct {
	documentParams
	Position position `json:"position"`
}

type changeParams struct {
	documentParams
	ContentChanges []struct {
		Range *span  `json:"range"`
		Text  string `json:"text"`
	} `json:"contentChanges"`
}

type initializeParams struct {
	ClientInfo struct {
		Name string `json:"name"`
	} `json:"clientInfo"`
	RootURI               string `json:"rootUri"`
	InitializationOptions struct {
		// The editor gives buffers the names of kist/operation and kist/renamed.
		Follows bool `json:"follows"`
	} `json:"initializationOptions"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			ApplyEdit bool `json:"applyEdit"`
			CodeLens  struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type completionItem struct {
	Label      string   `json:"label"`
	Kind       int      `json:"kind"`
	Detail     string   `json:"detail,omitempty"`
	SortText   string   `json:"sortText"`
	FilterText string   `json:"filterText"`
	TextEdit   textEdit `json:"textEdit"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type documentLink struct {
	Range   span   `json:"range"`
	Target  string `json:"target,omitempty"`
	Tooltip string `json:"tooltip,omitempty"`
}

type documentSymbol struct {
	Name           string            `json:"name"`
	Kind           int               `json:"kind"`
	Range          span              `json:"range"`
	SelectionRange span              `json:"selectionRange"`
	Children       []*documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type rangeParams struct {
	documentParams
	Range span `json:"range"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type diagnostic struct {
	Range    span            `json:"range"`
	Severity int             `json:"severity"`
	Code     string          `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Data     json.RawMessage `json:"data,omitempty"`
}

type codeActionParams struct {
	documentParams
	Range   span `json:"range"`
	Context struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	} `json:"context"`
}

type codeAction struct {
	Title       string       `json:"title"`
	Kind        string       `json:"kind"`
	Diagnostics []diagnostic `json:"diagnostics,omitempty"`
	Command     command      `json:"command"`
}

// Numbers of the specification.
const (
	kindText, kindReference, kindValue, kindKeyword = 1, 18, 12, 14 // of completions
	symbolFile, symbolString, symbolKey, symbolBool = 1, 15, 20, 17
	severityError, severityWarning, severityInfo    = 1, 2, 3
	messageError, messageWarning, messageInfo       = 1, 2, 3
	syncIncremental                                 = 2
)
