package main

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

var (
	stringType  = reflect.TypeFor[string]()
	stringsType = reflect.TypeFor[[]string]()
	queryType   = reflect.TypeFor[map[string][]string]()
)

// generator makes random texts that look like chosen ones.
type generator struct {
	*rand.Rand
	chosen []string
	pieces []string
}

func newGenerator(o options, chosen []string, pieces ...string) generator {
	return generator{rand.New(rand.NewPCG(o.seed, 17)), chosen, pieces}
}

func (g generator) pick(from []string) string {
	return from[g.IntN(len(from))]
}

// damaged is a chosen text in which some pieces were put in, taken out or replaced, or a row of pieces.
func (g generator) damaged() string {
	if g.IntN(4) == 0 {
		var b strings.Builder
		for range 1 + g.IntN(6) {
			b.WriteString(g.pick(g.pieces))
		}
		return b.String()
	}
	runes := []rune(g.pick(g.chosen))
	for range 1 + g.IntN(3) {
		at := g.IntN(len(runes) + 1)
		piece := []rune(g.pick(g.pieces))
		switch g.IntN(3) {
		case 0:
			runes = slices.Insert(runes, at, piece...)
		case 1:
			if at < len(runes) {
				runes = slices.Delete(runes, at, at+1)
			}
		case 2:
			if at < len(runes) {
				runes = slices.Replace(runes, at, at+1, piece...)
			}
		}
	}
	return string(runes)
}

// texts are the chosen ones and as many damaged ones, each once.
func (g generator) texts(generated int) []string {
	seen := map[string]bool{}
	var all []string
	add := func(text string) {
		if !seen[text] && len(text) < 400 {
			seen[text] = true
			all = append(all, text)
		}
	}
	for _, text := range g.chosen {
		add(text)
	}
	for range generated {
		add(g.damaged())
	}
	return all
}
