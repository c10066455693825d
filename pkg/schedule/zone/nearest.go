package zone

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault/similar"
)

// nearest returns up to three IANA names that are most likely meant by a name that is
// none: of an abbreviation, a city or a country that has none of its own, or of a
// misspelled name.
func nearest(name string) []string {
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	if name == "" || len(name) > 64 {
		return nil
	}
	if known := common(strings.ToLower(name)); known != "" {
		return strings.Fields(known)
	}
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	folded, city := strings.ToLower(name), strings.ToLower(path.Base(name))
	for known := range strings.Lines(names) {
		known = strings.TrimSuffix(known, "\n")
		lower := strings.ToLower(known)
		most := len(folded) / 4
		if d, ok := similar.Within(folded, lower, most); ok {
			near = append(near, candidate{known, d})
			continue
		}
		// Whoever got the area wrong meant the city.
		if base := path.Base(lower); strings.Contains(lower, "/") && !strings.HasPrefix(lower, "etc/") {
			if d, ok := similar.Within(city, base, len(city)/5); ok {
				near = append(near, candidate{known, most + 1 + d})
			}
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var out []string
	for _, c := range near[:min(len(near), 3)] {
		if c.distance > near[0].distance+1 {
			break
		}
		out = append(out, c.name)
	}
	return out
}

// common returns the zones that are meant by usual names that are none, in lower case.
func common(name string) string {
	switch name {
	case "pst", "pdt", "pt", "pacific", "san_francisco", "seattle", "silicon_valley", "america/san_francisco":
		return "America/Los_Angeles"
	case "mdt", "mt", "mountain":
		return "America/Denver"
	case "cst":
		return "America/Chicago Asia/Shanghai"
	case "cdt", "ct", "central", "houston", "dallas", "america/houston", "america/dallas":
		return "America/Chicago"
	case "edt", "et", "eastern", "nyc", "boston", "washington", "miami", "america/boston", "america/washington":
		return "America/New_York"
	case "bst", "uk", "britain", "england":
		return "Europe/London"
	case "cest", "mesz", "mez", "germany", "deutschland", "munich", "hamburg", "frankfurt", "cologne", "europe/munich", "europe/frankfurt":
		return "Europe/Berlin"
	case "eest":
		return "Europe/Helsinki Europe/Athens Europe/Kyiv"
	case "msk", "russia":
		return "Europe/Moscow"
	case "ist":
		return "Asia/Kolkata Europe/Dublin Asia/Jerusalem"
	case "india", "delhi", "new_delhi", "mumbai", "bangalore", "bengaluru", "asia/mumbai", "asia/delhi", "asia/bangalore":
		return "Asia/Kolkata"
	case "jst", "东京", "日本":
		return "Asia/Tokyo"
	case "kst", "韩国", "首尔":
		return "Asia/Seoul"
	case "sgt", "新加坡":
		return "Asia/Singapore"
	case "hkt", "香港":
		return "Asia/Hong_Kong"
	case "台北", "台湾":
		return "Asia/Taipei"
	case "aest", "aedt":
		return "Australia/Sydney"
	case "nzst", "nzdt":
		return "Pacific/Auckland"
	case "beijing", "peking", "shenzhen", "guangzhou", "hangzhou", "china", "asia/beijing", "asia/shenzhen", "asia/peking",
		"北京", "北京时间", "上海", "中国", "深圳", "广州", "杭州":
		return "Asia/Shanghai"
	case "纽约":
		return "America/New_York"
	case "伦敦":
		return "Europe/London"
	case "brt":
		return "America/Sao_Paulo"
	case "z", "utc0":
		return "UTC"
	}
	return ""
}
