// Which matches does Go's regexp find? This program runs it over chosen and seeded random patterns and writes the table
// ../regex.json, which src/regex/differential.test.ts reads without needing Go.
//
//	cd test/differential/regex && go run .
//	go run . -generated 50000 -seed 7 -out DIR/regex.json
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf16"
)

// A row is a pattern with the places of all matches in each text, or with Go's reason to refuse it.
type row struct {
	Pattern string  `json:"pattern"`
	Refused string  `json:"refused,omitempty"`
	Groups  int     `json:"groups"`
	Found   []found `json:"found,omitempty"`
}

// All has begin and end of each match and of its groups, in UTF-16 units; -1 for a group without a part in it.
type found struct {
	Text string  `json:"text"`
	All  [][]int `json:"all"`
}

var texts = []string{
	"", "a", "1.14.3", "v1.15.0-rc.1", "4.15.22", "abc", "aaa", "ab ab", "foo bar", "foo\nbar", "\n", "é", "aéb", "😀", "a😀b",
	"K", "\u212a", "\u017fs", "key=value", "us-east-1a", "AbC", "a.b.c", "___", "\ufffd", "ß", "١٢", "日本語",
}

var patterns = []string{
	`^1\.(14|15)\.\d+$`, `^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$`, `^(openshift|vanilla)$`, `east`, `^us-(east|west)-\d[a-z]$`,
	``, `a`, `a*`, `a+?`, `(a)|(b)`, `(a*)*`, `(a*)+`, `(a|b)*?c`, `(|a)*`, `(|a)+`, `(a|)+`, `a??`, `(?:a?)*?b`, `a{2}`, `a{0,2}`, `a{2,}`,
	`a{,2}`, `a{x}`, `{`, `}`, `]`, `a{1001}`, `a{1000}`, `(a{1000}){2}`, `(a{10}){100}`, `x{2,1}`, `a**`, `a*+`, `*a`, `|*`, `(*)`,
	`^`, `$`, `^$`, `^^`, `(^a)+`, `a$b`, `\Aa\z`, `\ba\b`, `\B`, `\b`, `(?m)^\w+$`, `(?m)$`, `(?m)^`, `(?s).`, `.`, `..`, `(?U)a+`, `(?U)a+?`,
	`(?i)k`, `(?i)s+`, `(?i)ß`, `(?i)[a-c]+`, `(?i)é`, `(?i:a)b`, `(?-i)a`, `(?i-s:.)`, `(?z)`, `(?`, `(?i`, `(?P<n>a)`, `(?<n>a)`, `(?P<n>a)(?P<n>b)`,
	`(?P<1>a)`, `(?P<é>a)`, `(?P<n`, `(?P=n)`, `(?=a)`, `(?!a)`, `(?<=a)b`, `(?<!a)b`, `(?>a)`, `(?#c)`, `(`, `)`, `(a`, `a)`, `((a)`, `[a`, `[]a]`, `[^]a]`,
	`[`, `[]`, `[^]`, `[a-]`, `[-a]`, `[z-a]`, `[a-c-e]`, `[\d-z]`, `[a-\d]`, `[[:alpha:]]+`, `[[:^alpha:]]`, `[[:word:]]`, `[[:foo:]]`, `[:alpha:]`, `[^\n]`, `[^a]`,
	`[\x00-\x{10FFFF}]`, `\x41`, `\x{1F600}`, `\x{110000}`, `\x4`, `\101`, `\0`, `\8`, `\1`, `(a)\1`, `\y`, `\Z`, `\G`, `\R`, `\X`, `\C`, `\K`, `\h`, `\N`, `\Qa.b\E`, `\Qa.b`, `\Q\E*`,
	`\E`, `\a\f\t\n\r\v`, `\pL+`, `\PL+`, `\p{Greek}`, `\p{^Greek}`, `\P{^L}`, `\p{Han}+`, `\p{Nd}+`, `\d+`, `\p{Foo}`, `\p`, `\p{`, `\pLu`, `\p{Lu}`, `(?i)\p{Lu}+`, `\p{Latin}`, `\p{Any}`, `\p{L}\p{M}*`,
	`\w+`, `\W+`, `\s`, `\S+`, `\D`, `[\w-]+`, `[^\W_]+`, `\/`, `\-`, `\_`, `\é`, `é+`, `[é-ü]`, `😀`, `[😀]`, `[^😀]`, `a|b|c|`, `|a`, `()`, `(())`, `()*`, `(?:)`, `(?:)*`, `\`, `a\`,
	`(a+)(b+)?`, `((a)|b)+`, `(a|ab)(c|bcd)?`, `(?:(a)|(b)|c)+`, `(\w+)=(\w+)`, `(\w)(\w)?`, `^(?:(\d+)\.?)+$`, `[a-z]+|\d+`, `a.*b`, `a.*?b`, `(?s)a.*b`, `x*`, `b*|a`, `a*b|a`,
	`^(((((((((((a)))))))))))$`, `(?:(?:(?:a)*)*)*`, `(?i)straße`, `[[:upper:]][[:lower:]]+`, `\bfoo\b|\bbar\b`, `\Bo`, `o\B`, `(?:^|-)rc`, `$|a`, `a|$`, `^|b`, `(?m:^)b`, `a(?m:$)`, `\z`, `\A`,
}

func main() {
	generated := flag.Int("generated", 700, "how many random patterns")
	seed := flag.Uint64("seed", 1, "seed of the random patterns")
	out := flag.String("out", "../regex.json", "file to write")
	flag.Parse()
	random := rand.New(rand.NewPCG(*seed, 0))
	var rows []row
	for _, pattern := range patterns {
		rows = append(rows, answer(pattern, texts))
	}
	for range *generated {
		pattern := randomPattern(random, 4)
		some := []string{randomText(random), randomText(random), randomText(random)}
		rows = append(rows, answer(pattern, some))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"provenance\": %s,\n  \"rows\": [\n", text(map[string]any{
		"program": "test/differential/regex", "module": "regexp", "version": runtime.Version(), "seed": *seed,
		"regenerate": "cd test/differential/regex && go run .",
	}))
	for i, r := range rows {
		b.WriteString("    " + text(r))
		if i < len(rows)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("  ]\n}\n")
	if err := os.WriteFile(*out, b.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d rows\n", *out, len(rows))
}

func answer(pattern string, texts []string) row {
	r := row{Pattern: pattern}
	re, err := regexp.Compile(pattern)
	if err != nil {
		r.Refused = strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return r
	}
	r.Groups = re.NumSubexp()
	for _, t := range texts {
		all := [][]int{}
		for _, match := range re.FindAllStringSubmatchIndex(t, -1) {
			for i, at := range match {
				if at >= 0 {
					match[i] = len(utf16.Encode([]rune(t[:at])))
				}
			}
			all = append(all, match)
		}
		r.Found = append(r.Found, found{t, all})
	}
	return r
}

var atoms = []string{
	"a", "b", "c", "ab", ".", `\d`, `\w`, `\s`, `\D`, `\W`, "[ab]", "[^a]", "[a-c]", `[^\n]`, "1", `\.`, "-", "é", "[é-ü]", "😀", "[^😀]", `\pL`, `\PL`,
	"^", "$", `\b`, `\B`, `\A`, `\z`, "k", "S", `\n`, "(?i:k)", "(?i:s)", "[[:alpha:]]", `\x{1F600}`, "(?m:^)", "(?m:$)", "(?s:.)", "", "_",
}

var repeats = []string{"", "?", "*", "+", "??", "*?", "+?", "{2}", "{0,2}", "{1,3}?", "{2,}"}

func randomPattern(random *rand.Rand, depth int) string {
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	kind := random.IntN(3)
	if depth > 0 {
		kind = random.IntN(10)
	}
	sub := func() string { return randomPattern(random, depth-1) }
	switch kind {
	case 0, 1, 2:
		return pick(atoms)
	case 3, 4:
		return sub() + sub()
	case 5:
		return "(" + sub() + "|" + sub() + ")"
	case 6:
		return "(?:" + sub() + "|" + sub() + ")"
	case 7:
		return "(" + sub() + ")" + pick(repeats)
	case 8:
		return "(?:" + sub() + ")" + pick(repeats)
	default:
		return pick([]string{"(?i)", "(?s)", "(?m)", "(?U)", "", ""}) + sub() + sub()
	}
}

var characters = []rune("abckKsS\u017f\u212a12.-_ \néü😀z")

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(9) {
		b.WriteRune(characters[random.IntN(len(characters))])
	}
	return b.String()
}

// text is JSON in which <, > and & stay readable.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
