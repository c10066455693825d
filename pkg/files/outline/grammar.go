package outline

// blocks is the way in which a language marks the end of a definition.
type blocks uint8

const (
	braced   blocks = iota // { and }
	indented               // the indentation of the lines after it
)

// grammar describes a language to the reader.
type grammar struct {
	blocks blocks

	// Comments and strings.
	comment      []string // begin a comment up to the end of the line
	open, close  string   // of a comment; "" if there are none
	nested       bool     // such comments nest
	quotes       string   // characters that begin and end a string
	multiline    string   // the quotes among them whose strings may have several lines
	raw          string   // the quotes in whose strings a backslash is itself
	triple       bool     // three quotes in a row begin a string of several lines
	interpolates []string // begin code in a string: "${", "#{", `\(`
	forms        forms    // further forms of strings

	// Names and statements.
	letters   string                    // further characters of names
	newlines  bool                      // the end of a line ends a statement
	modifier  func(word string) bool    // words before the keyword of a definition
	keyword   func(word string) keyword // the definition that a word begins
	calls     bool                      // a method or function is a name, arguments and a block
	prototype bool                      // in a type, without the block too
	script    bool                      // values are functions: JavaScript
	end       string                    // the word that closes a block of an indented language
	closer    bool                      // a line with a closing brace does
}

// forms are forms of strings that few languages have.
type forms uint16

const (
	templates    forms = 1 << iota // JavaScript's `a ${b}`
	expressions                    // /regular expressions/ where a value may be
	markup                         // JSX
	lifetimes                      // Rust's 'a, beside characters
	hashed                         // r#"raw"#, #"raw"#
	delimited                      // R"x(raw)x"
	verbatim                       // @"raw ""quoted"" text"
	heredocs                       // <<EOF of the shell and Ruby
	phpHeredocs                    // <<<EOF
	preprocessor                   // lines with #, and branches of #if
	pages                          // text around <?php and ?>
	pod                            // =begin and =end
	percents                       // Ruby's %w[a b]
	parameters                     // the shell's ${a#b} and $#
)

// keyword is the kind of definition that a word begins, and its form.
type keyword struct {
	kind  string // "" if it defines nothing
	rules rules
}

// rules is a set of rules for finding the name of a definition and reading its block.
type rules uint8

const (
	inType     rules = 1 << iota // the block has methods and types
	inSpace                      // the block holds the definitions of a file
	inEnum                       // the block begins with constants
	inCode                       // the block is a function's
	bare                         // there may be no block
	contextual                   // a keyword only before a name
	dotted                       // the name may have several parts
	shaped                       // a type's word in C, which may begin a function or variable too
)

// grammarOf returns the grammar of a language, nil if there is none.
func grammarOf(language string) *grammar {
	slashes := []string{"//"}
	switch language {
	case "Python", "Starlark", "Cython":
		return &grammar{blocks: indented, comment: []string{"#"}, quotes: `"'`, triple: true, keyword: pythonWord, modifier: pythonModifier}
	case "Ruby", "Crystal":
		return &grammar{blocks: indented, comment: []string{"#"}, quotes: "\"'`", multiline: "\"'`", interpolates: []string{"#{"}, letters: "@$?!",
			forms: heredocs | pod | percents | expressions, keyword: rubyWord, modifier: rubyModifier, end: "end"}
	case "Shell":
		return &grammar{blocks: indented, comment: []string{"#"}, quotes: "\"'`", multiline: "\"'`", raw: "'", letters: "-:.", forms: heredocs | parameters,
			closer: true}
	case "JavaScript", "JSX":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, letters: "$#", forms: templates | expressions | markup, newlines: true,
			keyword: scriptWord, modifier: scriptModifier, script: true}
	case "TypeScript":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, letters: "$#", forms: templates | expressions, newlines: true,
			keyword: typeScriptWord, modifier: scriptModifier, script: true, prototype: true}
	case "TSX":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, letters: "$#", forms: templates | expressions | markup, newlines: true,
			keyword: typeScriptWord, modifier: scriptModifier, script: true, prototype: true}
	case "Java":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, triple: true, letters: "$", calls: true, prototype: true,
			keyword: javaWord, modifier: javaModifier}
	case "C":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, letters: "$", forms: preprocessor, calls: true,
			keyword: cWord, modifier: cModifier}
	case "C++", "Cuda":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, letters: "$", forms: preprocessor | delimited, calls: true, prototype: true,
			keyword: cppWord, modifier: cModifier}
	case "C#":
		return &grammar{comment: slashes, open: "/*", close: "*/", quotes: `"'`, triple: true, letters: "@", forms: verbatim | preprocessor, calls: true,
			prototype: true, keyword: sharpWord, modifier: sharpModifier}
	case "Rust":
		return &grammar{comment: slashes, open: "/*", close: "*/", nested: true, quotes: `"`, multiline: `"`, forms: lifetimes | hashed,
			keyword: rustWord, modifier: rustModifier}
	case "PHP", "Hack":
		return &grammar{comment: []string{"//", "#"}, open: "/*", close: "*/", quotes: "\"'`", multiline: "\"'`", letters: "$\\", forms: phpHeredocs | pages,
			keyword: phpWord, modifier: javaModifier}
	case "Kotlin":
		return &grammar{comment: slashes, open: "/*", close: "*/", nested: true, quotes: `"'`, triple: true, interpolates: []string{"${"}, newlines: true,
			keyword: kotlinWord, modifier: kotlinModifier}
	case "Swift":
		return &grammar{comment: slashes, open: "/*", close: "*/", nested: true, quotes: `"`, triple: true, interpolates: []string{`\(`}, forms: hashed,
			newlines: true, keyword: swiftWord, modifier: swiftModifier}
	case "Scala":
		return &grammar{comment: slashes, open: "/*", close: "*/", nested: true, quotes: `"`, triple: true, interpolates: []string{"${"}, forms: lifetimes,
			newlines: true, keyword: scalaWord, modifier: scalaModifier}
	}
	return nil
}
