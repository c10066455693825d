// Package known is the one table of what programs keep in a home directory and of what
// they execute or obey in a tree: what a command must not read, what a person is asked
// about, what builds need, and which caches they fill. A new program or agent is one row.
// The package names paths; it looks at no file and decides nothing.
package known

// Program is a row: a program, or several with the same habits. Paths are separated by
// blanks and have "/". "?" stands for a blank in a name.
type Program struct {
	Name string
	// Why says how a program comes to run what is in Obeyed, or what builds need of Reads
	// and Caches.
	Why string
	// Secrets are, below a home directory or absolute, keys, logins, histories and what was
	// said. A directory of which no build needs anything is named as a whole.
	Secrets string
	// Blanks are secrets that builds read as their settings and of which they need none:
	// they may find a file that says nothing instead.
	Blanks []Blank
	// Obeyed are paths in a tree, in lower case, with everything below them. "*" at the
	// beginning stands for any characters.
	Obeyed string
	// Reads are paths below a home directory that builds need and that hold no secrets
	// but those of Secrets.
	Reads  string
	Caches []Cache
}

// Blank is a secret file with the text that programs may read in its place.
type Blank struct{ Path, Text string }

// Cache is a directory of files that tool chains can make or fetch again.
type Cache struct {
	Path     string // below a home directory
	Set      string // a variable with the path, which counts before Path
	Variable string // moves the cache; "" if none does
	Own      string // its name in a workspace's own caches, where Variable moves it to
	Needed   bool   // builds need what is there, even if they can add nothing to it
	Format   string // of the value of Variable, where that is more than the path
	Server   string // names a program that reads Path and writes to where Variable leads
	Moves    string // what Variable moves, below a home directory, where that is more than Path
}

// Programs returns all rows.
func Programs() []Program { return programs[:] }
