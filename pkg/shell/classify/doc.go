// Package classify judges from the text of a command how much harm it may do:
// whether it only reads, changes files of the workspace, or may lose data, reach
// beyond the workspace or cannot be judged. It runs and expands nothing and opens
// no file; it asks the functions in [Options] about the world.
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
// echo 'a > b'. The parser of mvdan.cc/sh reads the dialect of the shell that will
// run the command. Only its syntax tree is used, never its interpreter.
//
// # Invariants
//
//   - Adding a stage never lowers the risk: a command has the risk of its worst
//     part, and nothing takes a risk back.
//   - Quoting a literal never changes the verdict: programs, options and paths are
//     compared after quotes are removed.
//   - There is no limit behind which judging gets milder. What is too long or
//     nested too deep is destructive.
//   - No input makes it panic, overflow the stack or take long: bytes and
//     brackets are counted before anything parses them, and a panic that happens
//     all the same means destructive.
//   - A verdict above read gives a reason.
//
// Fuzz targets check these, testdata/verdicts.tsv lists the verdicts of more than
// a thousand commands, and FuzzShells has the real shells run, in the sandbox, what
// was judged to read: it must not create a file.
//
// # The packages
//
// The parts of a judgement report findings (package finding), and the analysis here
// decides what each one means in the workspace:
//
//   - word removes the quotes of a word and says what of it is certain.
//   - variable knows the values of variables, because bash evaluates them in
//     arithmetic, subscripts and what is assigned to RANDOM, and runs a substitution
//     in them. What an evaluation does shows when everything was read.
//   - program has the table of programs and their judges: functions of a call that
//     return findings. To judge one more program, add a row to its family there, and
//     commands with their verdicts to testdata/verdicts.tsv.
//   - awk, git and sed parse the languages of these programs.
//   - windows reads lines for cmd and PowerShell. Nothing confines a command on
//     Windows, so a doubt about the text of a line makes it destructive.
//
// Take sed -i s/a/b/ "$f" | xargs rm. [Classify] starts an analysis; source prechecks
// the bytes and parses them; walker visits every node, in functions, substitutions and
// here-documents too, and notes the input of each command. command reads the words
// ("$f" is one word of unknown text that may turn out to be an option), judges the name
// and looks up its row. The judge of sed finds that an unknown path is overwritten; that
// of xargs finds that rm is run with arguments that are not known, and command judges
// that too. report takes over each finding: writes resolves a path against the
// directories in which the shell may be, and compares it with the workspace and with what
// is protected, and raise makes the verdict at least as bad. conclude judges what only
// shows at the end, such as a file that is written and then run.
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
