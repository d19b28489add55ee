package vault

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"kist/vault/markdown"
)

// Memories lists the memories of a project, or all when project is empty, newest
// first.
func (v *Vault) Memories(ctx context.Context, project string) ([]Memory, error) {
	var dirs []string
	if project != "" {
		dirs = []string{v.memoryDir(project)}
	} else {
		slugs, err := v.slugs()
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, v.layout.Memories)
		for _, s := range slugs {
			dirs = append(dirs, v.memoryDir(s))
		}
	}
	var out []Memory
	for _, dir := range dirs {
		files, err := v.names(dir, false)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			p := path.Join(dir, f)
			doc, _, err := v.listed(p)
			if err != nil {
				v.log.Warn("memory passed over", "path", p, "err", err)
				continue
			}
			out = append(out, v.memoryOf(p, doc))
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Created.After(out[j].Created) })
	return out, ctx.Err()
}

func (v *Vault) memoryDir(project string) string {
	return path.Join(v.layout.Projects, project, memoriesDir)
}

func (v *Vault) memoryOf(p string, doc *markdown.Document) Memory {
	m := Memory{Path: p, Project: v.ProjectOf(p), Scope: "user", Confidence: 1}
	if m.Project != "" {
		m.Scope = "project"
	}
	m.Content = strings.TrimSpace(string(doc.Source()[doc.BodyStart():]))
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return m
	}
	m.ID = fm.String("id")
	m.Source = fm.String("source")
	m.Supersedes = fm.String("supersedes")
	m.Created = parseTime(fm.String("created"))
	if c, err := strconv.ParseFloat(fm.String("confidence"), 64); err == nil {
		m.Confidence = c
	}
	return m
}

// Memory finds a memory by id or path, exactly.
func (v *Vault) Memory(ctx context.Context, ref string) (Memory, error) {
	all, err := v.Memories(ctx, "")
	if err != nil {
		return Memory{}, err
	}
	clean, _ := cleanPath(ref)
	for _, m := range all {
		if m.ID != "" && strings.EqualFold(m.ID, ref) || m.Path == clean {
			return m, nil
		}
	}
	return Memory{}, &NotFoundError{Kind: "memory", Ref: ref}
}

// PlanCreateMemory plans a new memory file for the user or for a project.
func (v *Vault) PlanCreateMemory(ctx context.Context, m NewMemory, createdBy Actor) (Step, error) {
	content := strings.TrimSpace(strings.ToValidUTF8(m.Content, "\ufffd"))
	if content == "" {
		return Step{}, fmt.Errorf("%w: there is nothing to remember", ErrInvalid)
	}
	dir, scope := v.layout.Memories, "user"
	if m.Project != "" {
		p, err := v.Project(ctx, m.Project)
		if err != nil {
			return Step{}, err
		}
		dir, scope = v.memoryDir(p.Slug), "project"
	}
	p, err := v.freePath(dir, Slug(content))
	if err != nil {
		return Step{}, err
	}
	supersedes := ""
	if m.Supersedes != "" {
		old, err := v.Memory(ctx, m.Supersedes)
		if err != nil {
			return Step{}, err
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
	fm += strings.TrimPrefix(frontMatter([]property{{"source", m.Source}, {"supersedes", supersedes}, {"created", v.stamp()}, {"created_by", string(createdBy)}}, nil), "---\n")
	text := fm + "\n" + content + "\n"
	return Step{Type: OpCreate, Entity: Entity{Type: "memory", ID: id, Path: p}, Changes: []Change{{Path: p, After: []byte(text)}}}, nil
}

// PlanMoveMemory plans to move a memory to a project, or to the user's own when project
// is empty, and to set its scope. It returns ErrStatus for one that is there already.
func (v *Vault) PlanMoveMemory(ctx context.Context, ref, project string) (Step, error) {
	m, err := v.Memory(ctx, ref)
	if err != nil {
		return Step{}, err
	}
	dir, scope := v.layout.Memories, "user"
	if project != "" {
		p, err := v.Project(ctx, project)
		if err != nil {
			return Step{}, err
		}
		dir, scope = v.memoryDir(p.Slug), "project"
	}
	if path.Dir(m.Path) == dir {
		return Step{}, fmt.Errorf("%w: the memory is there already", ErrStatus)
	}
	edit, err := v.planSet(Entity{Type: "memory", ID: m.ID, Path: m.Path}, []property{{"scope", scope}})
	if err != nil {
		return Step{}, err
	}
	ext := path.Ext(m.Path)
	to, err := v.freeName(dir, strings.TrimSuffix(path.Base(m.Path), ext), ext, nil)
	if err != nil {
		return Step{}, err
	}
	c := edit.Changes[0]
	c.Path = to
	return Step{Type: OpMove, Entity: Entity{Type: "memory", ID: m.ID, Path: to}, Changes: []Change{{Path: to, From: m.Path}, c}}, nil
}

// PlanForgetMemory plans to delete a memory; the operation log keeps what it said.
func (v *Vault) PlanForgetMemory(ctx context.Context, ref string) (Step, error) {
	m, err := v.Memory(ctx, ref)
	if err != nil {
		return Step{}, err
	}
	return v.planDelete(Entity{Type: "memory", ID: m.ID, Path: m.Path})
}
