package entity

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/markdown"
)

// Memories lists the memories of a project, or all when project is empty, newest
// first.
func Memories(ctx context.Context, v *vault.Vault, project string) ([]Memory, error) {
	var dirs []string
	if project != "" {
		dirs = []string{memoryDir(v, project)}
	} else {
		slugs, err := projectSlugs(ctx, v)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, v.Layout().Memories)
		for _, s := range slugs {
			dirs = append(dirs, memoryDir(v, s))
		}
	}
	var out []Memory
	for _, dir := range dirs {
		files, err := v.Names(dir, false)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			p := path.Join(dir, f)
			doc, _, err := listed(v, p)
			if err != nil {
				v.Log().Warn("memory passed over", "path", p, "err", err)
				continue
			}
			out = append(out, memoryOf(v, p, doc))
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Created.After(out[j].Created) })
	return out, ctx.Err()
}

func memoryDir(v *vault.Vault, project string) string {
	return v.RecordDir(project, memoriesDir, v.Layout().Memories)
}

func memoryOf(v *vault.Vault, p string, doc *markdown.Document) Memory {
	m := Memory{Path: p, Project: v.ProjectOf(p), Scope: "user", Confidence: 1}
	if m.Project != "" {
		m.Scope = "project"
	}
	m.Content = strings.TrimSpace(string(doc.Source()[doc.BodyStart():]))
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return m
	}
	m.ID, m.FormerIDs = fm.String("id"), fm.Strings(catalog.FormerIDs)
	m.Source = fm.String("source")
	m.Supersedes = fm.String("supersedes")
	m.Created = vault.ParseTime(fm.String("created"))
	if c, err := strconv.ParseFloat(fm.String("confidence"), 64); err == nil {
		m.Confidence = c
	}
	return m
}

// Memory finds a memory by id or path, exactly.
func FindMemory(ctx context.Context, v *vault.Vault, ref string) (Memory, error) {
	all, err := Memories(ctx, v, "")
	if err != nil {
		return Memory{}, err
	}
	clean, _ := v.Locate(ref)
	for _, m := range all {
		if meant(ref, m.ID, m.FormerIDs) || m.Path == clean {
			return m, nil
		}
	}
	return Memory{}, &vault.NotFoundError{Kind: "memory", Ref: ref}
}

// PlanCreateMemory plans a new memory file for the user or for a project.
func PlanCreateMemory(ctx context.Context, v *vault.Vault, m NewMemory, createdBy vault.Actor) (vault.Step, error) {
	content := strings.TrimSpace(strings.ToValidUTF8(m.Content, "\ufffd"))
	if content == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: there is nothing to remember", vault.ErrInvalid), "say the fact in a sentence")
	}
	dir, scope := v.Layout().Memories, "user"
	if m.Project != "" {
		p, err := FindProject(ctx, v, m.Project)
		if err != nil {
			return vault.Step{}, err
		}
		dir, scope = memoryDir(v, p.Slug), "project"
	}
	p, err := v.FreePath(dir, vault.Slug(content))
	if err != nil {
		return vault.Step{}, err
	}
	supersedes := ""
	if m.Supersedes != "" {
		old, err := FindMemory(ctx, v, m.Supersedes)
		if err != nil {
			return vault.Step{}, err
		}
		supersedes = cmp.Or(old.ID, old.Path)
	}
	confidence := ""
	if m.Confidence > 0 {
		confidence = strconv.FormatFloat(min(m.Confidence, 1), 'g', 3, 64)
	}
	id := v.NewID()
	fm := "---\nid: " + id + "\ntype: memory\nscope: " + scope + "\n"
	if confidence != "" {
		fm += "confidence: " + confidence + "\n" // a number, so not quoted
	}
	fm += strings.TrimPrefix(frontMatter([]property{{"source", m.Source}, {"supersedes", supersedes}, {"created", stamp(v)}, {"created_by", string(createdBy)}}, nil), "---\n")
	text := fm + "\n" + content + "\n"
	return vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "memory", ID: id, Path: p}, Changes: []vault.Change{{Path: p, After: []byte(text)}}}, nil
}

// PlanMoveMemory plans to move a memory to a project, or to the user's own when project
// is empty, and to set its scope. It returns ErrStatus for one that is there already.
func PlanMoveMemory(ctx context.Context, v *vault.Vault, ref, project string) (vault.Step, error) {
	m, err := FindMemory(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	dir, scope := v.Layout().Memories, "user"
	if project != "" {
		p, err := FindProject(ctx, v, project)
		if err != nil {
			return vault.Step{}, err
		}
		dir, scope = memoryDir(v, p.Slug), "project"
	}
	if path.Dir(m.Path) == dir {
		return vault.Step{}, fmt.Errorf("%w: the memory is there already", vault.ErrStatus)
	}
	edit, err := planSet(v, vault.Entity{Type: "memory", ID: m.ID, Path: m.Path}, []property{{"scope", scope}})
	if err != nil {
		return vault.Step{}, err
	}
	ext := path.Ext(m.Path)
	to, err := v.FreeName(dir, strings.TrimSuffix(path.Base(m.Path), ext), ext, nil)
	if err != nil {
		return vault.Step{}, err
	}
	c := edit.Changes[0]
	c.Path = to
	return vault.Step{Type: vault.OpMove, Entity: vault.Entity{Type: "memory", ID: m.ID, Path: to}, Changes: []vault.Change{{Path: to, From: m.Path}, c}}, nil
}

// PlanForgetMemory plans to delete a memory; the operation log keeps what it said.
func PlanForgetMemory(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	m, err := FindMemory(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	return planDelete(v, vault.Entity{Type: "memory", ID: m.ID, Path: m.Path})
}
