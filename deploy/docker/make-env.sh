#!/bin/sh
# Writes .env beside docker-compose.yml with random secrets. Does not overwrite it, because stored data needs its secrets.
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)
target=${1:-$here/../../.env}

if [ -e "$target" ]; then
  echo "$target exists and is not changed" >&2
  exit 1
fi

# A letter and 32 random bytes in hex. NATS reads a password that begins with a digit as a number.
secret() { printf 's%s' "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')"; }

new=$target.new.$$
trap 'rm -f "$new"' EXIT
while IFS= read -r line; do
  case $line in
    API_KEY=) printf 'API_KEY=pk_%s\n' "$(secret)" ;;
    OBJECT_STORE_ACCESS_KEY=) printf 'OBJECT_STORE_ACCESS_KEY=platen\n' ;;
    *=) printf '%s%s\n' "$line" "$(secret)" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$here/.env.example" >"$new"
mv "$new" "$target"
echo "wrote $target, which contains your API key" >&2
