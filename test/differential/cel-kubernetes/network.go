package main

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var addresses = []string{
	"0.0.0.0", "127.0.0.1", "127.255.255.255", "128.0.0.1", "192.168.0.1", "255.255.255.255", "224.0.0.1", "224.0.1.1", "239.1.1.1",
	"169.254.169.254", "169.255.0.1", "240.0.0.1", "10.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "00.0.0.0", "1..2.3",
	".1.2.3", "1.2.3.", "1.2.3.4.", "+1.2.3.4", "-1.2.3.4", " 1.2.3.4", "1.2.3.4 ", "0x7f.0.0.1", "127.1", "2130706433", "", ".", "...", ":",
	"::", ":::", "::1", "1::", "::1:2", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "1:2:3:4:5:6:7:8::",
	"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "1::2::3", "12345::", "g::", "::g", "FE80::1", "fe80::1",
	"fe80::1%eth0", "fe80::1%", "%eth0", "1.2.3.4%eth0", "febf::1", "fec0::1", "ff00::1", "ff02::1", "ff12::1", "ff32::1", "ff05::1", "fd00::1",
	"2001:db8::abcd", "2001:DB8::ABCD", "2001:db8::0:0:0:abcd", "2001:0db8::1", "2001:db8:0:0:1:0:0:1", "2001:db8:0:1:0:0:0:1", "1:0:0:2:0:0:0:3",
	"0:0:0:0:0:0:0:0", "0:0:0:0:0:0:0:1", "::ffff:1.2.3.4", "::ffff:102:304", "0:0:0:0:0:ffff:1.2.3.4", "::fffe:1.2.3.4", "::1.2.3.4",
	"64:ff9b::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::1.2.3.4.5", "::01.2.3.4", "1.2.3.4::",
	"::1.2.3.4:5", "[::1]", "::1/128", "1:2:3:4:5:6:7:0", "0:1:2:3:4:5:6:7", "1:0:3:4:5:6:7:8", "::ffff:0:0", "::ffff:0", "0::0", "١.٢.٣.٤",
}

var ranges = []string{
	"0.0.0.0/0", "10.0.0.0/8", "10.0.0.1/8", "192.168.0.0/16", "192.168.0.0/24", "192.168.1.5/24", "192.168.10.0/24", "1.2.3.4/32", "1.2.3.4/33",
	"1.2.3.4/31", "1.2.3.4/-1", "1.2.3.4/+8", "1.2.3.4/08", "1.2.3.4/00", "1.2.3.4/0", "1.2.3.4/", "1.2.3.4", "/8", "", "/", "1.2.3.4/8/8",
	"1.2.3.4/a", "1.2.3.4/8 ", "1.2.3.4/ 8", "1.2.3.4/99999999999999999999", "01.2.3.4/8", "1.2.3/8", "::/0", "::1/128", "::1/129", "::1/64",
	"2001:db8::/32", "2001:DB8::1/32", "2001:db8:ffff::/48", "fe80::1%eth0/64", "::ffff:1.2.3.4/24", "::ffff:1.2.3.4/120", "::ffff:0:0/96",
	"::1.2.3.4/112", "fe80::/10", "ff00::/8", "255.255.255.255/1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/1", "10.1.2.3/20", "2001:db8::1/127",
	"0.0.0.0/32", "::/128", "1.2.3.4/1_0", "1.2.3.4/１",
}

const ipFlags = "isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast"

func ipTable(o options) table {
	t := table{file: "cel-ip.json", module: "k8s.io/apiserver"}
	g := newGenerator(o, addresses, fields("0 1 9 255 256 . : :: f F ffff 12345 % 00 / x")...)
	for _, text := range g.texts(o.generated) {
		s := types.String(text)
		r := row{
			"text": text, "isIP": answer("isIP(s)", text, "", 0),
			"costs": []uint64{cost("ip", "string_to_ip", s), cost("isIP", "is_ip", s), cost("ip.isCanonical", "ip_is_canonical", s)},
		}
		if r["isIP"] == true {
			r["string"] = answer("string(ip(s))", text, "", 0)
			r["canonical"] = answer("ip.isCanonical(s)", text, "", 0)
			r["family"] = answer("ip(s).family()", text, "", 0)
			var flags []string
			for _, flag := range fields(ipFlags) {
				flags = append(flags, "ip(s)."+flag+"()")
			}
			r["flags"] = answers(text, "", 0, flags...)
		}
		t.rows = append(t.rows, r)
	}
	return t
}

func cidrTable(o options) table {
	t := table{file: "cel-cidr.json", module: "k8s.io/apiserver"}
	g := newGenerator(o, ranges, fields("0 1 9 255 / /8 /24 /32 /64 . : :: f 128 + - 00")...)
	var good []string
	for _, text := range g.texts(o.generated) {
		s := types.String(text)
		r := row{"kind": "cidr", "text": text, "isCIDR": answer("isCIDR(s)", text, "", 0), "cost": cost("cidr", "string_to_cidr", s)}
		if r["isCIDR"] == true {
			good = append(good, text)
			r["string"] = answer("string(cidr(s))", text, "", 0)
			r["ip"] = answer("string(cidr(s).ip())", text, "", 0)
			r["prefixLength"] = answer("cidr(s).prefixLength()", text, "", 0)
			r["masked"] = answer("string(cidr(s).masked())", text, "", 0)
			r["isMask"] = answer("cidr(s) == cidr(s).masked()", text, "", 0)
		}
		t.rows = append(t.rows, r)
	}
	for range o.generated {
		t.rows = append(t.rows, containsIP(g.pick(good), g.pick(addresses)), containsCIDR(g.pick(good), g.pick(good)))
	}
	for _, pair := range [][2]string{
		{"192.168.0.0/24", "192.168.0.1"}, {"192.168.0.0/24", "192.168.1.1"}, {"10.0.0.1/8", "10.9.9.9"}, {"::/0", "1.2.3.4"},
		{"0.0.0.0/0", "::1"}, {"0.0.0.0/0", "1.2.3.4"}, {"2001:db8::/32", "2001:db8:1::1"}, {"192.168.0.0/24", "bad"}, {"::/0", "fe80::1%eth0"},
	} {
		t.rows = append(t.rows, containsIP(pair[0], pair[1]))
	}
	for _, pair := range [][2]string{
		{"192.168.0.0/16", "192.168.10.0/24"}, {"192.168.10.0/24", "192.168.0.0/16"}, {"192.168.0.0/16", "192.168.0.0/16"},
		{"192.168.0.0/16", "192.168.3.4/16"}, {"::/0", "0.0.0.0/0"}, {"2001:db8::/32", "2001:db8:1::/48"}, {"10.0.0.0/8", "11.0.0.0/8"},
		{"10.0.0.0/8", "bad"}, {"10.0.0.0/8", "10.0.0.1"},
	} {
		t.rows = append(t.rows, containsCIDR(pair[0], pair[1]))
	}
	return t
}

func containsIP(cidr, ip string) row {
	return row{
		"kind": "containsIP", "cidr": cidr, "ip": ip, "byText": answer("cidr(s).containsIP(t)", cidr, ip, 0),
		"byValue": answer("cidr(s).containsIP(ip(t))", cidr, ip, 0),
		"costs": []uint64{
			cost("containsIP", "cidr_contains_ip_string", value("cidr(s)", cidr), types.String(ip)),
			cost("containsIP", "cidr_contains_ip_ip", value("cidr(s)", cidr), types.String(ip)),
		},
	}
}

func containsCIDR(cidr, other string) row {
	return row{
		"kind": "containsCIDR", "cidr": cidr, "other": other, "byText": answer("cidr(s).containsCIDR(t)", cidr, other, 0),
		"byValue": answer("cidr(s).containsCIDR(cidr(t))", cidr, other, 0),
		"costs": []uint64{
			cost("containsCIDR", "cidr_contains_cidr_string", value("cidr(s)", cidr), types.String(other)),
			cost("containsCIDR", "cidr_contains_cidr", value("cidr(s)", cidr), types.String(other)),
		},
	}
}

// value is what the expression yields; it must not fail.
func value(expression, s string) ref.Val {
	v, err := ask(expression, s, "", 0)
	check(err)
	return v
}
