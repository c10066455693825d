package service

import (
	"fmt"
	"path/filepath"
	"strings"
)

// systemd returns units of the person's own manager: systemd.service(5),
// systemd.timer(5). Lingering keeps that manager running without a login.
func (s Spec) systemd() *Service {
	name := "helve-cron-" + s.ID
	dir := filepath.Join(s.Config, "systemd", "user")
	unit := name + ".service"
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n[Unit]\nDescription=%s\n\n[Service]\n", Mark, specifiers(s.What))
	words, rest := []string{quoted(s.Program)}, s.Args
	if strings.ContainsAny(s.Program, `"'\`) { // systemd takes no such name of a program
		words, rest = []string{"/usr/bin/env"}, append([]string{s.Program}, rest...)
	}
	for _, word := range rest { // in the name of the program, $ begins no variable
		words = append(words, strings.ReplaceAll(quoted(word), "$", "$$"))
	}
	fmt.Fprintf(&b, "ExecStart=%s\n", strings.Join(words, " "))
	for _, v := range s.Env {
		fmt.Fprintf(&b, "Environment=%s\n", quoted(v))
	}
	out := &Service{Kind: Systemd, Name: unit}
	reload := "systemctl --user daemon-reload"
	switch {
	case s.Minutes:
		b.WriteString("Type=oneshot\n")
		out.Name = name + ".timer"
		out.Files = append(out.Files, File{filepath.Join(dir, out.Name), fmt.Appendf(nil,
			"# %s\n[Unit]\nDescription=%s\n\n[Timer]\nOnCalendar=minutely\nAccuracySec=1s\nPersistent=true\nUnit=%s\n\n[Install]\nWantedBy=timers.target\n",
			Mark, specifiers(s.What), unit)})
	default:
		b.WriteString("Restart=always\nRestartSec=5\n\n[Install]\nWantedBy=default.target\n")
	}
	out.Files = append([]File{{filepath.Join(dir, unit), []byte(b.String())}}, out.Files...)
	out.Enable = []string{reload, "systemctl --user enable --now " + out.Name, "loginctl enable-linger"}
	out.Disable = []string{"systemctl --user disable --now " + out.Name, reload}
	return out
}

// quoted quotes a word after "Quoting" in systemd.syntax(7).
func quoted(word string) string {
	return `"` + specifiers(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word)) + `"`
}

// specifiers keeps % from beginning a specifier; see systemd.unit(5).
func specifiers(text string) string { return strings.ReplaceAll(text, "%", "%%") }
