package main

import "sigs.k8s.io/yaml"

// yamlRow is one document and the exact JSON text it becomes, or an error.
type yamlRow struct {
	Name  string  `json:"name"`
	YAML  string  `json:"yaml"`
	JSON  *string `json:"json,omitempty"`
	Error bool    `json:"error,omitempty"`
}

func yamlTable(options) table {
	t := table{file: "yaml.json", module: "sigs.k8s.io/yaml", through: []string{"go.yaml.in/yaml/v2"}}
	for _, snippet := range yamlSnippets() {
		out, err := yaml.YAMLToJSON([]byte(snippet[1]))
		row := yamlRow{Name: snippet[0], YAML: snippet[1], Error: err != nil}
		if err == nil {
			text := string(out)
			row.JSON = &text
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// yamlSnippets are name and document. A scalar stands behind "a: ", where operators' manifests have it.
func yamlSnippets() [][2]string {
	all := yamlDocuments
	for _, group := range yamlScalars {
		for _, scalar := range group.scalars {
			all = append(all, [2]string{group.name + " " + scalar, "a: " + scalar + "\n"})
		}
	}
	return all
}

var yamlScalars = []struct {
	name    string
	scalars []string
}{
	{"boolean", []string{
		"true", "True", "TRUE", "tRue", "false", "False", "FALSE", "yes", "Yes", "YES", "no", "No", "NO",
		"on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N", "t", "f", "'yes'", "\"on\"", "!!bool yes", "!!bool \"true\"", "!!bool maybe", "!!str yes",
	}},
	{"null", []string{"~", "null", "Null", "NULL", "nUll", "nil", "", "''", "\"\"", "!!null x", "!!null ''", "!!str", "!!str ~"}},
	{"integer", []string{
		"0", "1", "+1", "-1", "-0", "+0", "007", "012", "-012", "08", "09", "0o14", "0O14", "-0o14", "0o8", "0x1F", "0X1f", "-0x1F", "+0x1F", "0xG", "0b11", "0B11", "-0b11", "0b2",
		"1_000", "1__000", "_1", "1_", "0x_1F", "0b1_1", "0_1", "1,000", "12e", "--1", "+-1", "1 2", "- 1",
		"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"18446744073709551615", "18446744073709551616", "0xFFFFFFFFFFFFFFFF", "0x10000000000000000", "-0x8000000000000000", "0o777777777777777777777", "0b1111111111111111111111111111111111111111111111111111111111111111",
		"123456789012345678901234567890", "!!int \"3\"", "!!int 3.0", "!!int abc", "!!int 0x10", "!!int '012'",
	}},
	{"float", []string{
		".5", "-.5", "+.5", "1.", "-1.", ".", "1.0", "1.50", "01.5", "1e3", "1E3", "1E+3", "1e-3", "1.5e3", ".5e1", "1.e3", "1e", "e3", "1e400", "-1e400", "1e-400", "5e-324", "1.7976931348623157e308", "1e21", "1e20", "123456789012345680000.0", "0.000001", "0.0000001", "1e-7",
		".inf", "+.inf", "-.inf", ".Inf", "-.Inf", ".INF", ".iNF", "inf", ".nan", ".NaN", ".NAN", "nan", "-.nan", "1_000.5", "1.5_5", "0x1.8p1", "1.2.3", "4.18", "4.10", "1.10", "0.1", "3.0000000000000001", "!!float 3", "!!float \"1e3\"", "!!float abc", "!!str 1.10", "1e3f",
	}},
	{"sexagesimal", []string{"1:30", "190:20:30", "190:20:30.15", "00:00", "12:30:45", "-1:30"}},
	{"time", []string{
		"2024-11-05", "2024-1-5", "2024-11-05T10:11:12Z", "2024-11-05T10:11:12.5Z", "2024-11-05t10:11:12z", "2024-11-05 10:11:12", "2024-11-05 10:11:12 +02:00", "2024-11-05T10:11:12+02:00", "2001-12-14 21:59:43.10 -5", "2024-13-45", "!!timestamp 2024-11-05", "!!timestamp '2024-11-05T10:11:12Z'",
	}},
	{"quoted", []string{
		"\"123\"", "'123'", "'012'", "\"1e3\"", "'null'", "'it''s'", "\"a\\tb\"", "\"a\\nb\"", "\"\\x41\"", "\"\\u00e9\"", "\"\\U0001F600\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\e\\0\\a\\b\\v\\f\\r\"", "\"\\N\\_\\L\\P\"", "\"\\/\"", "\"\\q\"", "'\\n'", "\"a\\\n  b\"", "\"a\n\n  b\"", "'a\n  b'", "\"unclosed", "'unclosed",
	}},
	{"tag", []string{"!!str 123", "!!str 0x1F", "!!binary aGVsbG8=", "!!binary \"aGVs bG8=\"", "!!binary /w==", "!!binary '***'", "!custom 5", "!custom text", "!<tag:yaml.org,2002:str> 5", "!!unknown 5", "! 5", "! text", "!!map {b: 1}", "!!seq [1]", "!!set {b, c}", "!!omap [b: 1]"}},
	{"text", []string{
		"b: c", "b:c", "b : c", "http://example.test/x", "b #c", "b#c", "# c", "'b: c'", "'b #c'", "@b", "`b`", "%b", "&b", "*b", "!b", "- b", "-b", "? b", "?b", ": b", ":b", "{b", "b}", "[b", "b]", "b, c", "|b", ">b", "=", "<<", "<< b", "b\tc", "b   c", "\tb", "b\t", ">=1.0.0 <2.0.0", "v1.2.3", "1.2.3", "*", "a\n  b", "a\n\n  b", "a\n b\n   c", "é", "日本", "😀", "b\u0000c", "b\u0007c", "b\u0085c", "b\u2028c", "b\u00a0c", "b\ufeffc", "b\u007fc",
	}},
	{"flow", []string{"{}", "[]", "[1, 2,]", "[1, , 2]", "{b: 1, c: 2,}", "{b, c: 1}", "{b: }", "{\"b\":1}", "{b:1}", "[b: 1, c: 2]", "[a, [b, {c: d}]]", "{? b : 1}", "[1,2", "{b: 1", "[yes, 012, ~, 1.0]", "{1: b, true: c}", "[\n 1,\n 2 # two\n]", "{b: 1}{c: 2}", "[on, \"on\"]"}},
}
