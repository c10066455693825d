// Package read is the tool that shows what is at a path: text, a directory, a
// notebook, an image. It changes nothing.
package read

import (
	"context"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/document/archive"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/outline"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments.
type Args struct {
	Path      string   `json:"path,omitzero" doc:"File or directory, relative to the workspace root; a glob such as src/*.go reads several." path:"read" min:"1" alias:"file_path,filePath,filename,file"`
	Paths     []string `json:"paths,omitzero" doc:"Several files or globs, instead of path." min:"1" max:"1000" alias:"file_paths,files"`
	Offset    int      `json:"offset,omitzero" doc:"First line, from 1; -60 is the last 60 lines." default:"1" alias:"start_line"`
	Limit     int      `json:"limit,omitzero" doc:"Maximum number of lines." default:"2000" min:"1" max:"1000000"`
	Numbered  bool     `json:"numbered,omitzero" doc:"Put its number before each line, as in '12|'; it is not part of the file." alias:"line_numbers"`
	Fold      bool     `json:"fold,omitzero" doc:"Of lines that are alike, as in a log, show the first and the last, and count the others. Lines that look like failures stay." unlisted:"true"`
	Encoding  string   `json:"encoding,omitzero" doc:"Encoding of the file, such as gbk, if it is not detected." unlisted:"true"`
	Range     string   `json:"range,omitzero" doc:"Lines, instead of offset and limit: '5-16,90-120'. '7:2001-4000' is characters of line 7. In a workbook, cells: 'B2:F40', 'Sales!B:D'." alias:"ranges,cell_range"`
	Sheet     string   `json:"sheet,omitzero" doc:"Sheet of a workbook, by name or number." alias:"sheet_name,worksheet"`
	Pages     string   `json:"pages,omitzero" doc:"Pages or slides: '1-5,9'." alias:"page_range,slides"`
	Outline   bool     `json:"outline,omitzero" doc:"Return definitions or headings with their lines, and no content."`
	Symbol    string   `json:"symbol,omitzero" doc:"Return only this definition or heading, such as 'Server.Run'."`
	Member    string   `json:"member,omitzero" doc:"Member of an archive to read, such as 'src/main.go'. Without it an archive is listed." unlisted:"true"`
	Values    string   `json:"values,omitzero" doc:"Show cells as auto (dates as 2024-03-01), display (as Excel), raw or formula." enum:"auto,display,raw,formula" default:"auto"`
	Images    string   `json:"images,omitzero" doc:"Images of a document: save them as files, list them or leave them out." enum:"save,list,none" default:"save" unlisted:"true"`
	Changes   string   `json:"track_changes,omitzero" doc:"Tracked changes of a document: accept, reject, or all, marked with <ins> and <del>." enum:"accept,reject,all" default:"accept" unlisted:"true"`
	Password  string   `json:"password,omitzero" doc:"Password of an encrypted document." unlisted:"true"`
	Whole     bool     `json:"whole,omitzero" doc:"Fail with too_large instead of returning a part." unlisted:"true"`
	FileOnly  bool     `json:"file_only,omitzero" doc:"Fail with is_directory for a directory." unlisted:"true"`
	MaxBytes  int      `json:"max_bytes,omitzero" doc:"Maximum number of bytes of content, of all files together." default:"49152" min:"1" max:"16777216" unlisted:"true"`
	MaxTokens int      `json:"max_tokens,omitzero" doc:"Maximum number of tokens of content, estimated, of all files together." min:"1" max:"10000000" unlisted:"true"`
}

// Result is the content at a path. Which parts it has depends on the kind.
type Result struct {
	Path     string     `json:"path,omitzero"`
	Kind     kind.Class `json:"kind"` // text, directory, document, notebook or image; files for several
	MIME     string     `json:"mime,omitzero"`
	Language string     `json:"language,omitzero"` // Linguist's name
	// Member is the archive member that was read.
	Member   string    `json:"member,omitzero"`
	Document *Document `json:"document,omitzero"`
	*Content
	Truncated  bool   `json:"truncated"`
	NextOffset int    `json:"next_offset,omitzero"`
	NextRange  string `json:"next_range,omitzero"` // where one offset does not say what is left
	// NextPages are the pages that another call goes on with, as this one took as much work
	// as a call may.
	NextPages string         `json:"next_pages,omitzero"`
	LinesCut  []text.CutLine `json:"lines_cut,omitzero"`
	// Folded counts the lines that are left out because they are like those shown.
	Folded    int             `json:"folded,omitzero"`
	Recommend []outline.Range `json:"recommend,omitzero"`
	// Outline are the definitions, if they were asked for; Symbol is the one that the
	// content is.
	Outline *[]outline.Definition `json:"outline,omitempty"`
	Symbol  string                `json:"symbol,omitzero"`
	*Listing
	Media []Media `json:"media,omitzero"`

	Files []File `json:"files,omitzero"` // of several
	// NextPaths are the files that were left for another call; NextTotal counts all of
	// them if there are more.
	NextPaths []string `json:"next_paths,omitzero"`
	NextTotal int      `json:"next_total,omitzero"`

	pictures []tool.Picture // for the model to see
	among    bool           // it is one of several
	listed   string         // the outline in its text form
}

// Content is the requested part of a text, and the properties of all of it.
type Content struct {
	Encoding     string      `json:"encoding"`
	BOM          bool        `json:"bom"`
	EOL          string      `json:"eol"` // lf, crlf, cr, mixed or none
	FinalNewline bool        `json:"final_newline"`
	Indent       text.Indent `json:"indent"`
	Bytes        int64       `json:"bytes"`
	// SHA and TotalLines are left out of a file of which only a part was read. Lines that
	// were counted from its end then have negative numbers.
	SHA        string `json:"sha,omitzero"`
	TotalLines *int   `json:"total_lines,omitempty"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	// Content is the text as it is in the file, line endings included, with a line of
	// "--" between ranges.
	Content string `json:"content"`
}

// Media is an image.
type Media struct {
	Path   string `json:"path,omitzero"` // "" if it was not saved
	MIME   string `json:"mime"`
	Bytes  int64  `json:"bytes"`
	Width  int    `json:"width,omitzero"`  // pixels
	Height int    `json:"height,omitzero"` // pixels
	Alt    string `json:"alt,omitzero"`
	Anchor string `json:"anchor,omitzero"` // where in a document: "Sheet1!C7", "slide 3", "page 4"
}

// Tool reads.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "read", Title: "Read files",
	Risk: policy.Read,
	Doc: "Read a file, several files or a directory. Documents (Excel, Word, PDF) become Markdown. While truncated is true, call again with " +
		"offset=next_offset. Of a large file, first list the definitions with outline=true and read one with symbol. To find files use find; to " +
		"search in them use grep. Calls that do not depend on one another can be made together.",
	DefaultArg: "path",
	OneOf:      []string{"path", "paths"},
	Examples: []tool.Example{
		{Doc: "from the start", Args: `{"path":"main.go"}`},
		{Doc: "the last 40 lines, numbered", Args: `{"path":"build.log","offset":-40,"numbered":true}`},
		{Doc: "several files", Args: `{"paths":["go.mod","src/**/*.go"]}`},
		{Doc: "cells of a spreadsheet", Args: `{"path":"budget.xlsx","range":"Sales!A1:F40"}`},
		{Doc: "two ranges of lines", Args: `{"path":"main.go","range":"1-20,200-240"}`},
	},
	Paths: targets,
	Run:   run,
	Text:  render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	c, err := choose(ctx, call, a)
	if err != nil {
		return Result{}, err
	}
	var r Result
	if c.several {
		r, err = several(ctx, call, a, c)
	} else {
		r, err = one(ctx, call, a, maxEntries)
	}
	if err == nil && a.Whole && r.Truncated {
		return Result{}, fault.New(fault.TooLarge, fault.T("%s has more than %d lines or %d bytes", a.Path, a.Limit, a.MaxBytes)).
			WithHint(fault.T("read a part of it")).WithDetails(map[string]int{"bytes": a.MaxBytes})
	}
	return r, err
}

// one reads what is at a.Path; of a directory, so many entries.
func one(ctx context.Context, call *tool.Call, a Args, entries int) (Result, error) {
	root, path, err := call.Confined(a.Path)
	if err != nil {
		return Result{}, err
	}
	f, err := root.Open(path)
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	if info.IsDir() {
		if a.FileOnly {
			return Result{}, fault.New(fault.IsDirectory, fault.T("%s is a directory", a.Path)).WithHint(fault.T("ls lists it"))
		}
		if err := errors.Join(checkOutline(&a, false), checkUses(&a, "a directory", ^useFold)); err != nil {
			return Result{}, err
		}
		return directory(ctx, call, a, entries)
	}
	head := make([]byte, text.HeadBytes)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, fault.System(err, a.Path)
	}
	k := kind.Of(head[:n], a.Path, f, info.Size())
	r := Result{Path: a.Path, Kind: k.Class, MIME: k.MIME}
	switch {
	case archive.Reads(k.MIME) && (a.Encoding == "" || a.Member != ""):
		return archived(ctx, call, f, info.Size(), r, a)
	case k.Class == kind.Document && open.Reads(k.MIME) && a.Encoding == "", asCells(&a, k):
		r, err = converted(ctx, call, f, info.Size(), r, a)
		if err == nil && textfile.Changeable(r.MIME) {
			err = r.recordDocument(call, f, info.Size(), a.Path)
		}
		return r, err
	}
	if err := checkUses(&a, k.MIME, plainUses(k)); err != nil {
		return Result{}, err
	}
	if err := checkOutline(&a, k.Class == kind.Text || a.Encoding != ""); err != nil {
		return Result{}, err
	}
	switch {
	case k.Class == kind.Image:
		r.Media = []Media{imageOf(f, info.Size(), a.Path, k.MIME)}
		if err := r.show(call, f, info.Size(), a.Path, k.MIME); err != nil {
			call.Warn(fault.T("the image is not shown: %s", fault.As(err).Message))
		}
		return r, nil
	case k.Class == kind.Notebook && a.Encoding == "":
		return cells(ctx, call, f, info.Size(), r, a)
	case k.Class == kind.Text, k.Class == kind.Notebook, a.Encoding != "":
		r.Kind = kind.Text
		switch {
		case a.Fold:
			return folded(ctx, call, f, info.Size(), head[:n], r, a)
		case a.Outline:
			return definitions(ctx, f, info.Size(), head[:n], r, a)
		case a.Symbol != "":
			return symbol(ctx, call, f, info.Size(), head[:n], r, a)
		}
		return page(ctx, call, f, info.Size(), head[:n], r, a)
	}
	return Result{}, unreadable(k, info.Size(), a.Path)
}

func imageOf(f io.ReaderAt, size int64, path, mime string) Media {
	m := Media{Path: path, MIME: mime, Bytes: size}
	m.Width, m.Height, _ = kind.ImageSize(mime, f)
	return m
}

// unreadable returns the fault for content that cannot be shown as text.
func unreadable(k kind.Kind, size int64, path string) error {
	details := map[string]any{"mime": k.MIME, "bytes": size}
	if k.Class == kind.Document {
		return fault.New(fault.UnsupportedContent, fault.T("%s is a document of a type that cannot be read yet: %s", path, k.MIME)).
			WithHint(open.Converting(k.MIME)).
			WithDetails(details)
	}
	return fault.New(fault.BinaryFile, fault.T("%s is binary (%s, %d bytes)", path, k.MIME, size)).
		WithHint(reader(k.MIME)).WithDetails(details)
}

// reader says what reads content of a type that has no text.
func reader(mime string) fault.Text {
	var program string
	switch mime {
	case "application/x-xz":
		program = "xz -dk"
	case "application/zstd":
		program = "zstd -dk"
	case "application/x-7z-compressed", "application/vnd.rar":
		program = "7z x"
	case "image/emf", "image/wmf":
		return open.Converting(mime)
	default:
		return fault.T("use a program that knows the format; if it is text, pass its encoding")
	}
	return fault.T("unpack it with exec: %s, then read what is in it", program)
}
