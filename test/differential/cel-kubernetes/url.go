package main

import (
	"strings"

	"github.com/google/cel-go/common/types"
)

var urls = []string{
	"https://user:pass@example.com:80/path?query=val#fragment", "/absolute-path", "https://a:b:c/", "../relative-path", "", "*", "/", "//", "///",
	"//host/path", "http:", "http://", "http:///", "http:///path", "http://host", "HTTP://Host/Path", "mailto:a@b.c", "mailto:a@b.c?subject=x",
	"urn:isbn:1", "a:b", "1a://x", "+a://x", "a+b.c-1://x", ":foo", "://x", "http//x", "http://[::1]:80/", "http://[::1]", "http://[::1", "http://::1]",
	"http://[::1]x", "http://[::1]:x", "http://[::1]:", "http://[1.2.3.4]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%25en%41]/",
	"http://[fe80::1%eth0]/", "http://[fe80::1%25]/", "http://[fe80::1%20x]/", "http://[g]/", "http://x[::1]/", "http://[::1]]/", "http://[[::1]/",
	"http://[::ffff:1.2.3.4]/", "http://a b/", "http://a%20b/", "http://a%41b/", "http://a%e4b/", "http://a%25b/", "http://ä.de/", "http://a<b>/",
	"http://a\"b/", "http://a'b/", "http://a{b/", "http://a|b/", "http://a\\b/", "http://a^b/", "http://a`b/", "http://host:80", "http://host:", "http://host:a",
	"http://host:80:90", "ftp://host:80:90", "ftp://host:a:90", "ftp://a:b:", "http://:80/", "http://user@host", "http://user:@host", "http://:pass@host", "http://@host",
	"http://us%20er:p%40ss@host/", "http://us er@host/", "http://ü@host/", "http://a@b@host/", "http://a:b:c@host/", "http://a%zz@host/", "http://a/b@host/",
	"/path with spaces/", "/path%20with%20spaces/", "/a%2Fb", "/a%2fb", "/a%zz", "/a%", "/a%2", "/ä", "/%C3%A4", "/%c3%a4", "/%ff", "/a[b]", "/a{b}", "/a;b,c", "/a!b'c(d)*e",
	"/a%21", "/a+b", "/a%2Bb", "/a\"b", "/a<b>", "/a^b|c`", "/a~b%7Ec", "/a?b", "/a?", "/a??", "/a?b?c", "/a?b#c", "/a#", "/a#b", "/a#b%20c", "/a#b c", "/a#%zz", "/a#b#c", "/a#ä", "/a#!$()*",
	"/?k1=a&k2=b&k2=c", "/?key with spaces=value with spaces", "/?a+b=c+d", "/?a%20b=c%2Bd", "/?a", "/?a=", "/?=a", "/?=", "/?&", "/?&&a=1&&", "/?a=1;b=2", "/?a=1&b=2;c=3&d=4",
	"/?a=%zz&b=1", "/?%zz=1&b=1", "/?a=b=c", "/?ä=ö", "/?%C3%A4=%C3%B6", "/?a=%00", "/?a=%ff", "/?a[]=1&a[]=2", "/?__proto__=1&constructor=2", "/?a=1#b",
	"http://host?a=1", "http://host#b", "http://host?", "http:?a", "http:#a", "x:/a", "x:/a/b", "x:a/b?c#d", "x://", "x:///a", "/a:b", "//a:b", "/a//b", "/./a/../b", "/a\tb", "/a\nb", "/a\x7fb", "/a\x00b",
	"http://host/\u2028", "http://a.b.c.d.e:65536/x", "http://host:99999999999999/", "http://%zz/", "http://%/", "http://a%2fb/", "http://a%C3%A4/", "http://a%7f/", "http://a%80/", "http://\u00a0/", "/\U0001f600", "http://\U0001f600/?\U0001f600=1",
	"http://[::1]:80:90/", "http://[::1%25a]:1/", "http://a@[::1]/", "http://a[b@host/", "http://a]b/", "javascript:alert(1)", "data:text/plain,hi", "file:///etc/passwd", "file://host/a", "c:/a", "c:\\a", " /a", "/a ", " http://a", "http ://a", "h\u00e9://a", "http://a//b", "http://a/?x=1&x=2&y=3",
}

func urlRow(text string) row {
	r := row{
		"text": text, "isURL": answer("isURL(s)", text, "", 0), "cost": cost("url", "string_to_url", types.String(text)),
		"validateCost": cost("validate", "format-validate", value("format.uri()", ""), types.String(text)),
	}
	if messages := answer("format.uri().validate(s)", text, "", 0); messages != nil {
		r["messages"] = messages
	}
	if answer("url(s)", text, "", 0) == nil {
		r["refused"] = true
		return r
	}
	r["string"] = answer("url(s)", text, "", 0)
	for _, part := range fields("Scheme Host Hostname Port EscapedPath") {
		r[strings.ToLower(part)] = answer("url(s).get"+part+"()", text, "", 0)
	}
	query, err := value("url(s).getQuery()", text).ConvertToNative(queryType)
	check(err)
	r["query"] = query
	return r
}

func urlTable(o options) table {
	t := table{file: "cel-url.json", module: "k8s.io/apiserver"}
	g := newGenerator(o, urls, fields("a b Z 0 : / // @ ? # % %20 %2F %zz %ff [ ] & = ; + . - ä < \" ^ ://x http:// \\")...)
	for _, text := range g.texts(o.generated) {
		t.rows = append(t.rows, urlRow(text))
	}
	return t
}
