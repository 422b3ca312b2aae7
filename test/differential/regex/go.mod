module plimsoll/test/differential/regex

go 1.26
