package epub

import (
	"net/url"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// Limits of a package document.
const (
	maxItems = zipped.PackageEntries
	maxValue = 1_000 // bytes of a title or name
)

// elements calls each for every element of a part. It returns the error of reading the part.
func (d *Document) elements(part string, each func(s *xmlscan.Scanner, name string)) error {
	file, err := d.parts.Open(part)
	if err != nil {
		return err
	}
	defer file.Close()
	s := xmlscan.New(file)
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind == xmlscan.Start {
			each(s, s.Local())
		}
	}
	return s.Err()
}

// findPackage returns the part of the package document: the one that the container names
// (EPUB 3.3, 4.2.6.3.1), else the first that looks like one. It is "" if there is none.
func (d *Document) findPackage() (opf string) {
	err := d.elements("META-INF/container.xml", func(s *xmlscan.Scanner, name string) {
		if name == "rootfile" && opf == "" {
			opf = d.resolve("", s.String("full-path"))
		}
	})
	if opf != "" && d.parts.Has(opf) && (err == nil || !fault.Is(err, fault.NotFound)) {
		return opf
	}
	for _, name := range d.parts.Names() {
		if strings.EqualFold(path.Ext(name), ".opf") {
			return name
		}
	}
	return ""
}

// readPackage reads the package document (EPUB 3.3, 5): the title of the book, its files
// and their reading order.
func (d *Document) readPackage(opf string) error {
	dir := path.Dir(opf)
	byID := map[string]int{}
	ncx, authors := "", ""
	err := d.elements(opf, func(s *xmlscan.Scanner, name string) {
		switch name {
		case "title":
			if text := value(s); d.info.Title == "" {
				d.info.Title = text
			}
		case "creator":
			switch text := value(s); {
			case text == "" || len(authors) > maxValue:
			case authors == "":
				authors = text
			default:
				authors += ", " + text
			}
		case "item":
			it := item{id: s.String("id"), part: d.resolve(dir, s.String("href")), mime: strings.ToLower(s.String("media-type")), properties: s.String("properties")}
			if _, known := byID[it.id]; known || len(d.items) == maxItems {
				return
			}
			byID[it.id] = len(d.items)
			d.items = append(d.items, it)
			if has(it.properties, "nav") && d.nav == "" {
				d.nav = it.part
			}
			if it.mime == "application/x-dtbncx+xml" && d.ncx == "" {
				d.ncx = it.part
			}
		case "spine":
			ncx = s.String("toc")
		case "itemref":
			if i, ok := byID[s.String("idref")]; ok && len(d.spine) < maxItems {
				d.spine = append(d.spine, i)
			}
		}
	})
	if err != nil && !fault.Is(err, fault.BadDocument) {
		return err
	}
	d.err = err
	d.info.Author = authors
	if i, ok := byID[ncx]; ok {
		d.ncx = d.items[i].part
	}
	d.spine = once(d.spine)
	if len(d.spine) > 0 {
		return nil
	}
	for i, it := range d.items { // there is no spine
		if isPage(it) {
			d.spine = append(d.spine, i)
		}
	}
	if len(d.spine) > 0 || d.err == nil {
		return nil
	}
	for _, name := range d.parts.Names() { // the manifest is damaged
		if it := (item{part: name}); isPage(it) && !strings.EqualFold(path.Ext(name), ".xml") {
			d.spine = append(d.spine, len(d.items))
			d.items = append(d.items, it)
		}
	}
	return nil
}

// once returns numbers without those that came before: a chapter is read once.
func once(all []int) []int {
	seen := map[int]bool{}
	var kept []int
	for _, i := range all {
		if !seen[i] {
			seen[i] = true
			kept = append(kept, i)
		}
	}
	return kept
}

// isPage reports whether an item is a page of text.
func isPage(it item) bool {
	switch it.mime {
	case "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "application/html+xml":
		return true
	case "", "application/xml", "text/xml", "application/octet-stream", "text/plain":
		ext := strings.ToLower(path.Ext(it.part))
		return ext == ".xhtml" || ext == ".html" || ext == ".htm" || ext == ".xht" || ext == ".xml"
	}
	return false
}

func value(s *xmlscan.Scanner) string {
	return strings.Join(strings.Fields(string(s.All(maxValue))), " ")
}

// has reports whether a list of words has one.
func has(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// resolve returns the part that an address names, seen from a directory; "" if it is not
// in the book. Some programs do not escape what they write.
func (d *Document) resolve(dir, address string) string {
	address = strings.ReplaceAll(strings.TrimSpace(address), `\`, "/")
	if i := strings.IndexByte(address, '#'); i >= 0 {
		address = address[:i]
	}
	if address == "" || external(address) {
		return ""
	}
	absolute := func(address string) string {
		if !strings.HasPrefix(address, "/") {
			address = "/" + dir + "/" + address
		}
		return strings.TrimPrefix(path.Clean(address), "/")
	}
	if plain, err := url.PathUnescape(address); err == nil {
		if part := absolute(plain); d.parts.Has(part) || !d.parts.Has(absolute(address)) {
			return part
		}
	}
	return absolute(address)
}

// external reports whether an address leads out of the book: it has a scheme.
func external(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/?#. ") || strings.HasPrefix(address, "//")
}

// fragment returns the fragment of an address: an element within a part.
func fragment(address string) string {
	_, f, _ := strings.Cut(address, "#")
	if plain, err := url.PathUnescape(f); err == nil {
		return plain
	}
	return f
}

// readEncryption reads the list of encrypted files (EPUB 3.3, 4.2.6.3.2). Fonts that are only
// obfuscated do not matter. The fault is encrypted_document if chapters cannot be read.
func (d *Document) readEncryption() error {
	const part = "META-INF/encryption.xml"
	if !d.parts.Has(part) {
		return nil
	}
	encrypted := map[string]bool{}
	obfuscated := false
	if err := d.elements(part, func(s *xmlscan.Scanner, name string) {
		switch name {
		case "EncryptedData":
			obfuscated = false
		case "EncryptionMethod":
			switch s.String("Algorithm") {
			case "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC":
				obfuscated = true
			}
		case "CipherReference":
			if !obfuscated && len(encrypted) < maxItems {
				encrypted[strings.ToLower(d.resolve("", s.String("URI")))] = true
			}
		}
	}); err != nil && !fault.Is(err, fault.BadDocument) {
		return err
	}
	for i := range d.items {
		d.items[i].encrypted = encrypted[strings.ToLower(d.items[i].part)]
	}
	for _, i := range d.spine {
		if d.items[i].encrypted {
			return fault.New(fault.EncryptedDocument, fault.T("the e-book is protected: its chapters are encrypted")).
				WithHint(fault.T("ask for a copy without protection"))
		}
	}
	return nil
}
