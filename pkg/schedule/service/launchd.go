package service

import (
	"encoding/xml"
	"path/filepath"
	"strings"
)

// launchd returns an agent of the person: launchd.plist(5).
func (s Spec) launchd() *Service {
	label := "dev.helve.cron." + s.ID
	file := filepath.Join(s.Home, "Library", "LaunchAgents", label+".plist")
	var b strings.Builder
	b.WriteString(xml.Header)
	b.WriteString(`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n")
	b.WriteString("<!-- " + Mark + " -->\n<plist version=\"1.0\">\n<dict>\n")
	key := func(name, value string) { b.WriteString("\t<key>" + name + "</key>\n\t" + value + "\n") }
	text := func(s string) string { return "<string>" + escaped(s) + "</string>" }
	key("Label", text(label))
	var list strings.Builder
	for _, word := range append([]string{s.Program}, s.Args...) {
		list.WriteString("\t\t" + text(word) + "\n")
	}
	key("ProgramArguments", "<array>\n"+list.String()+"\t</array>")
	var env strings.Builder
	for _, v := range s.Env {
		name, value, _ := strings.Cut(v, "=")
		env.WriteString("\t\t<key>" + escaped(name) + "</key>\n\t\t" + text(value) + "\n")
	}
	key("EnvironmentVariables", "<dict>\n"+env.String()+"\t</dict>")
	key("RunAtLoad", "<true/>")
	if s.Minutes {
		key("StartInterval", "<integer>60</integer>")
	} else {
		key("KeepAlive", "<true/>")
	}
	key("StandardErrorPath", text(filepath.Join(s.Files, "cron.log")))
	b.WriteString("</dict>\n</plist>\n")
	return &Service{
		Kind: Launchd, Name: label, Files: []File{{file, []byte(b.String())}},
		Enable:  []string{"launchctl bootstrap gui/$(id -u) " + shell(file)},
		Disable: []string{"launchctl bootout gui/$(id -u)/" + label},
	}
}

// escaped returns a text of XML.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder does not fail
	return b.String()
}
