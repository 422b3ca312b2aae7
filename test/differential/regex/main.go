// Which matches does Go's regexp find? This program runs it over chosen, seeded random and damaged patterns and writes the
// table ../regex.json, which src/regex/differential.test.ts reads without needing Go; and ../regex-unicode.json, see
// unicode.go.
//
//	cd test/differential/regex && go run .
//	go run . -generated 50000 -damaged 50000 -seed 7 -out DIR
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
	`[[:]`, `[[:]]`, `[[::]]`, `[[:^:]]`, `[[:word:]-z]`, `[[:alpha:]-]`, `[a-[:digit:]]`, `[[:ascii:]]+`, `[[:blank:]]`, `[[:cntrl:]]`, `[[:graph:]]`, `[[:print:]]`, `[[:punct:]]`, `[[:space:]]`, `[[:xdigit:]]`,
	`\p{greek}`, `\p{LU}`, `\p{ l_u }`, `\pl`, `\p{letter}`, `\p{Uppercase_Letter}`, `\p{uppercase-letter}`, `\p{digit}+`, `\p{ASCII}`, `\p{assigned}`, `\P{assigned}`, `\p{LC}+`, `\p{lc}`, `\p{}`, `\p{^}`, `\p^L`, `\p{^^L}`,
	`\p{Alphabetic}`, `\p{White_Space}`, `\p{L&}`, `\p{é}`, `\pé`, `[\p{Lu}\d]+`, `[^\PL]`, `[\p{Foo}]`, `[\p`, `(?i)\P{Lu}`, `(?i)[^\p{Ll}]`, `(?i)\p{Greek}`, `(?i)\W`, `(?i)[\W]`, `(?i)[^k]`, `(?i)[[:^lower:]]`, `(?i)[[:upper:]]+`,
	`(?i)\x{212A}`, `(?i)\x{17F}`, `(?i)[j-l]`, `(?i)[R-T]+`, `(?i)ẞ`, `(?i)\x{131}`, `(?i)İ`, `(?i)ǆ`, `(?i)[à-ÿ]`, `\07`, `\18`, `\377`, `\400`, `\x{}`, `\x{g}`, `\xg1`, `\x`, `\x{10FFFF}`, `[\x41-\x43]`, `[\101-\103]+`,
	`(?)`, `(?:`, `(?-)`, `(?i-)`, `(?--i)`, `(?i-i)K`, `(?imsU)a.`, `(?i`, `(?<`, `(?P<`, `(?<n`, `(?<>a)`, `(?<n>a`, `(?P>n)`, `a(?i)b|c`, `(a(?i)b)c`, `a(?i)*`, `a*(?i)*`, `\Q\E*a`, `a\Q\E*`, `\Qab\E*`, `(?:ab)*`, `a|(?i)*`,
	`x{0}`, `x{0,0}`, `(x){0}y`, `x{00}`, `x{1,2,3}`, `x{-1}`, `x{ 1}`, `x{99999999999}`, `x{2,99999999999}`, `x{,}`, `x{1}{`, `x{2}{3}`, `x??`, `x???`, `x+*`, `^*`, `$+`, `\b+`, `(?:^)*a`, `(?:$|a)+`, `(?:(?:a{10}){10}){11}`, `(?:a{0,2}){501}`, `(?:a{2,}){500}`,
}

func main() {
	generated := flag.Int("generated", 700, "how many random patterns")
	damaged := flag.Int("damaged", 500, "how many random patterns with a mistake put into them")
	seed := flag.Uint64("seed", 1, "seed of the random patterns")
	out := flag.String("out", "..", "directory to write to")
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
	for range *damaged {
		pattern := damage(random, randomPattern(random, 3))
		rows = append(rows, answer(pattern, []string{randomText(random), randomText(random)}))
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = text(r)
	}
	write(*out+"/regex.json", "regexp", runtime.Version(), *seed, lines)
	write(*out+"/regex-unicode.json", "unicode", runtime.Version(), 0, unicodeRows())
}

// write makes a table: its provenance, and a row on each line.
func write(file, module, version string, seed uint64, rows []string) {
	provenance := map[string]any{
		"program": "test/differential/regex", "module": module, "version": version,
		"regenerate": "cd test/differential/regex && go run .",
	}
	if seed > 0 {
		provenance["seed"] = seed
	}
	table := fmt.Sprintf("{\n  \"provenance\": %s,\n  \"rows\": [\n    %s\n  ]\n}\n", text(provenance), strings.Join(rows, ",\n    "))
	if err := os.WriteFile(file, []byte(table), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d rows\n", file, len(rows))
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

var pieces = []string{
	"a", "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", `\`, ",", ".", "-", ":", "<", ">", "P", "Q", "E", "p", "x", "0", "1", "i", "=", "!", "L", "é", "😀",
	"(?", `\p{`, "{2}", "{1001}", "[[:", ":]]", `\Q`, `\E`, "(?<", `\x{`, "[^", "(?i", "\n",
}

// damage puts in, takes out or replaces up to three characters.
func damage(random *rand.Rand, pattern string) string {
	damaged := []rune(pattern)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(damaged) + 1)
		piece := []rune(pieces[random.IntN(len(pieces))])
		after := at
		switch random.IntN(3) {
		case 0: // put in
		case 1:
			piece = nil
			after = min(at+1, len(damaged))
		case 2:
			after = min(at+1, len(damaged))
		}
		damaged = append(append(append([]rune{}, damaged[:at]...), piece...), damaged[after:]...)
	}
	return string(damaged)
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
