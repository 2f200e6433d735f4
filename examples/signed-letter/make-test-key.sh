#!/bin/sh
# Makes a signing key for tests in the given folder: example.p12 with a certificate of its own, its password, and that all may use it.
#   sh examples/signed-letter/make-test-key.sh keys
set -eu
folder=${1:?the folder of the keys}
mkdir -p "$folder"
chmod 700 "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=Kestrel & Pine (test)" \
  -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
openssl rand -hex 24 > "$folder/example.password"
openssl pkcs12 -export -inkey "$folder/key.pem" -in "$folder/certificate.pem" \
  -out "$folder/example.p12" -passout "file:$folder/example.password"
echo '*' > "$folder/example.allow"
rm "$folder/key.pem" "$folder/certificate.pem"
