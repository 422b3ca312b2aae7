package main

import (
	"fmt"
	"time"
)

var timestamps = []string{
	"1970-01-01T00:00:00Z", "2009-02-13T23:31:30Z", "2009-02-13T23:31:20.123456789Z", "2024-02-29T12:00:00Z",
	"2023-02-29T12:00:00Z", "1900-02-29T12:00:00Z", "2000-02-29T12:00:00Z", "0001-01-01T00:00:00Z",
	"0000-12-31T23:59:59Z", "0000-12-31T23:59:59-01:00", "0000-12-31T23:59:59+01:00", "0001-01-01T00:30:00+01:00",
	"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59+00:01", "10000-01-01T00:00:00Z",
	"2020-01-01T1:02:03Z", "2020-01-01T24:00:00Z", "2020-01-01T23:60:00Z", "2020-01-01T23:59:60Z", "2020-1-01T00:00:00Z",
	"2020-01-1T00:00:00Z", "2020-01-01T00:0:00Z", "2020-01-01T00:00:0Z", "2020-01-01t00:00:00z", "2020-01-01T00:00:00z",
	"2020-01-01t00:00:00Z", "2020-01-01 00:00:00Z", "2020-01-01T00:00:00", "2020-01-01T00:00:00 Z", " 2020-01-01T00:00:00Z",
	"2020-01-01T00:00:00,5Z", "2020-01-01T00:00:00.Z", "2020-01-01T00:00:00.0Z", "2020-01-01T00:00:00.1234567899Z",
	"2020-01-01T00:00:00.000000000999999999999999999999999999999999999999999Z", "2020-01-01T00:00:00.10Z",
	"2020-01-01T00:00:00+01:30", "2020-01-01T00:00:00-09:30", "2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00+24:60",
	"2020-01-01T00:00:00+25:00", "2020-01-01T00:00:00+00:61", "2020-01-01T00:00:00+00:00", "2020-01-01T00:00:00-00:00",
	"2020-01-01T00:00:00+0100", "2020-01-01T00:00:00+1:00", "2020-01-01T00:00:00+01:00:00", "2020-01-01T00:00:00Z ",
	"2020-00-01T00:00:00Z", "2020-13-01T00:00:00Z", "2020-04-31T00:00:00Z", "2020-01-00T00:00:00Z", "+020-01-01T00:00:00Z",
	"", "2020-01-01", "T", "2020-01-01T00:00:00.5+05:45", "1883-11-18T12:03:57Z", "1883-11-18T12:03:58Z", "1700-06-15T00:00:00Z",
	"1582-10-10T00:00:00Z", "2037-12-31T23:59:59Z", "2038-01-19T03:14:08Z", "5000-07-01T00:00:00Z", "1972-05-01T00:44:30Z",
	"2024-03-10T09:59:59Z", "2024-03-10T10:00:00Z", "2024-11-03T08:59:59Z", "2024-11-03T09:00:00Z", "1999-12-31T23:59:59.999Z",
}

var durations = []string{
	"0", "+0", "-0", "0s", "1s", "1h2m3.5s", "-1.5h", "100ms", "1us", "1µs", "1μs", "1ns", ".5s", "1.s", "5.", ".", ".s", "s", "-",
	"+", "", "1", "1x", "1S", "1H", "1d", "1s1s", "1h 2m", " 1s", "1s ", "1e3s", "1_000s", "--1s", "+-1s", "1m-1s", "00001s",
	"9223372036854775807ns", "9223372036854775808ns", "-9223372036854775808ns", "-9223372036854775809ns",
	"9223372036.854775807s", "9223372036.854775808s", "-9223372036.854775808s", "2562047h47m16.854775807s",
	"2562047h47m16.854775808s", "2562048h", "320000000000s", "-320000000000s", "0.000000001s", "0.0000000001s",
	"0.9999999999s", "1.000000001s", "12345678.123456789s", "9007199254.999999999s", "9007199254.9999999s", "-0.000000005s",
	"0.1h", "0.333333333333333333h", "0.3333333333333333333333333333h", "1.9999999999999999999999s", "0.00000000000000000001h",
	"1h1h", "3730s", "10000s", "86399.999999999s", "1234.5678ms", "0.5ns", "1.5ns", "92233720368547758070ns", "1..5s", "1.5.5s",
	"0.100000000000000000000h", "0.9223372036854775807h", "0.9223372036854775808h", "0.92233720368547758079999h",
}

var zones = []string{
	"UTC", "", "Local", "America/Los_Angeles", "US/Central", "Australia/Sydney", "Asia/Kathmandu", "America/St_Johns",
	"Africa/Monrovia", "Europe/Dublin", "Asia/Riyadh", "Pacific/Apia", "Antarctica/Troll", "Europe/Amsterdam", "EST5EDT", "GMT",
	"Etc/GMT+12", "Etc/GMT-14", "Zulu", "america/los_angeles", "Mars/Olympus", "../etc/passwd", "/etc/localtime", "PST", "CST",
	"+0530", "Asia/Kolkata ", "+11:00", "-02:30", "02:00", "-00:00", "+00:30", "-00:30", "99:99", "1:2", "1:2:3", ":30", "12:",
	"+-2:00", "02:-30", "-02:-30", "+2562047:00", "a:b", "1_0:00", " 02:00", "02:00 ", "٢:٠٠",
}

// oldZones have one history before 1970; of others the database has two, and engines differ in which they use.
var oldZones = fields("America/Los_Angeles America/New_York Europe/London Europe/Paris Europe/Berlin Asia/Tokyo Asia/Kolkata " +
	"Australia/Sydney America/St_Johns Africa/Monrovia Asia/Kathmandu America/Sao_Paulo Asia/Manila Pacific/Apia Europe/Dublin")

const parts = "getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek getHours getMinutes getSeconds getMilliseconds"

func timestampRow(text string) row {
	if answer("timestamp(s)", text, "", 0) == nil {
		return row{"kind": "timestamp", "text": text, "refused": true}
	}
	return row{
		"kind": "timestamp", "text": text, "string": answer("string(timestamp(s))", text, "", 0),
		"seconds": answer("int(timestamp(s))", text, "", 0),
		"parts":   answers(text, "", 0, calls("timestamp(s).%s()")...),
	}
}

func durationRow(text string) row {
	if answer("duration(s)", text, "", 0) == nil {
		return row{"kind": "duration", "text": text, "refused": true}
	}
	return row{
		"kind": "duration", "text": text, "string": answer("string(duration(s))", text, "", 0),
		"nanoseconds": answer("int(duration(s))", text, "", 0),
		"parts": answers(text, "", 0, "duration(s).getHours()", "duration(s).getMinutes()", "duration(s).getSeconds()",
			"duration(s).getMilliseconds()"),
	}
}

func zoneRow(timestamp, zone string) row {
	if zone == "Local" { // the zone of the machine, which must never matter
		return row{"kind": "zone", "timestamp": timestamp, "zone": zone, "refused": true}
	}
	if answer("timestamp(s).getHours(t)", timestamp, zone, 0) == nil {
		return row{"kind": "zone", "timestamp": timestamp, "zone": zone, "refused": true}
	}
	return row{"kind": "zone", "timestamp": timestamp, "zone": zone, "parts": answers(timestamp, zone, 0, calls("timestamp(s).%s(t)")...)}
}

func calls(form string) []string {
	var all []string
	for _, part := range fields(parts) {
		all = append(all, fmt.Sprintf(form, part))
	}
	return all
}

func shiftRow(timestamp, duration string) row {
	return row{
		"kind": "shift", "timestamp": timestamp, "duration": duration,
		"later":   answer("string(timestamp(s) + duration(t))", timestamp, duration, 0),
		"earlier": answer("string(timestamp(s) - duration(t))", timestamp, duration, 0),
	}
}

func betweenRow(a, b string) row {
	return row{
		"kind": "between", "a": a, "b": b, "difference": answer("int(timestamp(s) - timestamp(t))", a, b, 0),
		"comparisons": answers(a, b, 0, "timestamp(s) < timestamp(t)", "timestamp(s) <= timestamp(t)", "timestamp(s) > timestamp(t)",
			"timestamp(s) >= timestamp(t)", "timestamp(s) == timestamp(t)"),
	}
}

func durationsRow(a, b string) row {
	return row{
		"kind": "durations", "a": a, "b": b,
		"sum": answer("int(duration(s) + duration(t))", a, b, 0), "difference": answer("int(duration(s) - duration(t))", a, b, 0),
		"comparisons": answers(a, b, 0, "duration(s) < duration(t)", "duration(s) <= duration(t)", "duration(s) > duration(t)",
			"duration(s) >= duration(t)", "duration(s) == duration(t)"),
	}
}

func timeTable(o options) table {
	t := table{file: "cel-time.json", module: "github.com/google/cel-go"}
	add := func(r row) { t.rows = append(t.rows, r) }
	times := newGenerator(o, timestamps, fields("0 1 9 5 - : T Z + . , 60 24 -01:00 +14:00 .5 ½")...)
	spans := newGenerator(o, durations, fields("0 1 9 5 . - + h m s ms us µs ns 00 922337203685477580 é")...)
	var goodTimes, goodSpans []string
	for _, text := range times.texts(o.generated) {
		r := timestampRow(text)
		add(r)
		if r["refused"] == nil {
			goodTimes = append(goodTimes, text)
		}
	}
	for _, text := range spans.texts(o.generated) {
		r := durationRow(text)
		add(r)
		if r["refused"] == nil {
			goodSpans = append(goodSpans, text)
		}
	}
	for _, zone := range zones {
		add(zoneRow("2009-02-13T23:31:30Z", zone))
	}
	for range o.generated {
		moment, zone := times.Int64N(1_700_000_000), times.pick(zoneNames())
		switch times.IntN(3) {
		case 0:
			moment, zone = times.Int64N(253402300799), times.pick(oldZones)
		case 1:
			moment, zone = -times.Int64N(62135596800), times.pick(oldZones)
		}
		add(zoneRow(time.Unix(moment, times.Int64N(1e9)).UTC().Format(time.RFC3339Nano), zone))
		add(shiftRow(times.pick(goodTimes), spans.pick(goodSpans)))
		add(betweenRow(times.pick(goodTimes), times.pick(goodTimes)))
		add(durationsRow(spans.pick(goodSpans), spans.pick(goodSpans)))
	}
	for _, pair := range [][2]string{
		{"2262-04-11T23:47:16.854775807Z", "1970-01-01T00:00:00Z"}, {"2262-04-11T23:47:16.854775808Z", "1970-01-01T00:00:00Z"},
		{"1970-01-01T00:00:00Z", "2262-04-11T23:47:16.854775808Z"}, {"1970-01-01T00:00:00Z", "2262-04-11T23:47:16.854775809Z"},
		{"2262-04-11T23:47:17Z", "1970-01-01T00:00:00.2Z"}, {"9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"},
		{"2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z"},
	} {
		add(betweenRow(pair[0], pair[1]))
	}
	for _, span := range []string{"-9223372036854775808ns", "9223372036854775807ns", "1ns", "-1ns", "0s"} {
		for _, moment := range []string{"1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59+01:00"} {
			add(shiftRow(moment, span))
		}
	}
	return t
}
