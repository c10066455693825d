// Command excelize prints the rows of a spreadsheet by the library of that name, to be
// compared with: excelize FILE ROWS, where 0 is all.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path, most string) error {
	limit, err := strconv.Atoi(most)
	if err != nil {
		return err
	}
	book, err := excelize.OpenFile(path)
	if err != nil {
		return err
	}
	defer book.Close()
	out := bufio.NewWriter(os.Stdout)
	for _, sheet := range book.GetSheetList() {
		rows, err := book.Rows(sheet)
		if err != nil {
			return err
		}
		for n := 0; rows.Next() && (limit == 0 || n < limit); n++ {
			cells, err := rows.Columns()
			if err != nil {
				return err
			}
			fmt.Fprintln(out, strings.Join(cells, "\t"))
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return out.Flush()
}
