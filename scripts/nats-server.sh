#!/bin/sh
# Prints the path of a nats-server that is 2.14 or newer. If the PATH has none, Debian's package of the suite forky is
# taken into node_modules/.cache. apt checks its signature and uses folders of its own: the system is not changed, and no
# root is needed. Without a current server it prints nothing and exits with 1.
set -eu
cd "$(dirname "$0")/.."

suite=forky
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
cache="$PWD/node_modules/.cache/nats-server"
# On Debian, nats-server is in /usr/sbin, which is not in the PATH of normal users.
PATH="$PATH:/usr/sbin"

say() { printf '%s\n' "platen: $*" >&2; }

is_current() {
  version=$("$1" --version 2>/dev/null) || return 1
  number=$(printf '%s' "$version" | sed -n 's/.*v\([0-9]*\)\.\([0-9]*\)\..*/\1 * 1000 + \2/p')
  [ "$((${number:-0}))" -ge 2014 ]
}

# The Debian mirrors among the sources of this machine. apt reads the sources in both of their forms, and tells what an update
# would fetch: `apt-get indextargets` knows only lists that were downloaded, and a new container has none.
debian_mirrors() {
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  apt-get update --print-uris 2>/dev/null |
    sed -n "s,^'\([^']*\)/dists/\($codename\|stable\|oldstable\|testing\)/main/binary-.*,\1,p" | grep -v '^cdrom:' | sort -u
}

# Leaves the package's files in $work/package.
download_from() {
  mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/download"
  printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$1" "$suite" >"$work/sources.list"
  set -- -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work" -o "Dir::Cache::archives=$work/archives" \
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::Retries=1 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o APT::Sandbox::User=
  timeout 120 apt-get "$@" update || return 1
  (cd "$work/download" && timeout 120 apt-get "$@" download nats-server) || return 1
  dpkg -x "$work"/download/nats-server_*.deb "$work/package"
}

if found=$(command -v nats-server) && is_current "$found"; then
  printf '%s\n' "$found"
  exit 0
fi
# What cannot be had and the cure, in one line.
give_up() {
  say "no nats-server 2.14 or newer: $1. Put one into the PATH, or set NATS_SERVER_PATH; an older one flushes every two minutes"
  exit 1
}

if ! is_current "$cache/nats-server"; then
  for program in apt-get dpkg timeout; do
    command -v "$program" >/dev/null || give_up "the PATH has none, and this system has no $program to download it from Debian"
  done
  [ -e "$keyring" ] || give_up "the PATH has none, and this system has no keys of Debian ($keyring)"
  mirrors=$(debian_mirrors)
  [ -n "$mirrors" ] || give_up "the PATH has none, and the package sources of this system name no mirror of Debian"
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/new-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  say "downloading a current nats-server from Debian's suite $suite (once, a few seconds)"
  for mirror in $mirrors; do
    if ! download_from "$mirror" >&2; then continue; fi
    if is_current "$work/package/usr/sbin/nats-server"; then
      mv "$work/package/usr/sbin/nats-server" "$cache/nats-server"
      break
    fi
  done
  # shellcheck disable=SC2086
  is_current "$cache/nats-server" || give_up "the PATH has none, and Debian's suite $suite could not be read at$(printf ' %s' $mirrors)"
fi
printf '%s\n' "$cache/nats-server"
