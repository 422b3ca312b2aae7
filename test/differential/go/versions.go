package main

import blang "github.com/blang/semver/v4"

type versionInputs struct {
	Texts   []string `json:"texts"`
	Ordered []string `json:"ordered"`
}

// versionRow is what one text means when read strictly and tolerantly; a missing field is a refusal.
type versionRow struct {
	Text     string  `json:"text"`
	Strict   *string `json:"strict,omitempty"`
	Tolerant *string `json:"tolerant,omitempty"`
}

func versionsTable(o options) table {
	var inputs versionInputs
	readInputs("versions.json", &inputs)
	t := table{file: "versions.json", module: "github.com/blang/semver/v4"}
	t.shared = []named{{"ordered", inputs.Ordered}, {"comparisons", compareAll(inputs.Ordered)}}
	for _, text := range append(inputs.Texts, inputs.Ordered...) {
		t.rows = append(t.rows, versionRow{text, print(blang.Parse(text)), print(blang.ParseTolerant(text))})
	}
	g := newGenerator(blangDialect, o.seed, inputs.Texts)
	for range o.generated {
		text := g.damaged()
		t.rows = append(t.rows, versionRow{text, print(blang.Parse(text)), print(blang.ParseTolerant(text))})
	}
	return t
}

// compareAll gives a string for each version: how it compares with the first, the second, … of the same list.
func compareAll(texts []string) []string {
	var all []string
	for _, a := range texts {
		signs := make([]byte, len(texts))
		for i, b := range texts {
			signs[i] = "<=>"[blang.MustParse(a).Compare(blang.MustParse(b))+1]
		}
		all = append(all, string(signs))
	}
	return all
}

func print(v blang.Version, err error) *string {
	if err != nil {
		return nil
	}
	text := v.String()
	return &text
}
