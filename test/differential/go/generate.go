package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	blang "github.com/blang/semver/v4"
)

// A dialect is what the random ranges of one language are made of.
type dialect struct {
	operators  []string
	separators []string
	wildcards  []string
	shortForms bool
	alphabet   string
}

var blangDialect = dialect{
	operators:  []string{"", "=", "==", "!", "!=", ">", ">=", "<", "<=", "> ", ">= ", "<= ", "< ", "!= "},
	separators: []string{" ", " ", "  ", " || ", " || "},
	wildcards:  []string{"x"},
	alphabet:   "0012xX*.-+|<>=!~^ ,va\t",
}

var mastermindsDialect = dialect{
	operators:  []string{"", "=", "!=", ">", ">=", "=>", "<", "<=", "=<", "~", "~>", "^", "> ", "^ "},
	separators: []string{" ", ", ", ",", " || ", "||", " - "},
	wildcards:  []string{"x", "X", "*"},
	shortForms: true,
	alphabet:   "0012xX*.-+|<>=!~^ ,va\t",
}

// generator makes ranges by two ways in turn: from the grammar, and by damaging a range that somebody chose.
type generator struct {
	dialect
	*rand.Rand
	chosen []string
	turn   int
}

func newGenerator(d dialect, seed uint64, chosen []string) *generator {
	return &generator{dialect: d, Rand: rand.New(rand.NewPCG(seed, 20)), chosen: chosen}
}

// next gives a range and eight versions close to the numbers that ranges here are made of.
func (g *generator) next() (string, []string) {
	g.turn++
	r := ""
	if g.turn%2 == 0 {
		r = g.written()
	} else {
		r = g.damaged()
	}
	var versions []string
	seen := map[string]bool{}
	for len(versions) < 8 {
		v := g.version()
		if _, err := blang.Parse(v); err == nil && !seen[v] {
			seen[v] = true
			versions = append(versions, v)
		}
	}
	return r, versions
}

func (g *generator) written() string {
	var b strings.Builder
	for i := range 1 + g.IntN(4) {
		if i > 0 {
			b.WriteString(pick(g, g.separators))
		}
		b.WriteString(pick(g, g.operators))
		b.WriteString(g.pattern())
	}
	return b.String()
}

// damaged inserts, removes or replaces one to three characters.
func (g *generator) damaged() string {
	runes := []rune(pick(g, g.chosen))
	for range 1 + g.IntN(3) {
		at := g.IntN(len(runes) + 1)
		letter := rune(g.alphabet[g.IntN(len(g.alphabet))])
		switch kind := g.IntN(3); {
		case kind == 0 || at == len(runes):
			runes = append(runes[:at:at], append([]rune{letter}, runes[at:]...)...)
		case kind == 1:
			runes = append(runes[:at:at], runes[at+1:]...)
		default:
			runes[at] = letter
		}
	}
	return string(runes)
}

// pattern is a version in which numbers may be wildcards or, where the dialect allows it, missing.
func (g *generator) pattern() string {
	wild := g.IntN(7)
	short := 7
	if g.shortForms {
		short = g.IntN(7)
	}
	p := g.number()
	for i := 1; i < 3 && i <= short; i++ {
		if i >= wild && wild > 0 {
			p += "." + pick(g, g.wildcards)
		} else {
			p += "." + g.number()
		}
	}
	return p + g.suffix()
}

func (g *generator) version() string {
	return fmt.Sprintf("%s.%s.%s%s", g.number(), g.number(), g.number(), g.suffix())
}

func (g *generator) number() string {
	return pick(g, []string{"0", "0", "1", "1", "1", "2", "2", "3", "11"})
}

func (g *generator) suffix() string {
	return pick(g, []string{"", "", "", "", "", "", "", "-0", "-alpha", "-alpha.1", "-rc.2", "-x", "+b", "-alpha+b.1"})
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }
