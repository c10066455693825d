package main

const (
	// server is the name by which registries know the server; that of the npm package has
	// it, too.
	server      = "io.github.helve-dev/helve"
	homepage    = "https://github.com/helve-dev/helve"
	description = "Files, search, edits, commands in a sandbox and the web, under a policy that you set"
)

// describe returns server.json for a version and its bundle:
// https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
func describe(version, bundle, sha string) ([]byte, error) {
	pipe := object{"type": "stdio"}
	return indented(object{
		"$schema":     "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":        server,
		"title":       "helve",
		"description": description,
		"version":     version,
		"websiteUrl":  homepage,
		"repository":  object{"url": homepage, "source": "github"},
		"packages": []object{
			{
				"registryType": "npm", "identifier": "helve", "version": version, "runtimeHint": "npx", "transport": pipe,
				"packageArguments": []object{{"type": "positional", "value": "mcp"}},
				"environmentVariables": []object{
					{"name": "HELVE_ROOT", "description": "The directory that the tools work in; else the working directory", "format": "filepath"},
					{"name": "HELVE_READONLY", "description": "1 refuses everything but reading", "format": "string"},
				},
			},
			{
				"registryType": "mcpb", "identifier": homepage + "/releases/download/v" + version + "/" + bundle, "fileSha256": sha, "transport": pipe,
			},
		},
	})
}
