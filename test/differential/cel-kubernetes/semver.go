package main

import (
	"strings"

	"github.com/google/cel-go/common/types"
)

var versions = []string{
	"1.2.3", "0.0.0", "1.2.3-alpha.1", "1.2.3-alpha.1+build.5", "1.2.3+build", "v1.2.3", "vv1.2.3", "V1.2.3", "1.2", "1", "v1", "v", "", "01.02.03", "001.0.0", "0", "00", "1.0", "1.00", "1.2.03", "1.2.3.4", "1..3", ".1.2", "1.2.",
	"1.", ".", "..", "1-alpha", "1.2-alpha", "1.2+b", "1+b", "v1.2-rc.1", "1.2.3-", "1.2.3+", "1.2.3-+", "1.2.3-01", "1.2.3-0", "1.2.3-a..b", "1.2.3-a_b", "1.2.3+a_b", " 1.2.3", "1.2.3 ", "1.2.3-00a", "200K", "Three", "Mi",
	"18446744073709551615.0.0", "18446744073709551616.0.0", "9223372036854775807.1.1", "1.2.00-alpha", "1.2.0alpha", "1.2.00", "1.2.0-alpha", "00-1", "1.0-1.0", "v01.1.1", "1.2.3-rc.1", "2.0.0", "1.10.0", "1.9.0", "1.0.0-alpha", "1.0.0-alpha.beta",
	"1.0.0-beta.11", "1.0.0-beta.2", "1.0.0", "-1.0.0", "1.-1.0", "a.b.c", "1.a.0", "01", "0a.0.0", "00a.0.0", "1.0x", "1.00x", "1.2.00+x", "½", "1.2.3-é", "0.0x0.0",
}

func semverTable(o options) table {
	t := table{file: "cel-semver.json", module: "k8s.io/apiserver"}
	g := newGenerator(o, versions, fields("0 1 9 . - + v a 00 alpha rc.1 x é")...)
	var good []string
	for _, text := range g.texts(o.generated) {
		r := row{
			"kind": "version", "text": text, "isSemver": answer("isSemver(s)", text, "", 0), "isNormalized": answer("isSemver(s, true)", text, "", 0),
			"strict": answer("semver(s)", text, "", 0), "normalized": answer("semver(s, true)", text, "", 0),
			"cost": cost("semver", "string_to_semver", types.String(text)),
		}
		if r["strict"] != nil {
			good = append(good, text)
			r["parts"] = parts64(answers(text, "", 0, "semver(s).major()", "semver(s).minor()", "semver(s).patch()"))
		}
		t.rows = append(t.rows, r)
	}
	for range o.generated {
		a, b := g.pick(good), g.pick(good)
		t.rows = append(t.rows, row{
			"kind": "pair", "a": a, "b": b, "compare": answer("semver(s).compareTo(semver(t))", a, b, 0),
			"greater": answer("semver(s).isGreaterThan(semver(t))", a, b, 0), "less": answer("semver(s).isLessThan(semver(t))", a, b, 0),
			"equal": answer("semver(s) == semver(t)", a, b, 0),
		})
	}
	return t
}

// parts64 are the numbers that 64 bits with a sign hold; Kubernetes gives others as negative numbers, we an error.
func parts64(numbers []any) []any {
	for i, number := range numbers {
		if strings.HasPrefix(number.(string), "-") {
			numbers[i] = nil
		}
	}
	return numbers
}
