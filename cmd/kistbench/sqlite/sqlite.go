/*
Package sqlite is SQLite's full-text index, FTS5, as an engine that kist is compared with: an
entry a file, its text alone, stemmed words, ranked by BM25, nothing of the text stored. It is
the translation of SQLite to Go that a program without C would use.
*/
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // registers the driver

	"kist/bench"
	"kist/bench/drawn"
)

// batch is how many files a transaction has.
const batch = 1000

// An Engine is one index. The zero value can be opened.
type Engine struct{ db *sql.DB }

var _ bench.Engine = (*Engine)(nil)

// Name is a column's.
func (*Engine) Name() string { return "SQLite FTS5" }

// What says what is indexed.
func (*Engine) What() string { return "an entry a file, its text alone, with positions" }

// Phrases can be asked for.
func (*Engine) Phrases() bool { return true }

// Open opens the index in a folder, or makes one.
func (e *Engine) Open(dir string) error {
	db, err := sql.Open("sqlite", filepath.Join(dir, "fts.db"))
	if err != nil {
		return fmt.Errorf("open sqlite: %w", err)
	}
	db.SetMaxOpenConns(1) // settings are of a connection
	for _, statement := range []string{
		"pragma journal_mode = wal", "pragma synchronous = normal",
		"create table if not exists files (id integer primary key, path text unique)",
		"create virtual table if not exists texts using fts5 (body, content = '', contentless_delete = 1, tokenize = 'porter unicode61')",
	} {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("open sqlite: %w", errors.Join(err, db.Close()))
		}
	}
	e.db = db
	return nil
}

// Build indexes files, a thousand a transaction.
func (e *Engine) Build(ctx context.Context, dir string, paths []string) error {
	for len(paths) > 0 {
		n := min(batch, len(paths))
		err := e.within(ctx, func(tx *sql.Tx) error {
			for _, p := range paths[:n] {
				text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
				if err != nil {
					return err
				}
				if err := put(ctx, tx, p, text); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		paths = paths[n:]
	}
	return nil
}

// Replace indexes a file's new text.
func (e *Engine) Replace(ctx context.Context, path string, text []byte) error {
	return e.within(ctx, func(tx *sql.Tx) error { return put(ctx, tx, path, text) })
}

// within does something in a transaction.
func (e *Engine) within(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("index with sqlite: %w", err)
	}
	if err := do(tx); err != nil {
		return fmt.Errorf("index with sqlite: %w", errors.Join(err, tx.Rollback()))
	}
	return tx.Commit()
}

// put takes the place of what there was of a file.
func put(ctx context.Context, tx *sql.Tx, path string, text []byte) error {
	var id int64
	err := tx.QueryRowContext(ctx, "select id from files where path = ?", path).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		r, err := tx.ExecContext(ctx, "insert into files (path) values (?)", path)
		if err != nil {
			return err
		}
		if id, err = r.LastInsertId(); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if _, err := tx.ExecContext(ctx, "delete from texts where rowid = ?", id); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, "insert into texts (rowid, body) values (?, ?)", id, string(text))
	return err
}

// Search ranks the files that have any of the words, or all of them as a phrase, and returns
// how many of the ten best there are.
func (e *Engine) Search(ctx context.Context, q drawn.Question) (found int, err error) {
	rows, err := e.db.QueryContext(ctx, "select path from texts join files on files.id = texts.rowid where texts match ? order by rank limit 10", match(q))
	if err != nil {
		return 0, fmt.Errorf("search with sqlite: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var path string
		if err := rows.Scan(&path); err != nil {
			return 0, err
		}
		found++
	}
	return found, rows.Err()
}

// match writes a question as FTS5 reads it: strings, which have no syntax.
func match(q drawn.Question) string {
	quoted := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	if q.Phrase {
		return quoted(q.Text)
	}
	words := strings.Fields(q.Text)
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " OR ")
}

// Close closes the index.
func (e *Engine) Close() error { return e.db.Close() }
