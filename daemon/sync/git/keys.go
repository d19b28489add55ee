package git

import (
	"os"
	"strings"

	"kist/vault/pattern"
)

// runs matches the keys whose values git runs, or that lead to some that it does. Section
// and name are in lower case here, as git lists them.
var runs = pattern.Lazy(`(?s)^(?:` +
	`core\.(?:fsmonitor|hookspath|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand|attributesfile)` +
	`|hook\..*|alias\..*|pager\..*|sequence\.editor|interactive\.difffilter` +
	`|credential\.(?:.*\.)?helper` +
	`|gpg\.(?:.*\.)?(?:program|defaultkeycommand)` +
	`|filter\..*\.(?:clean|smudge|process|required)` +
	`|diff\.(?:external|guitool|tool|.*\.(?:command|textconv))` +
	`|merge\.(?:tool|guitool|.*\.driver)|(?:merge|diff)tool\..*` +
	`|man\..*|browser\..*|web\.browser|instaweb\..*|guitool\..*` +
	`|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)` +
	`|url\..*\.(?:insteadof|pushinsteadof)|protocol\.(?:.*\.)?allow` +
	`|submodule\..*|uploadpack\.packobjectshook|uploadpackfilter\..*` +
	`|imap\.tunnel|sendemail\..*|trailer\..*\.(?:cmd|command)|tar\..*\.command|trace2\..*` +
	`)$`)

// neutral is a value that leaves a key without effect.
func neutral(key string) string {
	switch {
	case key == "core.fsmonitor", strings.HasSuffix(key, ".required"), strings.HasPrefix(key, "submodule."):
		return "false"
	case key == "core.hookspath":
		return os.DevNull
	case strings.HasPrefix(key, "protocol."):
		return "never"
	case strings.HasSuffix(key, ".uploadpack"):
		return "git-upload-pack"
	case strings.HasSuffix(key, ".receivepack"):
		return "git-receive-pack"
	}
	return ""
}
