package host

import "os"

// systemZone returns the variable TZ; "" if it is not set. One that is set to nothing is
// UTC.
func systemZone() string {
	if value, ok := os.LookupEnv("TZ"); ok && value == "" {
		return "UTC"
	}
	return os.Getenv("TZ")
}
