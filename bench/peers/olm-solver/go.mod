module olm-solver

go 1.26.3

require github.com/operator-framework/operator-lifecycle-manager v0.46.0

require github.com/go-air/gini v1.0.4 // indirect
