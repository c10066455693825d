package page

import (
	"encoding/xml"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/extract"
)

// maxAddresses limits the addresses shown of a list to the most that a sitemap may have.
const maxAddresses = 50_000

// readList makes a document of a sitemap, an index of sitemaps (sitemaps.org) or a list of
// feeds (OPML): an item for each address. ok is false for other XML.
func readList(s Source, o Options) (d *Document, ok bool) {
	if o.Format == HTML {
		return nil, false
	}
	x := xml.NewDecoder(strings.NewReader(strings.ToValidUTF8(s.Text[:min(len(s.Text), extract.MaxText)], "")))
	x.Strict, x.Entity, x.CharsetReader = false, xml.HTMLEntity, same
	d = &Document{Format: o.Format, Extractor: ByFeed}
	var b, value strings.Builder
	var item [2]string // the address and the date
	depth, count, root := 0, 0, ""
	write := func(parts []string, between string) {
		line := strings.Join(strings.Fields(strings.Join(parts, between)), " ")
		if count < maxAddresses && line != "" {
			b.WriteString("- " + line + "\n")
		}
		count++
	}
	for {
		token, err := x.Token()
		if err != nil { // the end, or what came of a broken one
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			name := t.Name.Local
			if depth == 0 {
				if root = name; root != "urlset" && root != "sitemapindex" && root != "opml" {
					return nil, false
				}
			}
			if depth++; depth > maxNesting {
				return nil, false
			}
			value.Reset()
			if root == "opml" && name == "outline" {
				var of [3]string
				for _, a := range t.Attr {
					switch a.Name.Local {
					case "text", "title":
						of[0] = a.Value
					case "xmlUrl":
						of[1] = a.Value
					case "htmlUrl", "url":
						of[2] = a.Value
					}
				}
				parts := []string{of[0]}
				if of[1] != "" || of[2] != "" {
					address := of[1]
					if address == "" {
						address = of[2]
					}
					parts = append(parts, address)
				}
				write(parts, ": ")
			}
		case xml.EndElement:
			depth--
			switch text := strings.TrimSpace(value.String()); t.Name.Local {
			case "loc":
				if depth == 2 && t.Name.Space != "http://www.google.com/schemas/sitemap-image/1.1" {
					item[0] = text
				}
			case "lastmod":
				item[1] = text
			case "url", "sitemap":
				parts := item[:1]
				if item[1] != "" {
					parts = item[:]
				}
				if item[0] != "" {
					write(parts, " · ")
				}
				item = [2]string{}
			case "title":
				if root == "opml" && d.Title == "" {
					d.Title = strings.Join(strings.Fields(text), " ")
				}
			}
			value.Reset()
		case xml.CharData:
			value.Write(t)
		}
	}
	if root == "" {
		return nil, false
	}
	if count > maxAddresses {
		d.Warnings = append(d.Warnings, fault.T("the list has more than %d addresses; only these are shown", maxAddresses))
	}
	d.Content = b.String()
	return d, true
}
