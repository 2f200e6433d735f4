#!/bin/sh
# Writes .env beside docker-compose.yml with random secrets, and .nats with the password that nats-server accepts. Does not overwrite
# .env, because stored data needs its secrets: beside one without .nats, it writes only that. With the path of another file it writes
# that file only.
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
target=${1:-$top/.env}
passwords=$top/.nats/nats.conf

die() {
  echo "make-env: $*" >&2
  exit 1
}

# A letter and 32 random bytes in hex. NATS reads a password that begins with a digit as a number.
secret() { printf 's%s' "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')"; }

# setting <name> <file>
setting() { sed -n "s/^$1=//p" "$2" | tail -n 1; }

# write_passwords <file>: the login of the services in this file becomes the only one that nats-server accepts. Secrets are in no
# argument of a program, as every user can read those.
write_passwords() {
  user=$(setting NATS_USER "$1")
  password=$(setting NATS_PASSWORD "$1")
  of_renderer=$(setting NATS_RENDERER_PASSWORD "$1")
  case ${user:=platen} in platen | platen-2) ;; *) die "$1: NATS_USER must be platen or platen-2" ;; esac
  [ -n "$password" ] && [ -n "$of_renderer" ] || die "$1 has no NATS_PASSWORD or no NATS_RENDERER_PASSWORD"
  case $password$of_renderer in
    *[!A-Za-z0-9._-]*) die "$1: passwords of NATS must be letters, digits, dots, hyphens and underscores, without quotes" ;;
  esac
  # In the repository, for which there is no password.
  nobody=$(sed -n 's/^PLATEN_2_PASS: *"\(.*\)"$/\1/p' "$here/../nats/passwords/nats.conf")
  # Docker makes it, as root, where it is missing when nats is started.
  rmdir "$top/.nats" 2>/dev/null || true
  mkdir -p "$top/.nats"
  {
    echo '# Written by deploy/docker/make-env.sh, changed by rotate-nats-password.sh.'
    if [ "$user" = platen ]; then
      printf 'PLATEN_PASS: "%s"\nPLATEN_2_PASS: "%s"\n' "$password" "$nobody"
    else
      printf 'PLATEN_PASS: "%s"\nPLATEN_2_PASS: "%s"\n' "$nobody" "$password"
    fi
    printf 'RENDERER_PASS: "%s"\n' "$of_renderer"
  } >"$passwords.new"
  mv "$passwords.new" "$passwords"
}

if [ -e "$target" ]; then
  if [ $# = 0 ] && [ ! -e "$passwords" ]; then
    write_passwords "$target"
    echo "wrote $passwords, which has the password of NATS in $target; $target is not changed" >&2
    exit
  fi
  die "$target exists and is not changed"
fi

new=$target.new.$$
trap 'rm -f "$new"' EXIT
while IFS= read -r line; do
  case $line in
    API_KEY=) printf 'API_KEY=pk_%s\n' "$(secret)" ;;
    OBJECT_STORE_ACCESS_KEY=) printf 'OBJECT_STORE_ACCESS_KEY=platen\n' ;;
    OBJECT_STORE_RENDERER_ACCESS_KEY=) printf 'OBJECT_STORE_RENDERER_ACCESS_KEY=platen-renderer\n' ;;
    *=) printf '%s%s\n' "$line" "$(secret)" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$here/.env.example" >"$new"
# Before .env: without that one, this script begins again.
[ $# != 0 ] || write_passwords "$new"
mv "$new" "$target"
echo "wrote $target, which contains your API key" >&2
