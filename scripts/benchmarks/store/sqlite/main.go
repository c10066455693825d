// Command sqlite keeps messages in a database of SQLite, to be compared with:
//
//	sqlite put DIR ID    adds a message, once for each ID
//	sqlite ids DIR       prints the ids of all messages, in the order they came in
package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sqlite:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "put":
		return put(args[1], args[2])
	case len(args) == 2 && args[0] == "ids":
		return ids(args[1])
	}
	return errors.New("usage: sqlite put DIR ID | sqlite ids DIR")
}

// open opens the database with what a message must outlive: a log that is synchronised
// at each commit, and a wait for the others' locks that takes the lock to write at once.
func open(dir string) (*sql.DB, error) {
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(60000)", "journal_mode(WAL)", "synchronous(FULL)"}}
	return sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(dir, "messages.db"))+"?"+options.Encode())
}

func put(dir, id string) error {
	db, err := open(dir)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // nothing is left of it after a commit
	if _, err := tx.Exec("CREATE TABLE IF NOT EXISTS messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, data BLOB)"); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT OR IGNORE INTO messages (id, data) VALUES (?, ?)", id, data(id)); err != nil {
		return err
	}
	return tx.Commit()
}

// data is a message of the size that most have.
func data(id string) []byte {
	return []byte(`{"id":"` + id + `","content":"` + strings.Repeat("a word ", 30) + `"}`)
}

func ids(dir string) error {
	db, err := open(dir)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query("SELECT id FROM messages ORDER BY seq")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		fmt.Println(id)
	}
	return rows.Err()
}
