package main

import (
	"archive/zip"
	"os"
	"strings"
)

func fields(text string) []string { return strings.Fields(text) }

var allZones []string

// zoneNames are all names that Go has, but for the placeholder of a clock that nobody has set.
func zoneNames() []string {
	if allZones != nil {
		return allZones
	}
	archive, err := zip.OpenReader(os.Getenv("ZONEINFO"))
	check(err)
	defer archive.Close()
	for _, file := range archive.File {
		if !strings.HasSuffix(file.Name, "/") && file.Name != "Factory" {
			allZones = append(allZones, file.Name)
		}
	}
	return allZones
}
