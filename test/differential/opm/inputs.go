package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A document of a catalog, as JSON gives it.
type document = map[string]any

// inputs are the healthy catalogs, and those that somebody chose. The documents of a healthy catalog have labels; their
// order is that of the labels.
type inputs struct {
	Healthy map[string]map[string]document `json:"healthy"`
	Chosen  []chosen                       `json:"chosen"`
}

// chosen is a text, or a healthy catalog after some changes: texts that are replaced wherever they stand, values that
// are set and values that are dropped, each by the label of its document and the way inside.
type chosen struct {
	Name    string            `json:"name"`
	Text    *string           `json:"text"`
	Bytes   []byte            `json:"bytes"`
	From    string            `json:"from"`
	Replace map[string]string `json:"replace"`
	Set     map[string]any    `json:"set"`
	Drop    []string          `json:"drop"`
}

// readInputs gives the healthy catalogs in the order of their names, and a row for each that was chosen.
func readInputs(file string) (healthy [][]document, rows []row) {
	data, err := os.ReadFile(file)
	check(err)
	var in inputs
	check(json.Unmarshal(data, &in))
	for _, name := range slices.Sorted(maps.Keys(in.Healthy)) {
		healthy = append(healthy, listed(in.Healthy[name]))
	}
	names := map[string]bool{}
	for _, c := range in.Chosen {
		if names[c.Name] {
			fail(fmt.Errorf("two catalogs are named %q", c.Name))
		}
		names[c.Name] = true
		r := row{Name: c.Name, Text: c.Text, Bytes: c.Bytes}
		if c.From != "" {
			r.Documents = c.documents(in.Healthy[c.From])
		}
		rows = append(rows, r)
	}
	return healthy, rows
}

func listed(labelled map[string]document) []document {
	var documents []document
	for _, label := range slices.Sorted(maps.Keys(labelled)) {
		documents = append(documents, labelled[label])
	}
	return documents
}

func (c chosen) documents(healthy map[string]document) []document {
	if healthy == nil {
		fail(fmt.Errorf("%s: no healthy catalog is named %q", c.Name, c.From))
	}
	whole := map[string]any{}
	for label, d := range healthy {
		whole[label] = replaced(d, c.Replace)
	}
	var tree any = whole
	for _, way := range slices.Sorted(maps.Keys(c.Set)) {
		tree = changed(tree, strings.Split(way, "/"), func(any) (any, bool) { return c.Set[way], true })
	}
	for _, way := range c.Drop {
		tree = changed(tree, strings.Split(way, "/"), func(any) (any, bool) { return nil, false })
	}
	labelled := map[string]document{}
	for label, d := range tree.(map[string]any) {
		labelled[label] = d.(document)
	}
	return listed(labelled)
}

// replaced is a copy of a value in which some texts have become others.
func replaced(value any, by map[string]string) any {
	switch v := value.(type) {
	case string:
		if other, ok := by[v]; ok {
			return other
		}
		return v
	case []any:
		copied := make([]any, len(v))
		for i, item := range v {
			copied[i] = replaced(item, by)
		}
		return copied
	case map[string]any:
		copied := map[string]any{}
		for key, item := range v {
			copied[key] = replaced(item, by)
		}
		return copied
	}
	return value
}

// changed is the value after a change at the end of the way; a change that keeps nothing drops the key or item. One
// past the end of a list is a new item.
func changed(value any, way []string, change func(any) (any, bool)) any {
	switch v := value.(type) {
	case map[string]any:
		if len(way) > 1 {
			v[way[0]] = changed(v[way[0]], way[1:], change)
		} else if to, keep := change(v[way[0]]); keep {
			v[way[0]] = to
		} else {
			delete(v, way[0])
		}
		return v
	case []any:
		at, err := strconv.Atoi(way[0])
		check(err)
		if at == len(v) {
			v = append(v, nil)
		}
		if len(way) > 1 {
			v[at] = changed(v[at], way[1:], change)
		} else if to, keep := change(v[at]); keep {
			v[at] = to
		} else {
			v = slices.Delete(v, at, at+1)
		}
		return v
	}
	fail(fmt.Errorf("there is nothing at %s", strings.Join(way, "/")))
	return nil
}
