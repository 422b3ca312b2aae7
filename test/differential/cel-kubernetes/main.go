// Which answers do Kubernetes' own CEL libraries give? This program asks cel-go and k8s.io/apiserver about times,
// quantities, addresses, URLs, formats and versions, and writes one table for each, which the TypeScript tests read
// without needing Go.
//
//	go run .                         all tables, into the parent folder
//	go run . quantity                one table: time, quantity, ip, cidr, url, format or semver
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
	"time"
)

// A table is a header, named lists shared by the rows, and the rows; module is where most of its answers come from.
type table struct {
	file   string
	module string
	shared []shared
	rows   []any
}

type shared struct {
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
	"time":     timeTable,
	"quantity": quantityTable,
	"ip":       ipTable,
	"cidr":     cidrTable,
	"url":      urlTable,
	"format":   formatTable,
	"semver":   semverTable,
}

func main() {
	time.Local = time.UTC
	check(os.Setenv("ZONEINFO", filepath.Join(runtime.GOROOT(), "lib", "time", "zoneinfo.zip")))
	var o options
	flag.IntVar(&o.generated, "generated", 150, "random inputs per table")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the random inputs")
	flag.StringVar(&o.out, "out", "..", "folder to write into")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = []string{"time", "quantity", "ip", "cidr", "url", "format", "semver"}
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
	provenance := map[string]any{
		"program":    "test/differential/cel-kubernetes",
		"module":     t.module,
		"version":    versionOf(t.module),
		"go":         runtime.Version(),
		"seed":       o.seed,
		"regenerate": "cd test/differential/cel-kubernetes && go run .",
	}
	for _, module := range []string{"github.com/google/cel-go", "k8s.io/apimachinery"} {
		if module != t.module {
			provenance["through "+module] = versionOf(module)
		}
	}
	fmt.Fprintf(&b, "{\n  \"provenance\": %s,\n", text(provenance))
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

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
