// Package text decodes text files, returns pages of them, and encodes changed
// texts so that no other byte of a file changes. It also outlines texts. It opens no
// file and knows no path.
//
// [Decode] detects the encoding of a file in memory; [Read] also streams files that
// are too large for that, and returns a page with facts about the complete file.
// Both decide in the same way. A guess counts only if all bytes decode with it,
// because every lossy decoding ends in a damaged file: most editors of agents write
// U+FFFD over bytes they could not read. What fits no encoding is shown byte by byte
// ([Raw8Bit]) and can still be edited with ASCII.
//
// [Document.Encode] writes a changed text. If the file does not survive decoding and
// encoding byte by byte, it copies the bytes of unchanged lines. What it returns
// always decodes to the text again.
//
// Line endings belong to lines, not to files: [Lines] keeps the ending of every
// line, and [Conform] gives a new text the endings of the old one line by line, so
// that a file with mixed endings keeps them.
//
// Package charset does the statistics behind the detection of encodings.
package text
