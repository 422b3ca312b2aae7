// Which catalogs does `opm validate` accept? This program asks the packages that do its work, alpha/declcfg and
// alpha/model of operator-registry, about the catalogs of ../opm-inputs.json and about random changes of them, and
// writes a table that the TypeScript tests read without needing Go.
//
//	go run .                                     the table, into the parent folder
//	go run . -generated 20000 -seed 7 -out DIR   many more random catalogs
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

const module = "github.com/operator-framework/operator-registry"

// A row is a catalog and what was said about it. A catalog is a list of documents or, where the form of the text is the
// question, the text or the bytes of its only file.
type row struct {
	Name      string               `json:"name"`
	Documents []document           `json:"documents,omitempty"`
	Text      *string              `json:"text,omitempty"`
	Bytes     []byte               `json:"bytes,omitempty"`
	Refused   []string             `json:"refused,omitempty"`
	Packages  *map[string]packaged `json:"packages,omitempty"`
}

func main() {
	generated := flag.Int("generated", 400, "random catalogs")
	seed := flag.Uint64("seed", 1, "seed of the random catalogs")
	out := flag.String("out", "..", "folder to write into")
	flag.Parse()

	bases, rows := readInputs("../opm-inputs.json")
	rows = append(rows, generate(bases, *generated, *seed)...)
	accepted := 0
	for i := range rows {
		answer := judge(rows[i].file())
		rows[i].Refused, rows[i].Packages = answer.refused, answer.packages
		if answer.packages != nil {
			accepted++
		}
	}
	write(filepath.Join(*out, "opm.json"), rows, *seed)
	fmt.Printf("opm.json: %d rows, %d accepted\n", len(rows), accepted)
}

// file is the text of the catalog's only file.
func (r row) file() []byte {
	switch {
	case r.Text != nil:
		return []byte(*r.Text)
	case r.Bytes != nil:
		return r.Bytes
	}
	var b bytes.Buffer
	for _, d := range r.Documents {
		b.WriteString(text(d) + "\n")
	}
	return b.Bytes()
}

// write puts one row on a line, so that a change of one answer is a change of one line.
func write(file string, rows []row, seed uint64) {
	var b bytes.Buffer
	provenance := text(map[string]any{
		"program":    "test/differential/opm",
		"module":     module,
		"version":    moduleVersion(),
		"go":         runtime.Version(),
		"seed":       seed,
		"regenerate": "cd test/differential/opm && go run .",
	})
	fmt.Fprintf(&b, "{\n  \"provenance\": %s,\n  \"rows\": [\n", provenance)
	for i, r := range rows {
		b.WriteString("    " + text(r))
		if i < len(rows)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("  ]\n}\n")
	check(os.WriteFile(file, b.Bytes(), 0o644))
}

// text is JSON in which <, > and & stay readable.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	check(e.Encode(v))
	return string(bytes.TrimSpace(b.Bytes()))
}

// moduleVersion asks the built program itself, so the header cannot go stale.
func moduleVersion() string {
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
