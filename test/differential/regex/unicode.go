package main

import (
	"slices"
	"unicode"
)

// A class has the name that follows \p, and its ranges: how far each begins after the last one ended, and how much longer
// than one character it is, in turn.
type class struct {
	Class  string `json:"class"`
	Ranges []rune `json:"ranges"`
}

// An orbit has the characters that unicode.SimpleFold leads to from each other, ascending.
type orbit struct {
	Orbit []rune `json:"orbit"`
}

// unicodeRows is all that Go knows: first the version, then the classes by name, then the orbits of more than one
// character.
func unicodeRows() []string {
	rows := []string{text(map[string]string{"unicode": unicode.Version})}
	tables := map[string]*unicode.RangeTable{}
	names := []string{}
	for _, known := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for name, table := range known {
			tables[name] = table
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		rows = append(rows, text(class{name, ranges(tables[name])}))
	}
	for c := rune(0); c <= unicode.MaxRune; c++ {
		characters := []rune{c}
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			characters = append(characters, other)
		}
		if len(characters) > 1 && slices.Min(characters) == c {
			slices.Sort(characters)
			rows = append(rows, text(orbit{characters}))
		}
	}
	return rows
}

func ranges(table *unicode.RangeTable) []rune {
	found := []rune{}
	end := rune(0)
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if !unicode.Is(table, c) {
			continue
		}
		first := c
		for c < unicode.MaxRune && unicode.Is(table, c+1) {
			c++
		}
		found = append(found, first-end, c-first)
		end = c + 1
	}
	return found
}
