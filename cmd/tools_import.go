package cmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/secret"
)

// importCommand is "helve tools import".
func importCommand(h *host.Host, out *Printer) *cobra.Command {
	s := &upstream.Server{}
	var trust string
	var only []string
	var protocol bool
	c := &cobra.Command{
		Use: "import NAME (URL | -- COMMAND...)", Args: cobra.ArbitraryArgs,
		Short: out.Text("Take in the tools of a server of the Model Context Protocol", "导入 Model Context Protocol 服务器的工具"),
		Long: out.Text(`Take in the tools of a server of the Model Context Protocol, in every workspace. The server is started, or reached, once to ask what tools it has; later it is when one of them is called. They are called NAME_TOOL.

A person is asked about every call, unless a rule allows the tool:

    helve config set rules '[{"tool":"NAME_TOOL","decision":"allow"}]'

or --trust hints believes what the server says of each tool: that it only reads, or destroys nothing. Calls go through the policy, the log and the limits of all tools; a server that is a command runs in the sandbox, with the network open.`,
			`导入 Model Context Protocol 服务器的工具，在所有工作区可用。导入时启动或连接该服务器一次，查询其工具；之后仅在调用其工具时启动或连接。工具名称为 NAME_TOOL。

除非有规则允许该工具，否则每次调用都会询问用户：

    helve config set rules '[{"tool":"NAME_TOOL","decision":"allow"}]'

或用 --trust hints 相信服务器对各工具的说明：只读取，或不造成破坏。调用受所有工具共有的策略、日志和限制约束；以命令启动的服务器在沙箱中运行，可访问网络。`),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("import tools", "导入工具")); err != nil {
				return err
			}
			if !protocol {
				return fault.New(fault.Usage, fault.T("--mcp=false: no other protocol is known", "--mcp=false：没有其他可用的协议")).
					WithHint(fault.T("leave it out; a program that speaks none is a custom tool: helve tools register", "请去掉它；不使用该协议的程序可作为自定义工具：helve tools register"))
			}
			s.Trust = upstream.Trust(trust)
			if err := addressed(cmd, s, args); err != nil {
				return err
			}
			return importServer(cmd, h, out, s, only)
		},
	}
	f := c.Flags()
	f.BoolVar(&protocol, "mcp", true, out.Text("the server speaks the Model Context Protocol, which is all there is", "服务器使用 Model Context Protocol（目前唯一支持的协议）"))
	f.StringVar(&trust, "trust", string(upstream.Ask), out.Text("what the server's own hints about risk are worth: ask (nothing) or hints", "服务器自身的风险提示是否可信：ask（不可信）或 hints"))
	f.StringSliceVar(&only, "only", nil, out.Text("take in only these of its tools, comma separated", "只导入这些工具，以逗号分隔"))
	f.StringSliceVar(&s.Pass, "pass-env", nil, out.Text("variables that the command gets beside the harmless ones, comma separated", "除无害变量外传给命令的变量，以逗号分隔"))
	f.StringArrayVar(&s.Headers, "header", nil, out.Text(`header of every request, as "Name: VARIABLE" with the variable that holds its value`, `每个请求的请求头，写作 "Name: VARIABLE"，VARIABLE 为存放其值的变量`))
	f.StringVar(&s.ClientID, "client-id", "", out.Text("id under which helve is registered with the server's authorization server, or the https address of a client metadata document; without it helve registers itself", "helve 在服务器的授权服务器上注册的 client id，或客户端元数据文档的 https 地址；未给出时 helve 自行注册"))
	f.StringVar(&s.ClientSecret, "client-secret", "", out.Text("variable that holds the secret of --client-id, if it has one", "存放 --client-id 密钥（如有）的变量"))
	f.BoolVar(&s.Unconfined, "unconfined", false, out.Text("run the command without the sandbox", "不在沙箱中运行命令"))
	_ = c.RegisterFlagCompletionFunc("trust", cobra.FixedCompletions([]string{string(upstream.Ask), string(upstream.Hints)}, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// addressed reads the arguments of an import: how the server is called, and how it is
// started or reached.
func addressed(cmd *cobra.Command, s *upstream.Server, args []string) error {
	before := args
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		before, s.Command = args[:at], args[at:]
	}
	if len(before) > 0 {
		s.Name = before[0]
	}
	switch {
	case len(before) == 2 && len(s.Command) == 0:
		if s.URL = before[1]; !upstream.CheckURL(s.URL).IsZero() {
			return fault.New(fault.Usage, fault.T("%s: %s", "%s：%s", secret.Mask(s.URL), upstream.CheckURL(s.URL))).
				WithHint(fault.T("a command follows --: helve tools import %s -- COMMAND...", "命令放在 -- 之后：helve tools import %s -- 命令...", s.Name))
		}
	case len(before) == 1 && len(s.Command) > 0:
	default:
		return fault.New(fault.Usage, fault.T("want a name, and an address or a command", "需要名称，以及地址或命令")).
			WithHint(fault.T("helve tools import NAME URL, or helve tools import NAME -- COMMAND...", "helve tools import 名称 地址，或 helve tools import 名称 -- 命令..."))
	}
	switch {
	case s.URL != "" && (len(s.Pass) > 0 || s.Unconfined):
		return fault.New(fault.Usage, fault.T("--pass-env and --unconfined are for a command", "--pass-env 和 --unconfined 只用于命令")).
			WithHint(fault.T("leave them out", "请去掉它们"))
	case s.URL == "" && (len(s.Headers) > 0 || s.ClientID != "" || s.ClientSecret != ""):
		return fault.New(fault.Usage, fault.T("--header, --client-id and --client-secret are for a server at an address", "--header、--client-id 和 --client-secret 只用于以地址连接的服务器")).
			WithHint(fault.T("leave them out, or pass a variable on: --pass-env", "请去掉它们，或用 --pass-env 传递变量"))
	}
	return nil
}

func importServer(cmd *cobra.Command, h *host.Host, out *Printer, s *upstream.Server, only []string) error {
	settings, err := h.Settings()
	if err != nil {
		return err
	}
	if err := settings.CheckServer(s.Name); err != nil {
		return err
	}
	if wrong := s.Check(); len(wrong) > 0 {
		return fault.New(fault.Usage, wrong[0].Message).WithHint(fault.T("helve tools import --help says what there is", "helve tools import --help 列出用法"))
	}
	if err := h.NewServer(s.Name); err != nil {
		return err
	}
	offer, err := fetchAs(cmd, h, out, s)
	if err != nil {
		return err
	}
	s.Fetched = time.Now().UTC()
	file, numbered, wrong, err := settings.Import(s, offer, only)
	if err != nil {
		return err
	}
	r := shownServer{Name: s.Name, Address: imported.Address(s), Trust: s.Trust, File: file, Protocol: offer.Protocol, Version: s.Version, Tools: shownTools(s)}
	for _, w := range wrong {
		r.Problems = append(r.Problems, w.Message.In(out.Lang))
	}
	var warnings []fault.Text
	if len(numbered) > 0 {
		warnings = append(warnings, fault.T("these names were shortened or numbered, as others have them or they are too long: %s", "以下名称因过长或已被占用而被截短或编号：%s", strings.Join(numbered, ", ")))
	}
	return out.Report(report{data: r, text: r.text(out), warnings: warnings})
}

// shownServer is a server as commands show it.
type shownServer struct {
	Name     string         `json:"name"`
	Address  string         `json:"address"` // its URL, or the words of its command
	Trust    upstream.Trust `json:"trust"`
	File     string         `json:"file,omitzero"` // of the record
	Protocol string         `json:"protocol,omitzero"`
	Version  string         `json:"version,omitzero"`
	Fetched  time.Time      `json:"fetched,omitzero"`
	Tools    []serverTool   `json:"tools"`
	Problems []string       `json:"problems,omitempty"`
}

// serverTool is a tool of a server as commands show it.
type serverTool struct {
	Name        string      `json:"name"`
	Tool        string      `json:"tool"` // its name at the server
	Risk        policy.Risk `json:"risk"`
	Description string      `json:"description"`
	Changed     bool        `json:"changed,omitzero"`
	Disabled    bool        `json:"disabled,omitzero"`
}

func shownTools(s *upstream.Server) []serverTool {
	all := make([]serverTool, len(s.Tools))
	for i := range s.Tools {
		t := &s.Tools[i]
		all[i] = serverTool{Name: t.As, Tool: t.Name, Risk: imported.Risk(s, t), Description: t.Description, Changed: t.Changed}
	}
	return all
}

// text is the same for people.
func (r *shownServer) text(out *Printer) string {
	var b strings.Builder
	b.WriteString(out.Text("%s: %d tools (%s)\n", "%s：%d 个工具（%s）\n", r.Name, len(r.Tools), r.Address))
	for _, t := range r.Tools {
		first, _, _ := strings.Cut(t.Description, "\n")
		b.WriteString("  " + t.Name + "  " + string(t.Risk))
		if t.Changed {
			b.WriteString(out.Text("  (changed)", "  （已变更）"))
		}
		if t.Disabled {
			b.WriteString(out.Text("  (disabled)", "  （已停用）"))
		}
		b.WriteString("  " + first + "\n")
	}
	for _, p := range r.Problems {
		b.WriteString("  ! " + p + "\n")
	}
	return b.String()
}
