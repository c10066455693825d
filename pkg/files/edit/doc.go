// Package edit replaces a text in a file by another: it finds the place that the
// old text means and puts the new text there without changing any other byte. It
// opens no file. Where it is not sure, it refuses and shows what it saw instead.
//
// # Stages
//
// The old text of a language model is often not quite what the file has: a tab
// has become spaces, a curly quote a straight one, a line number was copied with
// the line. So the place is looked for in stages, from strict to loose (find.go):
//
//	exact         byte for byte, within lines too
//	rtrim         lines that differ in white space at their ends
//	unicode       typographic quotes, dashes and spaces, composed characters
//	indent        lines with another indentation, consistently
//	indent_loose  lines with another indentation, in any way
//	whitespace    lines that differ in runs of spaces and tabs
//	line_numbers  the text without copied line numbers, exactly and once
//	edge_blank    the text with fewer blank lines at its ends
//	blank_lines   the text with other blank lines inside, once
//	unescape      the text with \n and \" decoded, exactly and once
//	entities      the text with &lt; and &amp; decoded, exactly and once
//	quoted        the text without the quotation marks around it, as whole lines, once
//	lone_cr       the text in a file where "\r" ends some of the lines
//
// The first stage that finds any place decides, even if it finds too many: then
// the edit is ambiguous. Falling through to a looser stage would replace a place
// that nobody asked for. Every stage needs every line of the old text to be
// there, in order. A stage that compares loosely also needs a block long enough
// that a match is no coincidence. In files whose indentation is significant
// (indentMatters) only a consistent difference of indentation is accepted. Other
// readings of a text (reading.go) change the new text as they change the old one:
// what came with the copy is never written.
//
// # Similarity never writes
//
// Most editors of this kind end their stages with the most similar block. That
// was measured and dropped. Of 17,000 blocks of real source files in which one
// inner line was changed, matching by the first and last line plus similarity
// accepted 87 to 95 % and overwrote a line the caller had never seen. The stages
// above accept none of them. So similar.go only feeds the candidates of an error:
// each has the file's own text, why it differs, and an id that a further edit can
// accept without sending the text again (accept.go).
//
// # The merge
//
// A match that is not exact must not copy the caller's mistakes into the file.
// The replacement is a three-way merge by lines (merge.go): the old text is
// compared with the new text, and where they agree, the file's own bytes stay.
// Where they differ, the new line is written the way the file would write it.
// After an indent match its indentation is translated level by level from the
// pairs of old and file lines around it (indent.go); after a unicode match the
// words it shares with the old line keep the file's characters (fold.go). New
// lines take the line ending of the line they replace or follow: one ending for
// the complete file would rewrite files with mixed endings. If a file's
// counterpart of an indentation is unknown, the edit is refused.
//
// # Stale text
//
// A unique match can still be wrong: the caller read "b", the line is now
// "b-external", and "b" is found within it; or the place that it read has changed,
// and a twin of it, which it never saw, is now the only match. So the old text is
// first looked for in what the caller was shown, and its places there are mapped to
// the present (witness.go, package shown). A place that has changed refuses the
// edit, as do several places of which one has changed. A change elsewhere, or of
// the layout only, does no harm. A text that was never shown is matched as if
// nothing had been: after a formatter the caller may know what the file has without
// having been shown it. Hashes and times of whole files were dropped: they refuse
// every edit after a formatter has run.
//
// # One call
//
// [Apply] checks the edits (validate) and looks for all of them in the original
// (applyAtOnce) or, with [Options.Sequential], each in the result of those before
// it (applyInTurn). For each edit, document.resolve
//
//   - finds places (find) or takes those of a candidate (accept),
//   - chooses those the edit means, by what the caller was shown, occurrence, line,
//     after, within or number, and refuses what has changed since (choose, shownPlace),
//   - refuses placeholders such as "... existing code ..." (placeholder),
//   - merges every place (merge) and refuses what changes nothing, was already
//     applied (replace).
//
// Nothing is written unless all edits succeed; the error reports all that failed.
// Offsets of places are those of a view in which every line ends in "\n"; view.go
// maps them back to bytes of the original. What is spliced in are byte ranges, so
// bytes outside of the replacements cannot change: property_test.go checks this
// for random texts, edits and line endings.
//
// Package patch finds its hunks with the stages of [FindLines] and writes them
// with [Rewrite].
package edit
