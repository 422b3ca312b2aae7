package main

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/library"
)

var formatted = []string{
	"", "a", "A", "0", "-", ".", "_", "/", "a-b", "a--b", "-a", "a-", "a.b", "a..b", ".a", "a.", "a_b", "my-name", "123-abc", "1abc", "abc-123", "my-label-prefix-",
	"mysubdomain.prefix.-", "mysubdomain.prefix-", "a.-", "--", "a/", "/a", "a/b", "a/b/c", "example.com/MyName", "Example.com/MyName", "example.com/", "example.com/-a", "-.com/a", "MyName", "my.name",
	"my_value", "12345", "a b", " a", "a\n", "ä", "a\u00e4", "ſ", "K", "\U0001f600", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 63) + "-", strings.Repeat("ä", 32), strings.Repeat("a.", 126) + "a",
	strings.Repeat("a.", 126) + "aa", strings.Repeat("a", 253) + "/b", strings.Repeat("a", 254) + "/b", "a/" + strings.Repeat("b", 63), "a/" + strings.Repeat("b", 64), strings.Repeat("A", 64), strings.Repeat("a.", 40) + "B",
	"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "123e4567e89b12d3a456426614174000", "123e4567-e89b12d3-a456426614174000", "123e4567--e89b-12d3-a456-426614174000", "g23e4567-e89b-12d3-a456-426614174000",
	"123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-4266141740000", "123e4567-e89b-12d3-a456-426614174000\n", "aGVsbG8=", "aGVsbG8", "aGVsbA==", "aGVsbA=", "====", "a===", "aGVs", "aGV-", "aGV_", "a+/b", "aGVs\n", "aGVs aGVs",
	"2021-01-01", "2021-1-1", "2021-02-29", "2020-02-29", "2021-13-01", "2021-00-01", "2021-01-00", "2021-01-32", "21-01-01", "02021-01-01", "2021-01-01 ", "2021/01/01", "0000-01-01", "9999-12-31", "20210101", "+021-01-01",
	"2021-01-01T00:00:00Z", "2021-01-01t00:00:00z", "2021-01-01T00:00:00", "2021-01-01T24:00:00Z", "2021-01-01T23:60:00Z", "2021-01-01T23:59:60Z", "2021-01-01T00:00:00.5Z", "2021-01-01T00:00:00,5Z", "2021-01-01T00:00:00x5Z", "2021-01-01T00:00:00\n5Z",
	"2021-01-01T00:00:00\r5Z", "2021-01-01T00:00:00\u20285Z", "2021-01-01T00:00:00\U0001f6005Z", "2021-01-01T00:00:00.Z", "2021-01-01T00:00:00+01:00", "2021-01-01T00:00:00+99:99", "2021-01-01T00:00:00-0100", "2021-01-01T00:00:00Ztrash", "2021-01-01T00:00:00ZtT",
	"2021-01-01T00:00:00Zt", "2021-02-30T00:00:00Z", "2021-01-01 00:00:00Z", "T00:00:00Z", "2021-01-01T0:00:00Z", "2021-01-01TT00:00:00Z", "abc", "http://example.com", "://x",
}

func formatTable(o options) table {
	t := table{file: "cel-format.json", module: "k8s.io/apiserver"}
	var names []string
	for name := range library.ConstantFormats {
		if name != "uri" { // in the table of URLs
			names = append(names, name)
		}
	}
	slices.Sort(names)
	g := newGenerator(o, formatted, fields("a A 0 9 - . _ / = + T Z t z : 01 -01 ä +01:00")...)
	var messages []string
	for _, text := range g.texts(o.generated) {
		wrong := row{}
		for _, name := range names {
			found, _ := answer("format.named(s).value().validate(t)", name, text, 0).([]string)
			for _, message := range found {
				if !slices.Contains(messages, message) {
					messages = append(messages, message)
				}
			}
			if len(found) > 0 {
				wrong[name] = numbers(messages, found)
			}
		}
		t.rows = append(t.rows, row{"kind": "text", "text": text, "wrong": wrong})
	}
	for _, name := range append(names, "uri") {
		var costs []uint64
		for length := range 31 {
			text := types.String(strings.Repeat("ä", length))
			costs = append(costs, cost("validate", "format-validate", library.ConstantFormats[name], text))
		}
		t.rows = append(t.rows, row{"kind": "costs", "format": name, "costs": costs})
	}
	t.shared = []shared{{"messages", messages}}
	return t
}

// numbers are the places of the messages in the list of all.
func numbers(all, some []string) []int {
	places := make([]int, len(some))
	for i, message := range some {
		places[i] = slices.Index(all, message)
	}
	return places
}
