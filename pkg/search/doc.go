// Package search finds files by name and lines by content below a root directory.
// It knows nothing of tools and opens nothing outside the root.
//
// # The idea
//
// A search is a pipeline of four engines, each a package of its own:
//
//	walk      lists directories in parallel and returns entries in a fixed order
//	ignore    decides which entries git's ignore rules exclude
//	pattern   compiles a regular expression and extracts the literals that every
//	          match must contain
//	scan      finds those literals in a buffer; dfa then checks only their lines
//
// Most of the time goes into opening and reading files. So a file that cannot
// match should cost one open, one read and one pass of scan over its bytes.
//
// # Invariants
//
//   - Every file is opened relative to a handle of its directory, never through a
//     link, and only if it is a regular file. A path cannot leave the root, and a
//     pipe or a device cannot block the search.
//   - The result does not depend on the number of workers. Files come in the order
//     of their paths (find and list: by level first), and the first N results are
//     the same N on every run.
//   - The search stops when it has the requested results. The totals then cover
//     only the part that was searched, and TotalExact is false.
//   - Nothing is left out silently. Ignored, hidden, binary, denied and too large
//     files are counted, and so is the time running out.
//   - Memory has bounds: a buffer a worker, one budget for lines that wait for
//     their turn, one for the states of an automaton. A file of any size is
//     searched in windows, also for matches that span lines, and is decoded in
//     parts.
//   - Counts, pages and limits refer to lines. A match that spans lines counts once
//     for each of them.
//
// # The way of one grep
//
// [Grep] calls prepare, which compiles the pattern (pattern.Compile) and the globs
// and checks where the search starts. newMatcher builds a scan.Finder for the
// literals. walk.Ordered then runs the workers. Each worker takes a directory,
// lists it, reads its ignore files, and calls visit for each file that is left:
//
//	visit     opens the file below the handle of its directory
//	look      decides how much of the file is wanted: all, the first match, or N
//	file      reads the first buffer; decodes what is not UTF-8; sends what does
//	          not fit to large, which searches the parts of a file in parallel
//	lines     finds candidate lines with the Finder and confirms them with the DFA;
//	          gives up on literals that turn out to be common
//	spanning  does the same for matches that may span lines
//	alike     looks again at what has no match as written, if case may be ignored then,
//	          until a line matches as written anywhere; relax searches such files again
//	show      cuts the lines and their context for the result
//
// walk.Ordered hands the candidates to emit in the order of their paths. emit
// counts them, applies the offset and the limit, and ends the walk. finish reads a
// file again if its lines were not kept, because too much text was waiting.
//
// [Find] uses the same walk, but by levels, and to its end: package rank says how well
// a path fits, and the best match may be anywhere. [List] is a find
// without a query that also shows what is ignored.
//
// # Where results differ from ripgrep's
//
// ripgrep judges the tests, and these differences are on purpose: lines that end in
// CRLF match like those that end in LF, unless the pattern names a CR. Then the CR is
// a character of the line, and $ matches on both sides of it. Files that are not UTF-8
// are decoded first, so that characters beyond ASCII are found as they were
// written. Ignore rules follow git to the letter, which ripgrep does not in POSIX
// classes and trailing tabs. Results are always sorted.
//
// # What was tried and dropped
//
//   - The standard regexp on whole buffers or line by line: six to nine times
//     slower without a literal, and wrong where \s crosses lines. It still finds
//     the exact place in a line that is known to match.
//   - Other regular expression engines for Go: one returned wrong results on
//     random patterns, one costs 6 MB of binary and stops at invalid UTF-8.
//   - Mapping small files into memory: four times slower than reading them.
//     Large files are mapped in windows, in parallel.
//   - Checking every file for NUL bytes first: a pass over all bytes. Only files
//     with a match are checked.
//   - Sorting all results at the end: slower than walking in order, and it cannot
//     stop early.
//   - Libraries for ignore files: all differed from git on random repositories.
//   - A trigram index: helve is a process a call, and an index can be stale.
package search
