// Client is helve as a client of MCP, for the conformance suite, which runs it with the
// address of a server and says in the environment what is tried. It does what a person and
// a model would: takes the tools in, logs in, calls them, and accepts what is asked.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/mcp/client/login"
	"github.com/helve-dev/helve/pkg/state"
)

func main() {
	if err := run(context.Background(), os.Args[len(os.Args)-1], os.Getenv("MCP_CONFORMANCE_SCENARIO")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// given holds the input of a scenario.
type given struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

func run(ctx context.Context, address, scenario string) (err error) {
	var g given
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &g); err != nil {
			return err
		}
	}
	if scenario == "auth/basic-cimd" {
		g.ClientID = "https://conformance-test.local/client-metadata.json"
	}
	dir, err := os.MkdirTemp("", "client-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		return err
	}
	logins := login.New(login.Options{
		Name: "suite", URL: address, HTTP: http.DefaultClient, Show: browse, ClientID: g.ClientID, ClientSecret: g.ClientSecret,
		State: func() (*state.Dir, error) { return state.Open(filepath.Join(dir, "state"), root, state.Options{}) },
	})
	pool := client.New(client.Options{
		Version:       "1.0.0",
		Transport:     func(context.Context, *upstream.Server) (http.RoundTripper, error) { return http.DefaultTransport, nil },
		Authorization: func(context.Context, *upstream.Server) (auth.OAuthHandler, error) { return logins, nil },
		Ask: func(context.Context, *upstream.Server, *client.Question) (*client.Reply, error) {
			return &client.Reply{Action: "accept"}, nil
		},
	})
	defer pool.Close()
	return use(ctx, pool, &upstream.Server{Name: "suite", URL: address}, scenario, g)
}

// use takes in the tools, and calls those that the scenario has.
func use(ctx context.Context, pool *client.Pool, server *upstream.Server, scenario string, g given) error {
	offer, err := pool.Fetch(ctx, server)
	if err != nil {
		return err
	}
	for _, c := range g.ToolCalls {
		if _, err := pool.Call(ctx, server, c.Name, c.Arguments, nil); err != nil {
			return err
		}
	}
	if g.ToolCalls != nil || scenario == "json-schema-ref-no-deref" {
		return nil
	}
	arguments := json.RawMessage(`{}`)
	switch scenario {
	case "tools_call":
		arguments = json.RawMessage(`{"a":5,"b":3}`)
	case "http-invalid-tool-headers":
		arguments = json.RawMessage(`{"region":"us-west1"}`)
	}
	for _, t := range offer.Tools {
		if _, err := pool.Call(ctx, server, t.Name, arguments, nil); err != nil {
			return err
		}
	}
	return nil
}

// browse does what a person's browser does, the person being known already.
func browse(address string) error {
	go func() {
		r, err := http.Get(address)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		r.Body.Close()
	}()
	return nil
}
