package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// generate changes healthy catalogs in one to four ways. The same seed gives the same catalogs.
func generate(healthy [][]document, count int, seed uint64) []row {
	m := &mutation{Rand: rand.New(rand.NewPCG(seed, 30))}
	seen := map[string]bool{}
	var rows []row
	for len(rows) < count {
		m.documents, m.done = nil, nil
		for _, d := range pick(m, healthy) {
			m.documents = append(m.documents, replaced(d, nil).(document))
		}
		for range pick(m, []int{1, 1, 1, 2, 2, 3, 4}) {
			change := pick(m, changes)
			if change.apply(m) {
				m.done = append(m.done, change.name)
			}
		}
		if key := text(m.documents); len(m.done) > 0 && !seen[key] {
			seen[key] = true
			name := fmt.Sprintf("generated %d: %s", len(rows)+1, strings.Join(m.done, ", "))
			rows = append(rows, row{Name: name, Documents: m.documents})
		}
	}
	return rows
}

// mutation is a catalog while it is being changed.
type mutation struct {
	*rand.Rand
	documents []document
	done      []string
}

// A change says whether it found something to change.
type change struct {
	name  string
	apply func(*mutation) bool
}

// Some changes keep a catalog healthy, most break it, and some depend on the rest of the catalog.
var changes = []change{
	{"drop document", func(m *mutation) bool { return m.dropOne(m.any()) }},
	{"drop bundle", func(m *mutation) bool { return m.dropOne(m.of("olm.bundle")) }},
	{"drop channel", func(m *mutation) bool { return m.dropOne(m.of("olm.channel")) }},
	{"repeat document", func(m *mutation) bool { return m.repeat(m.any(), nil) }},
	{"new bundle", func(m *mutation) bool { return m.newBundle(false) }},
	{"new head", func(m *mutation) bool { return m.newBundle(true) }},
	{"new head", func(m *mutation) bool { return m.newBundle(true) }},
	{"new head", func(m *mutation) bool { return m.newBundle(true) }},
	{"new head", func(m *mutation) bool { return m.newBundle(true) }},
	{"new channel", (*mutation).newChannel},
	{"new channel", (*mutation).newChannel},
	{"new edges", (*mutation).newEdges},
	{"new edges", (*mutation).newEdges},
	{"new edges", (*mutation).newEdges},
	{"new edges", (*mutation).newEdges},
	{"rename bundle", func(m *mutation) bool { return m.setIn(m.of("olm.bundle"), "name", m.bundleName()) }},
	{"rename channel", func(m *mutation) bool { return m.setIn(m.of("olm.channel"), "name", m.channelName()) }},
	{"rename bundle everywhere", (*mutation).renameEverywhere},
	{"rename bundle everywhere", (*mutation).renameEverywhere},
	{"other package", func(m *mutation) bool { return m.setIn(m.any(), "package", m.packageName()) }},
	{"other default channel", func(m *mutation) bool { return m.setIn(m.of("olm.package"), "defaultChannel", m.channelName()) }},
	{"drop entry", (*mutation).dropEntry},
	{"repeat entry", (*mutation).repeatEntry},
	{"rename entry", func(m *mutation) bool { return m.setInEntry("name", m.bundleName()) }},
	{"replaces", func(m *mutation) bool { return m.setInEntry("replaces", m.bundleName()) }},
	{"replaces", func(m *mutation) bool { return m.setInEntry("replaces", m.bundleName()) }},
	{"drop replaces", func(m *mutation) bool { return m.setInEntry("replaces", nil) }},
	{"skips", (*mutation).addSkip},
	{"skips", (*mutation).addSkip},
	{"drop skips", func(m *mutation) bool { return m.setInEntry("skips", nil) }},
	{"skipRange", func(m *mutation) bool { return m.setInEntry("skipRange", pick(m, ranges)) }},
	{"skipRange", func(m *mutation) bool { return m.setInEntry("skipRange", pick(m, ranges)) }},
	{"swap entries", (*mutation).swapEntries},
	{"version", func(m *mutation) bool { return m.setInIdentity("version", pick(m, versions)) }},
	{"release", func(m *mutation) bool { return m.setInIdentity("release", pick(m, releases)) }},
	{"image", func(m *mutation) bool { return m.setIn(m.of("olm.bundle"), "image", pick(m, images)) }},
	{"related image", (*mutation).addRelatedImage},
	{"property", (*mutation).addProperty},
	{"property", (*mutation).addProperty},
	{"drop property", (*mutation).dropProperty},
	{"repeat property", (*mutation).repeatProperty},
	{"deprecation", (*mutation).addDeprecation},
	{"deprecation", (*mutation).addDeprecation},
	{"description", func(m *mutation) bool { return m.setIn(m.of("olm.package"), "description", "what it is") }},
	{"unknown field", func(m *mutation) bool { return m.setIn(m.any(), "colour", "red") }},
	{"key in other case", (*mutation).otherCase},
	{"shuffle documents", (*mutation).shuffle},
	{"shuffle documents", (*mutation).shuffle},
	{"key in other case", (*mutation).otherCase},
	{"field", (*mutation).breakField},
	{"field", (*mutation).breakField},
	{"drop field", (*mutation).dropField},
}

var (
	ranges   = []any{">=1.0.0 <3.0.0", "<2.0.0", "1.x", ">=1.0.0 || <0.5.0", "", "^1.0.0", "<v1.0.0"}
	versions = []any{"1.0.0", "2.0.0", "1.5.0", "1.0.0-rc.1", "1.0.0+b", "0.0.0", "7.0.0", "1.0", "v1.0.0", ""}
	releases = []any{"1", "2", "01", "a b"}
	images   = []any{"foo:7", "example.com/foo:7", "example.com:5000/a/b@sha256:" + strings.Repeat("0f", 32), "Foo", "foo@md5:0", ""}
	messages = []any{"use another", "use another", "use another", ""}
	wrong    = []any{nil, "", "x", 5, true, []any{}, document{}, []any{""}, []any{nil}}
	extra    = []any{
		document{"type": "olm.gvk", "value": document{"group": "g.io", "version": "v1", "kind": "Bar"}},
		document{"type": "olm.gvk", "value": "g.io/v1/Bar"},
		document{"type": "olm.package.required", "value": document{"packageName": "bar", "versionRange": ">=1.0.0"}},
		document{"type": "olm.constraint", "value": document{"failureMessage": "m", "cel": document{"rule": "("}}},
		document{"type": "olm.package", "value": document{"packageName": "foo", "version": "1.0.0"}},
		document{"type": "olm.bundle.object", "value": document{"data": "e30="}},
		document{"type": "olm.csv.metadata", "value": document{"displayName": "Foo"}},
		document{"type": "my.thing", "value": []any{1, "two", nil}},
		document{"type": "my.thing"},
	}
)

func (m *mutation) any() []document { return m.documents }

func (m *mutation) of(schema string) []document {
	var found []document
	for _, d := range m.documents {
		if d["schema"] == schema {
			found = append(found, d)
		}
	}
	return found
}

func (m *mutation) packageName() any { return pick(m, []any{"foo", "bar", "baz"}) }

func (m *mutation) channelName() any { return pick(m, []any{"stable", "fast", "slow", ""}) }

// bundleName is mostly one that the catalog has.
func (m *mutation) bundleName() any {
	names := []any{"foo.v1", "foo.v9"}
	for _, b := range m.of("olm.bundle") {
		names = append(names, b["name"], b["name"])
	}
	return pick(m, names)
}

func (m *mutation) dropOne(from []document) bool {
	if len(from) == 0 {
		return false
	}
	dropped := text(pick(m, from))
	at := slices.IndexFunc(m.documents, func(d document) bool { return text(d) == dropped })
	m.documents = slices.Delete(m.documents, at, at+1)
	return true
}

func (m *mutation) repeat(from []document, changes document) bool {
	if len(from) == 0 {
		return false
	}
	again := replaced(pick(m, from), nil).(document)
	maps.Copy(again, changes)
	m.documents = append(m.documents, again)
	return true
}

// newBundle adds a bundle; as the head of a channel, if it is to be listed.
func (m *mutation) newBundle(isListed bool) bool {
	channels := m.of("olm.channel")
	if len(channels) == 0 {
		return false
	}
	in := pick(m, channels)
	owner := in["package"]
	number := len(m.documents)
	name := fmt.Sprintf("%v.v%d", owner, number)
	identity := document{"packageName": owner, "version": fmt.Sprintf("%d.0.0", number)}
	m.documents = append(m.documents, document{
		"schema": "olm.bundle", "package": owner, "name": name, "image": "new",
		"properties": []any{document{"type": "olm.package", "value": identity}},
	})
	if entries, ok := in["entries"].([]any); ok && isListed {
		entry := document{"name": name}
		if last, ok := lastOf(entries).(document); ok {
			entry["replaces"] = last["name"]
		}
		in["entries"] = append(entries, entry)
	}
	return true
}

func (m *mutation) newChannel() bool {
	return m.repeat(m.of("olm.channel"), document{"name": m.channelName()})
}

func (m *mutation) renameEverywhere() bool {
	bundles := m.of("olm.bundle")
	if len(bundles) == 0 {
		return false
	}
	old, ok := pick(m, bundles)["name"].(string)
	for i, d := range m.documents {
		m.documents[i] = replaced(d, map[string]string{old: "renamed"}).(document)
	}
	return ok
}

// setIn sets a field, or drops it if there is no value.
func (m *mutation) setIn(from []document, key string, value any) bool {
	if len(from) == 0 {
		return false
	}
	set(pick(m, from), key, value)
	return true
}

func set(d document, key string, value any) {
	if value == nil {
		delete(d, key)
	} else {
		d[key] = value
	}
}

// items are the lists of that name, in the documents of a schema, that have something in them.
func (m *mutation) items(schema, key string) []document {
	return slices.DeleteFunc(m.of(schema), func(d document) bool {
		list, ok := d[key].([]any)
		return !ok || len(list) == 0
	})
}

func (m *mutation) dropFrom(schema, key string) bool {
	from := m.items(schema, key)
	if len(from) == 0 {
		return false
	}
	d := pick(m, from)
	list := d[key].([]any)
	at := m.IntN(len(list))
	d[key] = slices.Delete(list, at, at+1)
	return true
}

func (m *mutation) repeatIn(schema, key string) bool {
	from := m.items(schema, key)
	if len(from) == 0 {
		return false
	}
	d := pick(m, from)
	list := d[key].([]any)
	d[key] = append(list, replaced(pick(m, list), nil))
	return true
}

func (m *mutation) dropEntry() bool      { return m.dropFrom("olm.channel", "entries") }
func (m *mutation) dropProperty() bool   { return m.dropFrom("olm.bundle", "properties") }
func (m *mutation) repeatEntry() bool    { return m.repeatIn("olm.channel", "entries") }
func (m *mutation) repeatProperty() bool { return m.repeatIn("olm.bundle", "properties") }

func (m *mutation) entry() (document, bool) {
	channels := m.items("olm.channel", "entries")
	if len(channels) == 0 {
		return nil, false
	}
	entry, ok := pick(m, pick(m, channels)["entries"].([]any)).(document)
	return entry, ok
}

func (m *mutation) setInEntry(key string, value any) bool {
	entry, ok := m.entry()
	if ok {
		set(entry, key, value)
	}
	return ok
}

func (m *mutation) addSkip() bool {
	entry, ok := m.entry()
	if ok {
		skips, _ := entry["skips"].([]any)
		name := m.bundleName()
		if m.IntN(12) == 0 {
			name = ""
		}
		entry["skips"] = append(skips, name)
	}
	return ok
}

func (m *mutation) swapEntries() bool {
	channels := m.items("olm.channel", "entries")
	if len(channels) == 0 {
		return false
	}
	entries := pick(m, channels)["entries"].([]any)
	a, b := m.IntN(len(entries)), m.IntN(len(entries))
	entries[a], entries[b] = entries[b], entries[a]
	return true
}

// newEdges draws the graph of a channel anew: mostly a chain, with gaps, detours and circles.
func (m *mutation) newEdges() bool {
	channels := m.items("olm.channel", "entries")
	if len(channels) == 0 {
		return false
	}
	entries := pick(m, channels)["entries"].([]any)
	for i, item := range entries {
		entry, ok := item.(document)
		if !ok {
			continue
		}
		delete(entry, "replaces")
		delete(entry, "skips")
		switch lot := m.IntN(8); {
		case lot == 0:
			entry["replaces"] = m.bundleName()
		case lot < 7 && i > 0:
			before, _ := entries[i-1-m.IntN(min(i, 2))].(document)
			set(entry, "replaces", before["name"])
		}
		for range m.IntN(3) * m.IntN(2) {
			skips, _ := entry["skips"].([]any)
			entry["skips"] = append(skips, m.bundleName())
		}
	}
	return true
}

func (m *mutation) setInIdentity(key string, value any) bool {
	bundles := m.items("olm.bundle", "properties")
	if len(bundles) == 0 {
		return false
	}
	property, _ := pick(m, bundles)["properties"].([]any)[0].(document)
	identity, ok := property["value"].(document)
	if ok {
		identity[key] = value
	}
	return ok
}

func (m *mutation) addTo(schema, key string, item any) bool {
	from := m.of(schema)
	if len(from) == 0 {
		return false
	}
	d := pick(m, from)
	list, ok := d[key].([]any)
	if ok || d[key] == nil {
		d[key] = append(list, item)
	}
	return ok
}

func (m *mutation) addProperty() bool {
	return m.addTo("olm.bundle", "properties", replaced(pick(m, extra), nil))
}

func (m *mutation) addRelatedImage() bool {
	return m.addTo("olm.bundle", "relatedImages", document{"name": "a", "image": pick(m, images)})
}

func (m *mutation) addDeprecation() bool {
	if len(m.of("olm.deprecations")) == 0 {
		m.documents = append(m.documents, document{"schema": "olm.deprecations", "package": m.packageName(), "entries": []any{}})
	}
	reference := pick(m, []document{
		{"schema": "olm.package"},
		{"schema": "olm.channel", "name": m.channelName()},
		{"schema": "olm.bundle", "name": m.bundleName()},
		{"schema": "olm.bundle", "name": m.bundleName()},
	})
	return m.addTo("olm.deprecations", "entries", document{"reference": reference, "message": pick(m, messages)})
}

func (m *mutation) shuffle() bool {
	m.Shuffle(len(m.documents), func(a, b int) { m.documents[a], m.documents[b] = m.documents[b], m.documents[a] })
	return true
}

func (m *mutation) otherCase() bool {
	if len(m.documents) == 0 {
		return false
	}
	d := pick(m, m.documents)
	if key := m.key(d); key != "" {
		value := d[key]
		delete(d, key)
		d[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return true
}

// place is an object somewhere in the catalog, and one of its keys.
func (m *mutation) place() (document, string) {
	if len(m.documents) == 0 {
		return nil, ""
	}
	d := pick(m, m.documents)
	for {
		key := m.key(d)
		if key == "" {
			return nil, ""
		}
		inner := d[key]
		if list, ok := inner.([]any); ok && len(list) > 0 {
			inner = pick(m, list)
		}
		if deeper, ok := inner.(document); ok && m.IntN(5) > 0 {
			d = deeper
			continue
		}
		return d, key
	}
}

func (m *mutation) key(d document) string {
	if len(d) == 0 {
		return ""
	}
	return pick(m, slices.Sorted(maps.Keys(d)))
}

func (m *mutation) breakField() bool {
	d, key := m.place()
	if key != "" {
		d[key] = replaced(pick(m, wrong), nil)
	}
	return key != ""
}

func (m *mutation) dropField() bool {
	d, key := m.place()
	delete(d, key)
	return key != ""
}

func lastOf(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

func pick[T any](m *mutation, from []T) T { return from[m.IntN(len(from))] }
