// Package output makes what a command printed short without losing a failure. What is
// known about the output of a program are rules, one file a program; the engine knows
// no program.
//
// # Rule files
//
// A file NAME.rules is plain text, a rule a line. Empty lines and lines that begin with
// "#" say nothing. Patterns are regular expressions (RE2), matched against one line.
//
//	program go test            whose output it is: a program and words that must follow,
//	                           options left aside; repeated for other names
//	sign --- FAIL:             text that only this program prints, by which its output
//	                           is known when a script or a task runner started it: the
//	                           rules are for the lines from the first sign to the last
//	part PATTERN               such a line belongs to that part too
//	unwrap Output              lines that are JSON objects stand for the text in that field
//
//	keep PATTERN               such a line stays, and is kept first when not all fits; it
//	                           needs no other to say whose it is
//	drop PATTERN               such a line is left out
//	fold PATTERN => TEXT       such lines become one, at the first of them; {n} is their number,
//	                           {sum} the sum of the numbers in the first group
//	drop from PATTERN to PATTERN      all lines from one to another, both included
//	drop from PATTERN until PATTERN   the same without the last
//	drop from PATTERN while PATTERN   a line and those after it that match the second
//	once PATTERN => TEXT       of such lines or spans that are alike, the first stays; {n} is
//	                           the number of the others
//	lead PATTERN               such a line says whose the lines after it are: it stays only
//	                           directly above a line that no rule leaves out or keeps
//
//	begun PATTERN ended PATTERN   a line that says that something begins stays, and is kept,
//	                           unless a later one says that it ended: the group "name"
//	                           is the same in both
//	log PATTERN passed PATTERN    the first says whose the lines after it are; those that no
//	                           rule is for are left out if the second says, by the group
//	                           "passed", that its "name" passed
//
//	on success                 the rules below hold if the command is known to have succeeded
//	on failure                 the rules below hold unless it is
//	within from PATTERN while PATTERN   the rules below hold in such a span, as of the source
//	                           around an error
//	always                     the rules below hold everywhere, as those above
//
// Every action takes a pattern or a span. The first rule that matches a line decides. A line that no rule matches stays.
//
// # What is never left out
//
// A line that looks like a failure (see [Alarming]) stays, whatever drop, fold, lead and
// log say, also in a span. With "!" what the pattern itself matches is known to be none,
// as in "fold! ^--- PASS: \S+" for "--- PASS: TestError"; what the line says beside it
// counts. Rules of a program must fit its own lines alone: what others print whom it
// starts, or who run beside it, is not its own. A span without an end does not count. The
// status counts only if the program set it: not in a pipeline, and not as one of several
// commands.
//
// # What no rule is for
//
// Of many lines that are alike but for numbers, identifiers, quoted text and paths, the
// first and the last stay, and a note says how many there were: "[410 like: handled item …
// in … ms]". Lines whose shape few have stay, as do those that differ where the others
// have few kinds, such as one status 500 among many 200; failures, with the lines of the
// message; and places in files. What commands print that only show files is folded so if
// it is too long and mostly alike, as a log is.
//
// What is still too long then is cut: beginning and end stay, and between them first the
// lines that were kept or look like failures, then those whose shape few have.
package output
