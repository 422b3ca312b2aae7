// Which answers do the Go originals give? This program runs blang/semver, Masterminds/semver and sigs.k8s.io/yaml
// over the inputs beside it and writes one table for each, which the TypeScript tests read without needing Go.
//
//	go run .                         all tables, into the parent folder
//	go run . yaml                    one table: blang, masterminds, versions or yaml
//	go run . -generated 50000 -seed 7 -out DIR
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
)

// A table is a header, named lists shared by the rows, and the rows.
type table struct {
	file    string
	module  string
	through []string // the modules that module hands its work to
	shared  []named
	rows    []any
}

type named struct {
	name  string
	value any
}

// options say how many random inputs are added to the chosen ones, and from which seed.
type options struct {
	generated int
	seed      uint64
	out       string
}

var makers = map[string]func(options) table{
	"blang":       blangTable,
	"masterminds": mastermindsTable,
	"versions":    versionsTable,
	"yaml":        yamlTable,
}

func main() {
	var o options
	flag.IntVar(&o.generated, "generated", 300, "random ranges per table")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the random ranges")
	flag.StringVar(&o.out, "out", "..", "folder to write into")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = []string{"blang", "masterminds", "versions", "yaml"}
	}
	for _, name := range names {
		maker, known := makers[name]
		if !known {
			fail(fmt.Errorf("no table is named %q", name))
		}
		t := maker(o)
		write(t, o)
		fmt.Printf("%s: %d rows\n", t.file, len(t.rows))
	}
}

// write puts one row on a line, so that a change of one answer is a change of one line.
func write(t table, o options) {
	var b bytes.Buffer
	b.WriteString("{\n")
	provenance := map[string]any{
		"program":    "test/differential/go",
		"module":     t.module,
		"version":    versionOf(t.module),
		"go":         runtime.Version(),
		"seed":       o.seed,
		"regenerate": "cd test/differential/go && go run .",
	}
	for _, module := range t.through {
		provenance["through "+module] = versionOf(module)
	}
	fmt.Fprintf(&b, "  \"provenance\": %s,\n", text(provenance))
	for _, s := range t.shared {
		fmt.Fprintf(&b, "  %s: %s,\n", text(s.name), text(s.value))
	}
	b.WriteString("  \"rows\": [\n")
	for i, row := range t.rows {
		b.WriteString("    " + text(row))
		if i < len(t.rows)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("  ]\n}\n")
	check(os.WriteFile(filepath.Join(o.out, t.file), b.Bytes(), 0o644))
}

// text is JSON in which <, > and & stay readable.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	check(e.Encode(v))
	return string(bytes.TrimSpace(b.Bytes()))
}

// versionOf asks the built program itself, so the header cannot go stale.
func versionOf(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		fail(fmt.Errorf("the program has no build information"))
	}
	i := slices.IndexFunc(info.Deps, func(m *debug.Module) bool { return m.Path == module })
	if i < 0 {
		fail(fmt.Errorf("the program does not contain %s", module))
	}
	return info.Deps[i].Version
}

func readInputs(name string, into any) {
	data, err := os.ReadFile(filepath.Join("inputs", name))
	check(err)
	check(json.Unmarshal(data, into))
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
