package pptx

import "github.com/helve-dev/helve/pkg/document/xmlscan"

// graphic reads the content of a p:graphicFrame: a table, a chart, SmartArt or an object
// of another program, with the picture that shows it.
func (r *slideReader) graphic(s *xmlscan.Scanner, sh *shape) {
	for name := range s.Descendants {
		switch name {
		case "a:tbl":
			sh.rows = r.table(s)
		case "c:chart", "cx:chart":
			sh.chart = s.String("r:id")
		case "dgm:relIds":
			sh.diagram = s.String("r:dm")
		case "p:oleObj": // twice, as the picture is in what stands in for it
			sh.object = "object"
			if name := oneLine(s.String("progId")); name != "" {
				sh.object += " " + name
			}
			if name := oneLine(s.String("name")); name != "" {
				sh.name = name
			}
		case "p:blipFill":
			if id := readBlip(s); sh.picture == "" {
				sh.picture = id
			}
		}
	}
}

// table reads an a:tbl (21.1.3.13). The value of cells that were merged is in the first
// of them; the others are empty.
func (r *slideReader) table(s *xmlscan.Scanner) (rows [][]string) {
	for name := range s.Children {
		if name != "a:tr" {
			continue
		}
		row := []string{}
		for name := range s.Children {
			if name != "a:tc" {
				continue
			}
			if r.cells++; r.cells > maxCells {
				r.slide.cut = true
				continue
			}
			covered := s.Bool("hMerge", false) || s.Bool("vMerge", false)
			text := ""
			for name := range s.Children {
				if name == "a:txBody" && !covered {
					text = r.plain(s)
				}
			}
			row = append(row, text)
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
