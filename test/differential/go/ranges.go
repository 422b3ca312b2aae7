package main

import (
	"slices"

	masterminds "github.com/Masterminds/semver/v3"
	blang "github.com/blang/semver/v4"
)

// rangeInputs are the chosen ranges, and the versions each of them is asked about.
type rangeInputs struct {
	Versions []string `json:"versions"`
	Ranges   []string `json:"ranges"`
}

// rangeRow is one range: refused, or the versions inside it, the rest being outside. Where the original crashes when
// asked, the versions are listed under Panics.
type rangeRow struct {
	Range    string   `json:"range"`
	Refused  bool     `json:"refused,omitempty"`
	Versions []string `json:"versions,omitempty"`
	In       []string `json:"in,omitempty"`
	Panics   []string `json:"panics,omitempty"`
}

// contains tells whether a version is inside; a refused range has none.
type contains func(version string) bool

func blangTable(o options) table {
	return rangeTable("blang-ranges.json", "github.com/blang/semver/v4", o, blangDialect, func(r string) contains {
		in, err := blang.ParseRange(r)
		if err != nil {
			return nil
		}
		return func(version string) bool { return in(blang.MustParse(version)) }
	})
}

// The version passes through blang first, as it does in OLM v1 before Masterminds is asked.
func mastermindsTable(o options) table {
	return rangeTable("masterminds-ranges.json", "github.com/Masterminds/semver/v3", o, mastermindsDialect, func(r string) contains {
		c, err := masterminds.NewConstraint(r)
		if err != nil {
			return nil
		}
		return func(version string) bool {
			return c.Check(masterminds.MustParse(blang.MustParse(version).String()))
		}
	})
}

func rangeTable(file, module string, o options, d dialect, parse func(string) contains) table {
	var inputs rangeInputs
	readInputs(file, &inputs)
	t := table{file: file, module: module, shared: []named{{"versions", inputs.Versions}}}
	seen := map[string]bool{}
	for _, r := range inputs.Ranges {
		if !seen[r] {
			seen[r] = true
			t.rows = append(t.rows, ask(r, inputs.Versions, nil, parse))
		}
	}
	g := newGenerator(d, o.seed, inputs.Ranges)
	for made := 0; made < o.generated; {
		r, versions := g.next()
		if !seen[r] {
			seen[r] = true
			made++
			t.rows = append(t.rows, ask(r, versions, versions, parse))
		}
	}
	return t
}

func ask(r string, versions, written []string, parse func(string) contains) rangeRow {
	in := parse(r)
	if in == nil {
		return rangeRow{Range: r, Refused: true}
	}
	row := rangeRow{Range: r, Versions: slices.Clone(written)}
	for _, v := range versions {
		inside, panicked := guarded(in, v)
		if panicked {
			row.Panics = append(row.Panics, v)
		} else if inside {
			row.In = append(row.In, v)
		}
	}
	return row
}

func guarded(in contains, version string) (inside, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	return in(version), false
}
