#!/usr/bin/env bash
# Which certificates do the tests use? This script made them, once; they are valid for a hundred years, but for one. Their
# keys are no secrets: nothing outside a test on loopback trusts these authorities.
#   authority          signs all others; the API servers of the tests accept its client certificates
#   other-authority    signs none of them
#   server             a server or proxy on 127.0.0.1
#   elsewhere          one whose certificate is for another host
#   expired            one on 127.0.0.1 whose certificate was valid in 2020
#   client             the user cert-user of the group plimsoll-testers
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index"
cat >"$work/ca.cnf" <<END
[ca]
default_ca = authority
[authority]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = anything
unique_subject = no
[anything]
organizationName = optional
commonName = supplied
END
forever=(-startdate 20200101000000Z -enddate 21200101000000Z)
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n' >"$work/authority.ext"
for name in authority other-authority; do
	key "$work/$name.key"
	openssl req -new -key "$work/$name.key" -subj "/CN=plimsoll test $name" -out "$work/$name.csr"
	openssl ca -batch -notext -config "$work/ca.cnf" -selfsign -keyfile "$work/$name.key" "${forever[@]}" \
		-extfile "$work/authority.ext" -in "$work/$name.csr" -out "$name.crt"
done

# issue NAME SUBJECT USAGE ALTERNATIVE-NAMES VALIDITY...
issue() {
	local name=$1 subject=$2 usage=$3 names=$4
	shift 4
	key "$name.key"
	openssl req -new -key "$name.key" -subj "$subject" -out "$work/$name.csr"
	printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=%s\nauthorityKeyIdentifier=keyid\n' "$usage" >"$work/$name.ext"
	[ -z "$names" ] || printf 'subjectAltName=%s\n' "$names" >>"$work/$name.ext"
	openssl ca -batch -notext -config "$work/ca.cnf" -cert authority.crt -keyfile "$work/authority.key" "$@" \
		-extfile "$work/$name.ext" -in "$work/$name.csr" -out "$name.crt"
}
issue server /CN=127.0.0.1 serverAuth IP:127.0.0.1,DNS:localhost "${forever[@]}"
issue elsewhere /CN=elsewhere.example serverAuth DNS:elsewhere.example "${forever[@]}"
issue expired /CN=127.0.0.1 serverAuth IP:127.0.0.1,DNS:localhost -startdate 20200101000000Z -enddate 20210101000000Z
issue client /O=plimsoll-testers/CN=cert-user clientAuth "" "${forever[@]}"
