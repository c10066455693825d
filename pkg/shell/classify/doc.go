// Package classify judges from the text of a command how much harm it may do:
// whether it only reads, changes files of the workspace, or may lose data, reach
// beyond the workspace or cannot be judged. It runs and expands nothing and opens
// no file; whatever it may know of the world it asks the functions in [Options].
//
// The verdict is not the protection. It decides whether somebody is asked and
// which sandbox the command gets: a command that is judged to read runs without
// any directory it may write to, so one that was judged too mildly fails instead
// of doing harm.
//
// # The idea
//
// Only what is known to be harmless is harmless. The table of programs lists what
// a program may be given and still only read. An option that is not listed makes
// the command a write, a program that is not listed hides what it runs, and a
// command whose name, program text or syntax cannot be decided is destructive.
// Nobody can list all that does harm, and whoever tries is defeated by the next
// spelling of rm.
//
// The command is parsed, not matched, because patterns over the text of a
// command are wrong both ways: they miss rm in "r"m, \rm, $(printf rm), a
// here-document or the 51st stage of a pipe, and they stop grep 'rm -rf' docs/ and
// echo 'a > b'. The parser is that of mvdan.cc/sh, in the dialect of the shell
// that will run the command. Only its syntax tree is used, never its interpreter.
//
// # Invariants
//
//   - Adding a stage never lowers the risk: the risk of a command is that of its
//     worst part, and nothing takes a risk back.
//   - Quoting a literal never changes the verdict: programs, options and paths are
//     compared after quotes are removed.
//   - There is no limit behind which judging gets milder. What is too long or
//     nested too deep is destructive.
//   - No input makes it panic, overflow the stack or take long: bytes and
//     brackets are counted before anything parses them, and a panic that happens
//     all the same means destructive.
//   - A verdict above read says why.
//
// Fuzz targets check these, testdata/verdicts.tsv lists the verdicts of more than
// a thousand commands, and FuzzShells has the real shells run, in the sandbox, what
// was judged to read: it must not create a file.
//
// # The way of one command
//
// Take sed -i s/a/b/ "$f" | xargs rm:
//
//   - [Classify] starts an analysis and judges the given environment.
//   - source prechecks the bytes (precheck) and parses them.
//   - walker.walk visits every node, in functions, substitutions, here-documents
//     and subscripts too. visit judges what is no command (redirections,
//     assignments, arithmetic, parameters) and notes what each command finds on
//     its standard input.
//   - walker.call reads the words of a simple command. Package word removes the
//     quotes and says what of each word is certain: "$f" is one word of unknown
//     text that may turn out to be an option.
//   - command judges the name (programName: a path, a shadowed name) and looks it
//     up in the table (lookup).
//   - row judges the call by its row: its effects, then by arguments its options
//     and operands, or by the function that the row names. sed gives its program
//     to package sed and its operands, because of -i, to writes.
//   - writes and reads resolve a path against the directories in which the shell
//     may be, and compare it with the workspace and with what is protected.
//   - xargs is a wrapper: its function finds the command behind the options, adds
//     a word that is not known, and hands both to command again.
//   - raise makes the verdict at least as bad as a finding, with a flag and a
//     reason. conclude looks at what only shows when everything was read, such
//     as a file that is written and then run.
//
// # Values
//
// The shell runs more than its syntax shows: bash evaluates the values of variables
// in arithmetic, subscripts and what is assigned to RANDOM, and runs a substitution
// in them. So each assignment is noted with what is known of its value (type
// value), each variable that is evaluated is noted too, and concludeValues puts
// them together when everything was read, whatever the order.
//
// # The table
//
// A row of type program states the names of some programs, what they do whatever
// they are given (effects), what each option does and whether it has a value
// (harmless, values, writes, runs), what an option is that is not listed (others),
// with which arguments it only reports on itself (alone), unless a file of the project
// decides what runs (obeys), or prints (asks), what the operands are, and subcommands,
// which are rows themselves, with the options that may come before them. What columns cannot say is a function. The rows of a family are in a file: text.go, files.go,
// wrappers.go, shells.go, builds.go, network.go, system.go and others.
//
// To judge one more program, add a row to its family and commands with their
// verdicts to testdata/verdicts.tsv. List in harmless only options that the
// program's own manual shows to change nothing. Abbreviations of long options
// count, as getopt accepts them; of several options that one may mean, the worst
// does.
//
// The little languages of sed, awk and git are packages of their own. They parse
// and report; this package judges.
//
// # Windows
//
// A line for cmd or PowerShell is read by package windows, and judged by windows.go
// with tables of its own (cmd.go, powershell.go), because find, sort or del are other
// programs there. What these tables do not have is looked up in the one above: git is
// the same everywhere. Nothing confines a command on Windows, so a doubt about the
// text of a line makes it destructive.
//
// # What was tried and dropped
//
//   - Patterns that deny. Other tools' lists missed -Rfv, --recursive, quotes and
//     wrappers, and stopped harmless text. What remains is Options.Deny: a person
//     may forbid more, matched against the words of each simple command.
//   - A limit on the number of subcommands. A judge that gives up after fifty lets
//     the fifty-first pass.
//   - The unquoting of mvdan.cc/sh/expand. It left a backslash in \rm and took the
//     command "[" for a pattern, so package word does its own, with bash as judge.
//   - Parsing without a count of brackets. 100,000 open ones took 2.8 s and 512 MB
//     of stack, and Go cannot recover from a stack that is used up.
//   - Judging scripts, makefiles and other programs' text by looking inside. What
//     a file holds may change before it runs, so such a command is opaque, and its
//     sandbox holds it.
package classify
