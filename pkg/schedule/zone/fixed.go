package zone

import (
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Remark returns what somebody may not know who named a zone: that it keeps one offset
// though its place changes its clock, or that its sign is the other way round. It is empty
// where there is nothing to say.
func Remark(zone *time.Location) fault.Text {
	name := zone.String()
	// Two abbreviations of winter time are names of the database, for zones without a summer
	// time: since 2024b links to Panama and Phoenix.
	switch name {
	case "EST":
		return fault.T("%s is UTC%s all year, without summer time; %s has it", name, "-05:00", "America/New_York")
	case "MST":
		return fault.T("%s is UTC%s all year, without summer time; %s has it", name, "-07:00", "America/Denver")
	}
	// POSIX counts to the west, and Etc with it.
	if hours, ok := strings.CutPrefix(name, "Etc/GMT"); ok && strings.Trim(hours, "+-0") != "" {
		return fault.T("%s is UTC%s: the sign in its name is reversed", name, time.Time{}.In(zone).Format("-07:00"))
	}
	return fault.Text{}
}
