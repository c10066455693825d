// Package patch reads patches in the dialects that agents write, and applies them
// to texts where there is no doubt which place is meant. It opens no file and does
// not decide which paths may be written.
//
// [Parse] is lenient about the form of a patch: counts in headers are ignored,
// because models rarely count right, and fences, heredocs, prose, missing headers
// and lost leading spaces are tolerated. [Apply] is strict about its content: all
// old lines must be in the file, in order. Only context at the ends of a hunk may
// be dropped, at most two lines on each side, and then the place must be unique, as
// it must for the loose stages.
//
// Hunks are found by the stages of package edit, from exact to other white space,
// other blank lines and other readings (find.go), and at last with a "\r" among other
// endings as the end of a line (lone.go). Of several places the order of the hunks
// decides, then the line number, then the line that "@@" names (choose.go). A place that
// looks right is still refused if the header names other lines that nearly match: the
// right place has changed since the patch was made (doubt.go). Nothing is applied unless
// every hunk is placed; the error reports all that are not.
//
// A parser of git patches was tried for the unified dialect and dropped: with a
// wrong count in a header it silently ignored the rest of the hunk.
package patch
