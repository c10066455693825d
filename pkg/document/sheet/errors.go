package sheet

// ErrorName returns an error value as Excel shows it, by its code in Excel's binary files
// (MS-XLS 2.5.10, MS-XLSB 2.5.97.2).
func ErrorName(code byte) string {
	switch code {
	case 0x00:
		return "#NULL!"
	case 0x07:
		return "#DIV/0!"
	case 0x0F:
		return "#VALUE!"
	case 0x17:
		return "#REF!"
	case 0x1D:
		return "#NAME?"
	case 0x24:
		return "#NUM!"
	case 0x2B:
		return "#GETTING_DATA"
	}
	return "#N/A"
}
