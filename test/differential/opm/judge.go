package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/operator-framework/operator-registry/alpha/declcfg"
	"github.com/operator-framework/operator-registry/alpha/model"
)

// An answer has the reasons of a refusal, or what an accepted catalog is made of.
type answer struct {
	refused  []string
	packages *map[string]packaged
}

// packaged is a package of an accepted catalog.
type packaged struct {
	Default  string             `json:"default"`
	Channels map[string]channel `json:"channels"`
}

// channel has the names of its entries, each of which has a bundle.
type channel struct {
	Head    string   `json:"head"`
	Entries []string `json:"entries"`
}

// The original walks over maps, so that the order of its reasons, and which of several fatal ones comes first, differs
// from run to run. It is asked so many times; the answer that sorts first is kept.
const runs = 40

func judge(file []byte) answer {
	kept := judgeOnce(file)
	for range runs - 1 {
		again := judgeOnce(file)
		if (again.packages == nil) != (kept.packages == nil) {
			fail(fmt.Errorf("accepted and refused in turn:\n%s", file))
		}
		if slices.Compare(again.refused, kept.refused) < 0 {
			kept = again
		}
		if kept.packages != nil {
			break
		}
	}
	return kept
}

// judgeOnce loads and converts, which is all that `opm validate` does.
func judgeOnce(file []byte) (a answer) {
	defer func() {
		if crash := recover(); crash != nil {
			a = answer{refused: []string{fmt.Sprintf("panic: %v", crash)}}
		}
	}()
	config, err := declcfg.LoadFS(context.Background(), fstest.MapFS{"catalog": {Data: file}})
	if err != nil {
		return answer{refused: reasons(err)}
	}
	m, err := declcfg.ConvertToModel(*config)
	if err != nil {
		return answer{refused: reasons(err)}
	}
	return answer{packages: contents(m)}
}

func contents(m model.Model) *map[string]packaged {
	packages := map[string]packaged{}
	for name, p := range m {
		channels := map[string]channel{}
		for key, c := range p.Channels {
			head, err := c.Head()
			check(err)
			channels[key] = channel{Head: head.Name, Entries: slices.Sorted(maps.Keys(c.Bundles))}
		}
		packages[name] = packaged{Default: p.DefaultChannel.Name, Channels: channels}
	}
	return &packages
}

// reasons makes a line of each leaf of the tree that a model error prints, with what stands above it; sorted. Any other
// error is one reason.
func reasons(err error) []string {
	lines := strings.Split(err.Error(), "\n")
	if lines[0] != "invalid index:" {
		return []string{err.Error()}
	}
	var leaves, above []string
	for i, line := range lines[1:] {
		trimmed := strings.TrimLeft(line, " │├└─")
		depth := depthOf(line, trimmed)
		above = append(above[:min(depth-1, len(above))], strings.TrimSuffix(trimmed, ":"))
		next := 0
		if i+2 < len(lines) {
			next = depthOf(lines[i+2], strings.TrimLeft(lines[i+2], " │├└─"))
		}
		if next <= depth {
			leaves = append(leaves, strings.Join(above, ": "))
		}
	}
	slices.Sort(leaves)
	return slices.Compact(leaves)
}

// depthOf counts the branches, four characters each, before the words of a line.
func depthOf(line, words string) int {
	return len([]rune(strings.TrimSuffix(line, words))) / 4
}
