package kind

import (
	"bytes"
	"io"
	"strings"
)

// Media types of documents that several packages name.
const (
	ExcelMIME       = "application/vnd.ms-excel" // .xls, and text files with that extension
	BinaryExcelMIME = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
	PowerPointMIME  = "application/vnd.ms-powerpoint"
	OutlookMIME     = "application/vnd.ms-outlook" // .msg
	VisioMIME       = "application/vnd.visio"
	PublisherMIME   = "application/x-mspublisher"
	IWorkMIME       = "application/x-iwork" // of Pages, Numbers and Keynote
	// EncryptedMIME is the type of a .docx, .xlsx or .pptx with a password: a compound file.
	EncryptedMIME = "application/encrypted"
)

// pdfWithin limits the offset at which a PDF begins. Some are preceded by a header of mail
// or of a printer (ISO 32000-1, H.3.4.1).
const pdfWithin = 1024

// isPDF recognizes a PDF behind some other header. Texts about PDFs name its mark, too:
// they do not end like one.
func isPDF(head []byte, file io.ReaderAt, size int64) bool {
	at := bytes.Index(head[:min(len(head), pdfWithin)], []byte("\n%PDF-1."))
	switch {
	case at < 0 || file == nil:
		return at >= 0
	case !likeText(head):
		return true
	}
	tail := make([]byte, min(size, pdfWithin))
	n, _ := file.ReadAt(tail, size-int64(len(tail))) // what is not there ends nothing
	return bytes.Contains(tail[:n], []byte("%%EOF"))
}

// documentMIME returns the type of a document that consists of text; "" for any other text.
func documentMIME(start []byte, ext string) string {
	xml := bytes.HasPrefix(start, []byte("<?xml")) || bytes.HasPrefix(start, []byte("<?mso-application"))
	switch {
	case xml && bytes.Contains(start, []byte(`progid="Excel.Sheet"`)),
		xml && ext == ".xls" && bytes.Contains(start, []byte("urn:schemas-microsoft-com:office:spreadsheet")):
		return ExcelMIME // SpreadsheetML of Office 2003
	case xml && bytes.Contains(start, []byte("<office:document ")), xml && bytes.Contains(start, []byte("<office:document\n")):
		return flatMIME(start)
	case ext == ".xls" && likeSheet(start):
		return ExcelMIME
	}
	return ""
}

// likeSheet recognizes other formats that programs write as .xls: a table in HTML or
// MIME, and SYLK.
func likeSheet(start []byte) bool {
	return hasFold(start, "<html") || hasFold(start, "<!doctype html") || hasFold(start, "<table") || hasFold(start, "<meta") || hasFold(start, "<head") ||
		hasFold(start, "MIME-Version:") || bytes.HasPrefix(start, []byte("ID;P"))
}

// flatMIME returns the type of an OpenDocument file that is one XML document.
func flatMIME(start []byte) string {
	const family = "application/vnd.oasis.opendocument."
	_, after, _ := strings.Cut(string(start), `office:mimetype="`+family)
	switch {
	case strings.HasPrefix(after, "text"):
		return family + "text"
	case strings.HasPrefix(after, "spreadsheet"):
		return family + "spreadsheet"
	case strings.HasPrefix(after, "presentation"):
		return family + "presentation"
	}
	return ""
}
