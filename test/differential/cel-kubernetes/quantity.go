package main

import (
	"math"
	"regexp"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"
)

var quantities = []string{
	"0", "-0", "+0", "00", "1", "-1", "+1", "12", "007", "1.5", "1.50", "1.500", "1.5000", ".5", "-.5", "5.", "-5.", ".", "-", "+", "",
	"1n", "1u", "1m", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei", "1K", "1ki", "1mi", "1g", "1i", "1Zi",
	"1Y", "n", "m", "k", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "-Ki", "-Ei", ".Ei", ".Pi", ".Mi", "0.Ei", "1e3", "1E3", "1e+3", "1e-3",
	"1E-3", "1e", "1e+", "1e-", "e3", "E3", "1e3.5", "1e03", "1e300", "1e310", "1e-10", "5e-10", "0e400", "0e-400", "1eE5", "1e5e", "1e 5",
	"1_000", "1,000", "1,3G", " 1", "1 ", "1 Ki", "0x10", "Infinity", "NaN", "½", "１", "1Kı", "100m", "1000m", "1500m", "0.1m", "0.001n",
	"0.5n", "1.1n", "-0.1n", "1.0000000001", "-1.0000000001", "999999999999999999", "1000000000000000000", "9223372036854775807",
	"9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9999999999999999999999999999999999999G", "1000E", "1000000E",
	"8Ei", "7Ei", "-8Ei", "7.999Ei", "1024Ei", "9007199254740993", "1.5Ki", "1.5Mi", "0.5Ki", "0.5Mi", "0.0001Ki", "1.1Ki", "1023", "1024",
	"1024Ki", "1025Ki", "2048Ki", "1536Mi", "-1024Mi", "0Ki", "0.0Mi", "123456789012345Ki", "12345678901234Ki", "123456789012Mi",
	"999999999999999Ki", "0.000000000000000000000000000001Ei", "1000Ki", "8Ki", "16Ki", "3Ki", "100e3", "1000e3", "12e6", "1.5e3", "1e1", "1e2",
	"50000000G", "50k", "200M", "0.2G", "150Mi", "123456789.123456789", "123456789.1234567890", "1234567890.123456789", "0.123456789012345678",
	"0.1234567890123456789", "10.000", "100.000", "1.0", "1.00", "1.0k", "100000m", "123000", "1230000m", "1000u", "1000000n", "0.000",
	"0.00000000000000000000", "-0.00000000000000000000", "000000000000000000000000000001", "000000000000000000000000000001.50Mi",
	"18446744073709551616", "1e18", "1e19", "12345678901234567890e-3", "-1.5Gi", "-2000000000000000000G", "1e-9", "1e-8", "9e-9", "10e-10",
}

// hugeExponent finds what keeps Kubernetes busy for minutes; we refuse exponents beyond 1000.
var hugeExponent = regexp.MustCompile(`[eE][+-]?0*([1-9][0-9]{3,})`)

func quantityRow(text string) row {
	r := row{"kind": "quantity", "text": text, "cost": cost("quantity", "string_to_quantity", types.String(text))}
	if answer("quantity(s)", text, "", 0) == nil {
		r["refused"] = true
		return r
	}
	r["canonical"] = printed(value("quantity(s)", text))
	r["sign"] = answer("sign(quantity(s))", text, "", 0)
	r["integer"] = answer("quantity(s).asInteger()", text, "", 0)
	r["isInteger"] = answer("quantity(s).isInteger()", text, "", 0)
	r["float"] = answer("quantity(s).asApproximateFloat()", text, "", 0)
	return r
}

func quantitiesRow(a, b string) row {
	return row{
		"kind": "quantities", "a": a, "b": b, "compare": answer("quantity(s).compareTo(quantity(t))", a, b, 0),
		"greater": answer("quantity(s).isGreaterThan(quantity(t))", a, b, 0), "less": answer("quantity(s).isLessThan(quantity(t))", a, b, 0),
		"equal": answer("quantity(s) == quantity(t)", a, b, 0),
		"sum":   result("quantity(s).add(quantity(t))", a, b, 0), "difference": result("quantity(s).sub(quantity(t))", a, b, 0),
	}
}

func quantityIntRow(a string, n int64) row {
	return row{
		"kind": "int", "a": a, "n": plain(types.Int(n)), "sum": result("quantity(s).add(n)", a, "", n),
		"difference": result("quantity(s).sub(n)", a, "", n),
	}
}

// result is the text of a quantity, its integer and its float.
func result(expression, s, t string, n int64) []any {
	all := answers(s, t, n, expression, expression+".asInteger()", expression+".asApproximateFloat()")
	quantity, err := ask(expression, s, t, n)
	check(err)
	all[0] = printed(quantity)
	return all
}

// printed is the canonical text, but for those decimal amounts from 10^21 on that lose their exponent in it.
func printed(quantity ref.Val) string {
	amount := quantity.Value().(*resource.Quantity)
	again := resource.MustParse(amount.String())
	less := math.Abs(again.AsApproximateFloat64())*999 < math.Abs(amount.AsApproximateFloat64())
	if less && !strings.HasSuffix(amount.String(), "i") { // reading cuts binary amounts
		return "misprinted"
	}
	return amount.String()
}

func quantityTable(o options) table {
	t := table{file: "cel-quantity.json", module: "k8s.io/apiserver"}
	add := func(r row) { t.rows = append(t.rows, r) }
	g := newGenerator(o, quantities, fields("0 1 9 5 . - + e E n u m k M G T P Ki Mi Gi Ti Pi Ei 000 1000 e3 e-3 1234567890 é")...)
	var good []string
	for _, text := range g.texts(o.generated) {
		if hugeExponent.MatchString(text) {
			continue
		}
		r := quantityRow(text)
		add(r)
		if r["refused"] == nil {
			good = append(good, text)
		}
	}
	for range o.generated {
		add(quantitiesRow(g.pick(good), g.pick(good)))
		n := g.Int64() >> g.IntN(64)
		if g.IntN(2) == 0 {
			n = -n
		}
		add(quantityIntRow(g.pick(good), n))
	}
	for _, pair := range [][2]string{
		{"200M", "0.2G"}, {"50M", "50Mi"}, {"50Mi", "50M"}, {"1", "1000m"}, {"0", "-0"}, {"0Ki", "0"}, {"1e300", "1"}, {"1e300", "1e-9"},
		{"9223372036854775807", "1"}, {"9223372036854775807", "1n"}, {"999999999999999999", "1E"}, {"1Ki", "1e3"}, {"0", "5Ki"}, {"0Ki", "5"},
		{"8Ei", "1Ki"}, {"-5Ei", "-5Ei"}, {"1000000000000000001", "1000000000000000000"}, {"0.1", "1e-1"},
	} {
		add(quantitiesRow(pair[0], pair[1]))
	}
	for _, n := range []int64{0, 1, -1, 20, 9223372036854775807, -9223372036854775807} {
		for _, a := range []string{"0", "50k", "1Ki", "0Ki", "1.5", "1n", "9223372036854775807", "1e300"} {
			add(quantityIntRow(a, n))
		}
	}
	return t
}
