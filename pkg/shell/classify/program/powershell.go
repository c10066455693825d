package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// cmdlets returns the commands of PowerShell itself, with their aliases.
func cmdlets() []Row {
	return []Row{
		{
			names: "get-childitem gci ls dir get-content gc cat type select-string sls get-item gi get-itemproperty gp get-itempropertyvalue gpv test-path " +
				"resolve-path rvpa convert-path cvpa get-filehash get-acl import-csv ipcsv format-hex fhx select-xml split-path join-path",
			builtin: true, judge: readsCmdlet,
		},
		{
			names: "get-location gl pwd measure-object measure sort-object sort select-object select group-object group get-unique gu compare-object compare diff " +
				"format-table ft format-list fl format-wide fw format-custom fc out-string oss out-host oh out-default out-null write-output echo write write-host " +
				"write-error write-warning write-verbose write-information write-debug convertto-json convertfrom-json convertto-csv convertfrom-csv convertto-html convertto-xml " +
				"get-date get-process gps ps get-service gsv get-command gcm get-help help man get-alias gal get-member gm get-variable gv get-psdrive gdr " +
				"get-psprovider get-history h ghy history get-host get-culture get-uiculture get-random get-timezone get-executionpolicy get-module gmo get-verb " +
				"get-error get-uptime start-sleep sleep new-timespan test-json where-object where ? foreach-object foreach % exit clear-host cls clear get-psversion",
			builtin: true, judge: parameters,
		},
		{names: "set-location cd sl chdir push-location pushd pop-location popd", builtin: true, judge: changesDirectory},
		{
			names: "set-content sc add-content ac out-file tee-object tee new-item ni mkdir md export-csv epcsv export-clixml copy-item cp copy cpi rename-item ren rni " +
				"set-item si set-itemproperty sp new-itemproperty compress-archive expand-archive start-transcript",
			builtin: true, judge: writesCmdlet,
		},
		{names: "move-item mv move mi", builtin: true, judge: writesCmdlet},
		{names: "clear-content clc", builtin: true, does: removes, judge: writesCmdlet},
		{names: "remove-item rm del erase rd ri rmdir remove-itemproperty rp clear-item cli clear-itemproperty clp", builtin: true, does: removes, judge: removesCmdlet},
		{names: "invoke-webrequest iwr curl wget invoke-restmethod irm test-netconnection test-connection resolve-dnsname", builtin: true, does: reaches, judge: writesCmdlet},
		{
			names: "invoke-expression iex invoke-command icm start-process saps start invoke-item ii start-job sajb start-threadjob add-type import-module ipmo set-alias sal " +
				"new-alias nal import-alias set-variable sv new-variable nv new-object invoke-history r ihy import-clixml enter-pssession new-pssession import-pssession " +
				"register-objectevent register-engineevent set-psbreakpoint invoke-wmimethod invoke-cimmethod trace-command use-transaction set-psdebug update-typedata " +
				"update-formatdata import-localizeddata new-module export-alias",
			builtin: true, does: unfollowed,
		},
		{names: "stop-process kill spps stop-service spsv restart-service restart-computer stop-computer suspend-service", builtin: true, does: processes},
		{names: "format-volume clear-disk initialize-disk remove-partition", builtin: true, does: disks},
		{names: "register-scheduledtask register-scheduledjob set-scheduledtask", builtin: true, does: scheduled},
	}
}

// parameters judges the parameters by which a cmdlet that reads does more.
func parameters(c Call) (f findings) {
	for _, w := range c.Args {
		name, ok := strings.CutPrefix(strings.ToLower(w.Prefix()), "-")
		name, _, _ = strings.Cut(name, ":")
		switch {
		case !ok || name == "" || strings.Trim(name, "0123456789.") == "":
		case strings.HasPrefix("computername", name) || strings.HasPrefix("cimsession", name):
			f.effect(reaches, c.Name)
		case word.Listed("ov ev pv wv iv pb", name), strings.HasSuffix(name, "variable"), strings.HasPrefix("outvariable", name) && len(name) > 3,
			strings.HasPrefix("pipelinevariable", name) && len(name) > 1, strings.HasPrefix("online", name) && len(name) > 1, name == "asjob":
			f.unknownOption(c.Name, w)
		}
	}
	if strings.HasPrefix(c.Name, "foreach") || c.Name == "%" {
		f = append(f, foreach(c)...)
	}
	return f
}

// foreach judges ForEach-Object, which also calls a member of each object by its name.
func foreach(c Call) (f findings) {
	for _, w := range c.Args {
		block := strings.HasPrefix(w.Source, "{")
		if !block && !strings.HasPrefix(w.Text, "-") || strings.HasPrefix(strings.ToLower(w.Text), "-m") {
			f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s calls %s of objects that are not known", c.Name, w.Source))
		}
	}
	return f
}

func readsCmdlet(c Call) (f findings) {
	f = append(f, parameters(c)...)
	for _, w := range c.Args {
		if !strings.HasPrefix(w.Text, "-") {
			f.reads(w)
		}
	}
	return f
}

// cmdletPaths returns the paths that a cmdlet is given: the operands, and the values of
// its parameters for paths.
func cmdletPaths(c Call) (paths, targets []word.Word) {
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		name, ok := strings.CutPrefix(strings.ToLower(w.Text), "-")
		if !ok || w.Quoted {
			paths = append(paths, w)
			continue
		}
		name, value, joined := strings.Cut(name, ":")
		if joined && value == "" {
			joined = false
		}
		next := word.Word{Text: string(word.Hole), Source: w.Source}
		switch {
		case joined:
			next = word.Word{Text: w.Text[len(w.Text)-len(value):], Source: w.Source, Lit: w.Lit}
		case i+1 < len(c.Args):
			next = c.Args[i+1]
		}
		switch {
		case name == "":
		case strings.HasPrefix("destinationpath", name) && len(name) > 1, strings.HasPrefix("filepath", name) && len(name) > 1, strings.HasPrefix("outfile", name) && len(name) > 3:
			targets = append(targets, next)
		case strings.HasPrefix("literalpath", name), strings.HasPrefix("path", name), name == "pspath", name == "lp":
			paths = append(paths, next)
		case word.Listed("recurse r force f confirm whatif nonewline append a asplaintext notypeinformation nti passthru nolclobber noclobber verbose debug usebasicparsing", name):
			continue // it has no value
		}
		if !joined {
			i++
		}
	}
	return paths, targets
}

// writesCmdlet judges cmdlets that write. Of the operands the first is the path, or the
// second one where two are.
func writesCmdlet(c Call) (f findings) {
	f.effect(changesFiles, c.Name)
	paths, targets := cmdletPaths(c)
	switch {
	case c.does&reaches != 0: // the operand is an address
	case strings.HasPrefix(c.Name, "copy") || c.Name == "cp" || c.Name == "cpi" || strings.HasSuffix(c.Name, "-archive"):
		f.windowsCopies(paths)
	case strings.HasPrefix(c.Name, "move") || word.Listed("mv mi rename-item ren rni", c.Name):
		targets = slices.Concat(paths, targets)
	default:
		targets = slices.Concat(paths[:min(1, len(paths))], targets)
	}
	for _, w := range targets {
		f.windowsWrites(w)
	}
	return f
}

func removesCmdlet(c Call) (f findings) {
	paths, _ := cmdletPaths(c)
	for _, w := range paths {
		f.windowsRemoves(c.Files, w)
	}
	return f
}
