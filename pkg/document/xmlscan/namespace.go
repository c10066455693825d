package xmlscan

import (
	"bytes"
	"slices"
	"strings"
)

// namespaces maps prefixes to namespaces.
type namespaces struct {
	bound    []binding
	elements map[string]*name // by the name as it is written
	attrs    map[string]*name
}

// binding is a declaration: until the element at depth ends, a prefix stands for a
// namespace, of which the usual prefix is kept.
type binding struct {
	prefix, usual string
	depth         int
}

func newNamespaces() namespaces {
	return namespaces{elements: map[string]*name{}, attrs: map[string]*name{}}
}

// declare notes a declaration: xmlns="URI" or xmlns:prefix="URI".
func (n *namespaces) declare(raw, uri []byte, depth int) {
	prefix := ""
	if len(raw) > len("xmlns") {
		if raw[len("xmlns")] != ':' {
			return
		}
		prefix = string(raw[len("xmlns:"):])
	}
	usual := usualPrefix(string(uri))
	if usual == unknown {
		usual = prefix
	}
	if n.resolve(prefix) == usual {
		return
	}
	n.bound = append(n.bound, binding{prefix, usual, depth})
	n.forget()
}

// leave ends the declarations of the element at a depth.
func (n *namespaces) leave(depth int) {
	if len(n.bound) == 0 || n.bound[len(n.bound)-1].depth < depth {
		return
	}
	for len(n.bound) > 0 && n.bound[len(n.bound)-1].depth >= depth {
		n.bound = n.bound[:len(n.bound)-1]
	}
	n.forget()
}

func (n *namespaces) forget() {
	clear(n.elements)
	clear(n.attrs)
}

// resolve returns the usual prefix of what a prefix stands for. One that nothing declares
// stands for itself.
func (n *namespaces) resolve(prefix string) string {
	for _, b := range slices.Backward(n.bound) {
		if b.prefix == prefix {
			return b.usual
		}
	}
	return prefix
}

// lookup returns the name that is written as raw.
func (n *namespaces) lookup(raw []byte, element bool) *name {
	known := n.attrs
	if element {
		known = n.elements
	}
	if found := known[string(raw)]; found != nil {
		return found
	}
	if len(known) >= maxNames {
		clear(known)
	}
	found := n.resolved(string(raw), element)
	known[found.raw] = found
	return found
}

func (n *namespaces) resolved(raw string, element bool) *name {
	r := &name{raw: raw, local: raw, isNamespace: raw == "xmlns" || strings.HasPrefix(raw, "xmlns:")}
	i := strings.IndexByte(raw, ':')
	switch {
	case i >= 0:
		r.space, r.local = n.resolve(raw[:i]), raw[i+1:]
	case element:
		r.space = n.resolve("") // attributes without a prefix are in no namespace
	}
	r.full = r.local
	if r.space != "" {
		r.full = r.space + ":" + r.local
	}
	return r
}

// unknown is the result of usualPrefix for namespaces that it does not know.
const unknown = "\x00"

// usualPrefix returns the prefix that specifications use for a namespace.
func usualPrefix(uri string) string {
	for _, family := range [...]string{"http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"} {
		if rest, ok := strings.CutPrefix(uri, family); ok {
			return officePrefix(strings.Replace(rest, "/2006/", "/", 1))
		}
	}
	if rest, ok := strings.CutPrefix(uri, "urn:oasis:names:tc:opendocument:xmlns:"); ok {
		rest, _, _ = strings.Cut(rest, ":")
		return openDocumentPrefix(rest)
	}
	if rest, ok := strings.CutPrefix(uri, "http://openoffice.org/2000/"); ok { // before OpenDocument
		return openDocumentPrefix(rest)
	}
	switch uri {
	case "":
		return ""
	case "http://schemas.microsoft.com/office/word/2010/wordml":
		return "w14"
	case "http://schemas.microsoft.com/office/word/2012/wordml":
		return "w15"
	case "http://schemas.microsoft.com/office/word/2010/wordprocessingShape":
		return "wps"
	case "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup":
		return "wpg"
	case "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas":
		return "wpc"
	case "http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing":
		return "wp14"
	case "http://schemas.microsoft.com/office/word/2003/wordml":
		return "w"
	case "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main":
		return "x14"
	case "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments":
		return "xltc"
	case "http://schemas.microsoft.com/office/spreadsheetml/2017/richdata":
		return "xlrd"
	case "http://schemas.microsoft.com/office/spreadsheetml/2022/richvaluerel":
		return "xlrvrel"
	case "http://www.wps.cn/officeDocument/2017/etCustomData":
		return "etc"
	case "http://schemas.microsoft.com/office/drawing/2010/main":
		return "a14"
	case "http://schemas.microsoft.com/office/drawing/2016/SVG/main":
		return "asvg"
	case "http://schemas.microsoft.com/office/drawing/2014/chartex":
		return "cx"
	case "http://schemas.microsoft.com/office/drawing/2008/diagram":
		return "dsp"
	case "http://schemas.microsoft.com/office/powerpoint/2010/main":
		return "p14"
	case "urn:schemas-microsoft-com:vml":
		return "v"
	case "urn:schemas-microsoft-com:office:office":
		return "o"
	case "urn:schemas-microsoft-com:office:excel":
		return "xv"
	case "urn:schemas-microsoft-com:office:spreadsheet":
		return "ss"
	case "urn:schemas-microsoft-com:office:word":
		return "w10"
	case "http://purl.org/dc/elements/1.1/":
		return "dc"
	case "http://purl.org/dc/terms/":
		return "dcterms"
	case "http://www.w3.org/1999/xlink":
		return "xlink"
	case "http://www.w3.org/1998/Math/MathML":
		return "math"
	case "http://www.w3.org/2000/svg":
		return "svg"
	case "http://www.w3.org/1999/xhtml":
		return "html"
	case "http://www.w3.org/2002/xforms":
		return "xforms"
	case "http://www.w3.org/XML/1998/namespace":
		return "xml"
	case "http://www.idpf.org/2007/opf":
		return "opf"
	case "http://www.idpf.org/2007/ops":
		return "epub"
	case "http://www.daisy.org/z3986/2005/ncx/":
		return "ncx"
	case "http://www.w3.org/1999/02/22-rdf-syntax-ns#":
		return "rdf"
	}
	return unknown
}

// officePrefix returns the prefix of a namespace of Office Open XML (ECMA-376), without
// its year, which the strict ones leave out.
func officePrefix(uri string) string {
	switch uri {
	case "wordprocessingml/main":
		return "w"
	case "spreadsheetml/main":
		return "x"
	case "presentationml/main":
		return "p"
	case "drawingml/main":
		return "a"
	case "drawingml/chart":
		return "c"
	case "drawingml/chartDrawing":
		return "cdr"
	case "drawingml/diagram":
		return "dgm"
	case "drawingml/picture":
		return "pic"
	case "drawingml/lockedCanvas":
		return "lc"
	case "drawingml/spreadsheetDrawing":
		return "xdr"
	case "drawingml/wordprocessingDrawing":
		return "wp"
	case "officeDocument/relationships":
		return "r"
	case "officeDocument/math":
		return "m"
	case "officeDocument/extended-properties", "officeDocument/extendedProperties":
		return "ep"
	case "officeDocument/custom-properties", "officeDocument/customProperties":
		return "custom"
	case "officeDocument/docPropsVTypes":
		return "vt"
	case "package/relationships":
		return "rel"
	case "package/content-types":
		return "ct"
	case "package/metadata/core-properties":
		return "cp"
	case "markup-compatibility":
		return "mc"
	}
	return unknown
}

// openDocumentPrefix returns the prefix of a namespace of OpenDocument by the word that
// is unique in it.
func openDocumentPrefix(word string) string {
	switch word {
	case "office", "style", "text", "table", "meta", "manifest", "form", "script", "config", "presentation", "chart", "dr3d":
		return word
	case "drawing":
		return "draw"
	case "datastyle":
		return "number"
	case "xsl-fo-compatible":
		return "fo"
	case "svg-compatible":
		return "svg"
	case "animation":
		return "anim"
	}
	return unknown
}

// declaredEncoding returns the encoding that the declaration of a document names, in
// lower case; "" if there is none.
func declaredEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	end := bytes.Index(head, []byte("?>"))
	at := bytes.Index(head, []byte("encoding"))
	if at < 0 || end < at {
		return ""
	}
	rest := bytes.TrimLeft(head[at+len("encoding"):end], " \t\r\n=")
	if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	i := bytes.IndexByte(rest[1:], rest[0])
	if i < 0 {
		return ""
	}
	return strings.ToLower(string(rest[1 : 1+i]))
}
