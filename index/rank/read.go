package rank

import (
	"kist/index/page"
	"kist/index/store"
	"time"
)

// read reads a file for its excerpt, or finds it among those read of late. Where its sections
// are the index tells, if it has the very text that was indexed; else it is parsed. entry is
// one of the file's, or any. What language it is in is known unless it has changed since;
// telling it anew takes as long as parsing. What read returns must not be changed.
func (s *Search) read(file int32, entry uint32) (*page.File, error) {
	x, path := s.Desk, s.View.Paths[file]
	x.Lock.Lock()
	e, writing := s.Manifest.Files[path], s.Manifest.Writing[path]
	x.Lock.Unlock()
	if kept := x.recent.get(path); kept != nil {
		if s.UpToDate && kept.holds(e) {
			return kept.file, nil
		}
		if info, err := x.Files.Source.Stat(path); err == nil && kept.stat.Same(info) {
			return kept.file, nil
		}
	}
	began := time.Now()
	raw, info, err := x.Files.Source.ReadHead(path, page.MaxFile)
	if err != nil {
		return nil, err
	}
	var f *page.File
	if err := store.GuardDamage(func() error {
		outlines, err := s.Snapshot.Outlines(s.View, file, entry)
		same := s.UpToDate && !writing && e.Same(info)
		f = x.Files.Reader().Outlined(path, raw, info, began, outlines, same)
		return err
	}); f == nil || err != nil {
		f = x.Files.Reader().Of(path, raw, info, began)
	}
	if f.Lang == "" {
		if f.Lang = e.Lang; f.Lang == "" || !e.Same(f.Info) {
			f.Lang = x.Files.Langs.Detect(f.Text[f.Body:])
		}
	}
	x.recent.put(f)
	return f, nil
}
