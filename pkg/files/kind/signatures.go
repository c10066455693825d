package kind

import "bytes"

const (
	zipMIME = "application/zip"
	oleMIME = "application/x-ole-storage"
)

// signature is a sequence of bytes that all files of a type have at one offset.
type signature struct {
	at    int
	magic string
	also  int    // offset of more
	more  string // a second sequence, such as the form type of a RIFF file; may be ""
	class Class
	mime  string
}

func (s *signature) matches(head []byte) bool {
	return hasAt(head, s.at, s.magic) && (s.more == "" || hasAt(head, s.also, s.more))
}

func hasAt(head []byte, at int, magic string) bool {
	return len(head) >= at+len(magic) && bytes.Equal(head[at:at+len(magic)], []byte(magic))
}

// signatures are those of formats that agents encounter, from the registrations and
// specifications of the formats. The first one that matches counts.
var signatures = [...]signature{
	{0, "\x89PNG\r\n\x1a\n", 0, "", Image, "image/png"},
	{0, "\xff\xd8\xff", 0, "", Image, "image/jpeg"},
	{0, "GIF87a", 0, "", Image, "image/gif"},
	{0, "GIF89a", 0, "", Image, "image/gif"},
	{0, "RIFF", 8, "WEBP", Image, "image/webp"},
	{0, "BM", 6, "\x00\x00\x00\x00", Image, "image/bmp"},
	{0, "\x00\x00\x01\x00", 5, "\x00", Image, "image/x-icon"},
	{0, "II*\x00", 0, "", Image, "image/tiff"},
	{0, "MM\x00*", 0, "", Image, "image/tiff"},
	{4, "ftypavif", 0, "", Image, "image/avif"},
	{4, "ftypavis", 0, "", Image, "image/avif"},
	{4, "ftypheic", 0, "", Image, "image/heic"},
	{4, "ftypheix", 0, "", Image, "image/heic"},
	{4, "ftypmif1", 0, "", Image, "image/heif"},
	{0, "\x00\x00\x00\x0cJXL ", 0, "", Image, "image/jxl"},
	{0, "\xff\x0a", 0, "", Image, "image/jxl"},
	{0, "\x01\x00\x00\x00", 40, " EMF", Binary, "image/emf"},
	{0, "\xd7\xcd\xc6\x9a\x00\x00", 0, "", Binary, "image/wmf"},
	{0, "8BPS\x00\x01", 0, "", Image, "image/vnd.adobe.photoshop"},

	{0, "%PDF-", 0, "", Document, "application/pdf"},
	{0, "{\\rtf", 0, "", Document, "application/rtf"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "", Document, oleMIME},
	{0, "\x09\x00\x04\x00", 5, "\x00", Document, ExcelMIME}, // Excel 2 to 4 have no container
	{0, "\x09\x02\x06\x00", 5, "\x00", Document, ExcelMIME},
	{0, "\x09\x04\x06\x00", 5, "\x00", Document, ExcelMIME},
	{0, "PK\x03\x04", 0, "", Document, zipMIME},
	{0, "PK\x05\x06", 0, "", Document, zipMIME},

	{0, "\x1f\x8b", 0, "", Document, "application/gzip"},
	{0, "\x28\xb5\x2f\xfd", 0, "", Binary, "application/zstd"},
	{0, "\xfd7zXZ\x00", 0, "", Binary, "application/x-xz"},
	{0, "BZh", 4, "1AY&SY", Document, "application/x-bzip2"},
	{0, "7z\xbc\xaf\x27\x1c", 0, "", Binary, "application/x-7z-compressed"},
	{0, "Rar!\x1a\x07", 0, "", Binary, "application/vnd.rar"},
	{257, "ustar", 0, "", Document, "application/x-tar"},
	{0, "\x7fELF", 0, "", Binary, "application/x-elf"},
	{0, "\xcf\xfa\xed\xfe", 0, "", Binary, "application/x-mach-binary"},
	{0, "\xce\xfa\xed\xfe", 0, "", Binary, "application/x-mach-binary"},
	{0, "\xca\xfe\xba\xbe\x00\x00\x00\x02", 0, "", Binary, "application/x-mach-binary"},
	{0, "\xca\xfe\xba\xbe", 0, "", Binary, "application/java-vm"},
	{0, "MZ", 2, "\x90\x00\x03\x00", Binary, "application/vnd.microsoft.portable-executable"},
	{0, "\x00asm", 0, "", Binary, "application/wasm"},
	{0, "SQLite format 3\x00", 0, "", Binary, "application/vnd.sqlite3"},
	{0, "!<arch>\ndebian-binary", 0, "", Binary, "application/vnd.debian.binary-package"},
	{0, "!<arch>\n", 0, "", Binary, "application/x-archive"},
	{0, "ID3", 0, "", Binary, "audio/mpeg"},
	{0, "OggS", 0, "", Binary, "audio/ogg"},
	{0, "fLaC", 0, "", Binary, "audio/flac"},
	{0, "RIFF", 8, "WAVE", Binary, "audio/wav"},
	{0, "RIFF", 8, "AVI ", Binary, "video/x-msvideo"},
	{0, "\x1a\x45\xdf\xa3", 0, "", Binary, "video/x-matroska"},
	{4, "ftyp", 0, "", Binary, "video/mp4"},
	{0, "wOFF", 0, "", Binary, "font/woff"},
	{0, "wOF2", 0, "", Binary, "font/woff2"},
	{0, "\x00\x01\x00\x00\x00", 0, "", Binary, "font/ttf"},
	{0, "OTTO", 0, "", Binary, "font/otf"},
	{0, "PAR1", 0, "", Binary, "application/vnd.apache.parquet"},
}
