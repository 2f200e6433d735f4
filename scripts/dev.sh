#!/bin/sh
# Installs what is missing, then runs Platen, its tests or its tools. Needs Node 20 or newer with npm; the rest it gets.
set -eu
unset NODE_ENV
cd "$(dirname "$0")/.."

pnpm_version=12.21.0
browsers='chromium-headless-shell chromium chromium-browser google-chrome'
fonts='fontconfig fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji'

usage() {
  cat <<'HELP'
usage: npm start                 run Platen on this machine
       npm test                  lint, types and tests (-- path/of.test.ts: only that)
       npm run examples          load the example templates into a running Platen and print each to ./out
       npm run platen -- --help  the operators' command line
       npm run fidelity -- <…>   print documents by plain Chromium and by Platen, and show what differs (-- --help)
       npm run bench             measure rendering beside other ways to print (-- --quick: a look)
       npm run bench:engines     measure the event stores and object stores
       npm run bench:peers       install what the benchmark compares with, outside of this folder
HELP
}

say() { printf '%s\n' "platen: $*" >&2; }

die() {
  say "$*"
  exit 1
}

# nats-server lies in /usr/sbin on Debian, which is not in a plain user's PATH.
PATH="$PWD/node_modules/.bin:$PATH:/usr/sbin"
export PATH

install_packages() {
  # The lockfile that node_modules was made from is kept in it: nothing to do while they agree.
  stamp=node_modules/.platen-lock.yaml
  if cmp -s pnpm-lock.yaml "$stamp"; then return; fi
  say 'installing npm packages (once, about half a minute)'
  if [ "$(pnpm --version 2>/dev/null || true)" = "$pnpm_version" ]; then
    pnpm install --frozen-lockfile >&2
  else
    npx --yes "pnpm@$pnpm_version" install --frozen-lockfile >&2
  fi
  cp pnpm-lock.yaml "$stamp"
}

require_node() {
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number)
    process.exit(major > 24 || (major === 24 && minor >= 12) ? 0 : 1)' ||
    die "Node 24.12 or newer is needed; this is $(node --version). On Linux x64 and arm64 it comes with the packages."
}

has_any() {
  for program in "$@"; do
    if command -v "$program" >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

missing_debian_packages() {
  [ -n "${NATS_URL:-}" ] && [ "$1" != test ] || has_any nats-server || echo nats-server
  # shellcheck disable=SC2086
  [ -n "${CHROMIUM_PATH:-}" ] || has_any $browsers || echo chromium-headless-shell
  if command -v dpkg-query >/dev/null 2>&1; then
    for font in $fonts; do
      dpkg-query -W -f '${Status}' "$font" 2>/dev/null | grep -q 'ok installed' || echo "$font"
    done
  fi
}

install_debian_packages() {
  missing=$(missing_debian_packages "$1" | tr '\n' ' ')
  if [ -z "$missing" ]; then return; fi
  install="apt-get update && apt-get install -y --no-install-recommends $missing"
  if ! command -v apt-get >/dev/null 2>&1; then
    die "missing: $missing(these are Debian's names). Install a NATS server and a Chromium, or set NATS_URL and CHROMIUM_PATH."
  fi
  if [ "$(id -u)" = 0 ]; then
    root=''
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    root='sudo'
  else
    die "missing: $missing. Run this once, then start again:
  sudo sh -c '$install'"
  fi
  say "installing from Debian (once, a minute or two): $missing"
  export DEBIAN_FRONTEND=noninteractive
  # apt's lists may be missing or old; its own words are shown, as this takes a while.
  $root sh -c "$install" >&2 || die "apt could not install them. Run this by hand to see why: $install"
}

set_up() {
  install_packages
  require_node
}

command=${1:-}
[ $# -gt 0 ] && shift
case "$command" in
  start)
    set_up
    install_debian_packages start
    exec node deploy/single-node/src/main.ts "$@"
    ;;
  test)
    set_up
    install_debian_packages test
    biome ci --colors=off .
    tsc --noEmit
    node scripts/check-imports.ts
    # The tests start hundreds of processes: what they load is compiled once.
    NODE_COMPILE_CACHE="$PWD/node_modules/.cache/node"
    export NODE_COMPILE_CACHE
    exec tap "$@"
    ;;
  examples)
    set_up
    exec node examples/load-examples.ts "$@"
    ;;
  cli)
    set_up
    exec node cli/src/main.ts "$@"
    ;;
  fidelity)
    set_up
    install_debian_packages start
    exec node test/fidelity/run.ts "$@"
    ;;
  bench)
    set_up
    install_debian_packages start
    exec node bench/rendering.ts "$@"
    ;;
  bench-engines)
    set_up
    install_debian_packages start
    exec node bench/engines.ts "$@"
    ;;
  bench-peers)
    set_up
    exec node bench/peers/install-peers.ts "$@"
    ;;
  *)
    usage
    exit 2
    ;;
esac
