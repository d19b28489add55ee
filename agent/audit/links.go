package audit

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"kist/agent/language"
	"kist/vault"
)

// maxLinks bounds how many links are looked up.
const maxLinks = 2000

// broken is a link that leads to no file.
type broken struct {
	target string
	wiki   bool
	at     Evidence
}

var linkIn = language.Pattern(`\[\[([^\[\]|#]{1,300})|\]\(\s*(?:<([^>]{1,300})>|([^\s()]{1,300}(?:\([^\s()]{0,100}\)[^\s()]{0,100})?))`)

// checkLinks notes the links of the project's files that lead nowhere. A Markdown
// link is looked for beside its file and from the vault's root, a wiki link, as
// editors do it, by its name anywhere.
func (m *material) checkLinks(ctx context.Context, v *vault.Vault, dir string) error {
	looked := 0
	var wiki []broken
	for _, f := range m.files {
		targets := f.doc.Links()
		if len(targets) == 0 {
			continue
		}
		lines := f.linkLines()
		for _, target := range targets {
			if looked++; looked > maxLinks {
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if target == "" || exists(v, path.Dir(f.path), target) || exists(v, ".", target) || exists(v, dir, target) {
				continue
			}
			where := lines[target]
			b := broken{target, where.wiki, Evidence{f.path, max(where.n, 1), plain(target)}}
			switch ext := path.Ext(target); {
			case where.wiki && ext != "" && !strings.EqualFold(ext, ".md") && len(ext) < 6:
				// An attachment may be in any folder; only documents are known by name.
			case where.wiki:
				wiki = append(wiki, b)
			default:
				m.missing = append(m.missing, b)
			}
		}
	}
	return m.checkNames(ctx, v, wiki)
}

// checkNames keeps the wiki links that no document of the vault answers to.
func (m *material) checkNames(ctx context.Context, v *vault.Vault, links []broken) error {
	if len(links) == 0 {
		return nil
	}
	names := map[string]bool{}
	err := v.Walk(ctx, func(info vault.Info) error {
		names[noteName(info.Path)] = true
		return nil
	}, nil)
	if err != nil {
		return fmt.Errorf("list documents: %w", err)
	}
	for _, b := range links {
		if !names[noteName(b.target)] {
			m.missing = append(m.missing, b)
		}
	}
	return nil
}

func noteName(p string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(p)), ".md")
}

func exists(v *vault.Vault, dir, target string) bool {
	p := path.Join(dir, strings.TrimPrefix(target, "/"))
	if strings.HasPrefix(p, "../") {
		return true // out of the vault, which is not looked into
	}
	for _, name := range []string{p, p + ".md"} {
		if _, err := v.Stat(name); err == nil {
			return true
		}
	}
	// A folder, a link or another file that isn't regular is there as well.
	_, err := v.Stat(p)
	return err != nil && !isNotFound(err)
}

type linkLine struct {
	n    int
	wiki bool
}

// linkLines says on which line each target comes first.
func (f *file) linkLines() map[string]linkLine {
	out := map[string]linkLine{}
	n := 0
	for l := range bytes.Lines(f.doc.Source()) {
		n++
		if !bytes.Contains(l, []byte("[[")) && !bytes.Contains(l, []byte("](")) {
			continue
		}
		for _, match := range linkIn().FindAllSubmatch(l, -1) {
			target, wiki := strings.TrimSpace(strings.TrimSuffix(string(match[1]), `\`)), true
			if len(match[1]) == 0 {
				target, wiki = string(match[2])+string(match[3]), false
				target, _, _ = strings.Cut(target, "#")
				if decoded, err := url.PathUnescape(target); err == nil {
					target = decoded
				}
			}
			if _, there := out[target]; !there {
				out[target] = linkLine{n, wiki}
			}
		}
	}
	return out
}
