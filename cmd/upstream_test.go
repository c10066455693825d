package cmd_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// mcpServer is a server of the Model Context Protocol as the file in its first argument
// describes it: a list of tools, each as tools/list shows it, with the result of its calls
// under "result". The file is read anew at each request. In texts of a result, {arguments}
// is what the call gave, and {env NAME} a variable. A tool with "writes" makes that file
// where it runs, one with "exits" ends the server, and one with "holds" holds so many MB of
// memory and does not return.
func mcpServer() {
	type request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Protocol  string          `json:"protocolVersion"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
			URI       string          `json:"uri"`
		} `json:"params"`
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answer := func(id json.RawMessage, member string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%q:%s}`+"\n", id, member, text)
	}
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			panic(err)
		}
		var tools []map[string]any
		text, err := os.ReadFile(os.Args[1])
		if err == nil {
			err = json.Unmarshal(text, &tools)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch {
		case r.ID == nil:
		case r.Method == "initialize":
			can := map[string]any{"tools": map[string]any{}}
			if len(os.Args) > 2 {
				can["resources"] = map[string]any{}
			}
			answer(r.ID, "result", map[string]any{
				"protocolVersion": "2025-06-18", "capabilities": can, "serverInfo": map[string]any{"name": "scripted", "version": "1.0"},
			})
		case r.Method == "ping":
			answer(r.ID, "result", map[string]any{})
		case r.Method == "resources/list":
			answer(r.ID, "result", map[string]any{"resources": []any{map[string]any{"uri": os.Args[2], "name": "notes", "description": "What was noted."}}})
		case r.Method == "resources/read" && r.Params.URI == os.Args[2]:
			answer(r.ID, "result", map[string]any{"contents": []any{map[string]any{"uri": r.Params.URI, "mimeType": "text/plain", "text": "noted: " + os.Getenv("SECRET")}}})
		case r.Method == "tools/list":
			for _, t := range tools {
				delete(t, "result")
				delete(t, "writes")
				delete(t, "exits")
				delete(t, "holds")
			}
			answer(r.ID, "result", map[string]any{"tools": tools})
		case r.Method == "tools/call":
			var result any
			for _, t := range tools {
				if t["name"] != r.Params.Name {
					continue
				}
				if file, ok := t["writes"].(string); ok {
					if err := os.WriteFile(file, []byte("written\n"), 0o600); err != nil {
						t["result"] = map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": err.Error()}}}
					}
				}
				if mega, ok := t["holds"].(float64); ok {
					held := make([]byte, int(mega)<<20)
					for i := range held {
						held[i] = 1
					}
					lines.Scan()
					runtime.KeepAlive(held)
				}
				if t["exits"] != nil {
					fmt.Fprintln(os.Stderr, "it went wrong")
					os.Exit(3)
				}
				result = filled(t["result"], r.Params.Arguments)
			}
			answer(r.ID, "result", result)
		default:
			answer(r.ID, "error", map[string]any{"code": -32601, "message": "no such method"})
		}
	}
}

// filled returns a result with its texts filled in.
func filled(v any, arguments json.RawMessage) any {
	switch v := v.(type) {
	case string:
		v = strings.ReplaceAll(v, "{arguments}", string(arguments))
		for _, name := range []string{"SECRET", "PASSED"} {
			v = strings.ReplaceAll(v, "{env "+name+"}", os.Getenv(name))
		}
		return v
	case []any:
		for i := range v {
			v[i] = filled(v[i], arguments)
		}
	case map[string]any:
		for name := range v {
			v[name] = filled(v[name], arguments)
		}
	}
	return v
}
