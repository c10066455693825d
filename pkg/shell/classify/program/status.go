package program

// statusTools are the programs that report on the system and its processes.
func statusTools() []Row {
	return []Row{
		{names: "arch logname users"},
		{names: "free", harmless: options{"bkmghwtls:c:", "bytes kilo mega giga human wide total lohi"}, operands: none},
		{names: "getconf", harmless: options{short: "av:"}, operands: words},
		{names: "groups vm_stat", operands: words},
		{
			names: "hostname", harmless: options{"aAdfiIsy", "short fqdn long ip-address all-ip-addresses all-fqdns domain help version"},
			runs: options{"F:b", "file= boot"}, operands: none,
		},
		{names: "id", harmless: options{"agGnruzZ", "group groups name real user zero context help version"}, operands: words},
		{names: "locale", harmless: options{"amckv", "all-locales charmaps"}, operands: words},
		{names: "lscpu", harmless: options{short: "abcdeJprsxy"}, operands: none},
		{names: "lsof", harmless: options{short: "anPi:p:u:c:d:ltR"}, operands: words},
		{
			names:    "netstat",
			harmless: options{"46aegilMnoprsStuwxW", "all extend groups help interfaces listening numeric programs route statistics tcp udp version wide"},
			operands: words,
		},
		{names: "nproc", harmless: options{long: "all ignore= help version"}, operands: none},
		{
			names: "pgrep", harmless: options{"acd:flLinoP:s:t:u:U:vwx", "full list-name list-full count newest oldest parent= exact ignore-case"},
			operands: words,
		},
		{names: "pidof", harmless: options{short: "sxo:q"}, operands: words},
		{names: "pinky", harmless: options{short: "lbhpsfwiq"}, operands: words},
		{names: "printenv", harmless: options{"0", "null help version"}, operands: words},
		{
			names:    "ps",
			harmless: options{"aAdefgGHjlLmMnNoOpqrsStTuUvVwxXyZ", "pid= ppid= sort= forest no-headers headers user= User= cols= columns= format= help? version"},
			operands: words,
		},
		{names: "pstree", harmless: options{short: "aAcCghGlnNpsSTtuUZ"}, operands: words},
		{
			names:    "ss",
			harmless: options{"0246aehHilmnOoprtuwxZ", "all extended help listening memory no-header numeric options processes resolve summary tcp udp unix version"},
			operands: words,
		},
		{names: "sw_vers", operands: words},
		{names: "top", harmless: options{"bcHiSn:d:o:p:u:U:w:E:e:1", "batch"}, operands: none},
		{names: "jps", harmless: options{short: "lmvVq"}, operands: words},
		{names: "tty", harmless: options{"s", "silent quiet help version"}, operands: none},
		{names: "uname", harmless: options{
			"amnoprsvi",
			"all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system help version",
		}, operands: none},
		{names: "uptime", harmless: options{"psV", "pretty since"}, operands: none},
		{names: "vmstat", harmless: options{short: "afnsSdDmtw"}, operands: words},
		{names: "w", harmless: options{short: "hsfoui"}, operands: words},
		{names: "who", harmless: options{"abdHlmpqrsStTuw", "all boot dead heading login lookup process count runlevel short time users"}, operands: words},
		{names: "whoami", harmless: options{long: "help version"}, operands: none},
	}
}
