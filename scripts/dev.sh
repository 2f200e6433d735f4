#!/bin/sh
# Installs missing packages, then runs Platen, its tests or its tools. Needs Node 20 or newer with npm.
set -eu
unset NODE_ENV
cd "$(dirname "$0")/.."

pnpm_version=12.21.0
browsers='chromium-headless-shell chromium chromium-browser google-chrome'
fonts='fontconfig fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji'

usage() {
  cat <<'HELP'
usage: npm start                 run Platen on this machine
       npm run setup             install what is missing, and start nothing (-- start: only what npm start needs)
       npm test                  run the checks and the tests (-- path/of.test.ts: that file only; -- --help)
       npm run test:system       run the long tests (-- --list: their names and times)
       npm run test:lab          run the tests that need more than a clean machine has (-- --list)
       npm run test:images       build the images and run them: the suite images of test:lab
       npm run test:faults       run everything under faults and check what is left (-- --help)
       npm run test:generators   generate clients in other languages and try them (-- --help)
       npm run check             check format, lint, types, imports and licences
       npm run audit             ask the registry for known vulnerabilities of the packages (-- --help)
       npm run docs              build the site of the documentation in out/site
       npm run release           build the files of a release, and publish nothing (-- --help)
       npm run format            fix the format
       npm run generate          write the generated parts of docs/ and clients/ anew
       npm run examples          load the example templates into a running Platen and print each to ./out
       npm run platen -- --help  the command line for operators
       npm run fidelity -- <…>   print documents with Chromium and with Platen, and compare them (-- --help)
       npm run bench             compare Platen with other ways to print (-- --check: two minutes, against limits)
       npm run bench:engines     measure the event stores and object stores
       npm run bench:peers       install the other software of the benchmark, outside this folder
HELP
}

say() { printf '%s\n' "platen: $*" >&2; }

die() {
  say "$*"
  exit 1
}

# npm keeps options that it knows itself, unless they follow `--`: a dry run would be a real one.
kept="${npm_config_dry_run:+ --dry-run}${npm_config_json:+ --json}"
[ -z "$kept" ] || die "npm has kept$kept for itself: npm run ${npm_lifecycle_event:-platen} -- …$kept"

# On Debian, nats-server is in /usr/sbin, which is not in the PATH of normal users.
PATH="$PWD/node_modules/.bin:$PATH:/usr/sbin"
export PATH

# At each start Node strips the types of all sources and compiles them, which is a sixth of the work. It reads results of this
# user only, and writes none into a folder of another one.
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/node}
export NODE_COMPILE_CACHE

# Else each of a dozen threads of Node has a heap of its own outside of that of V8: 9 MB at rest, and no faster.
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
export MALLOC_ARENA_MAX

find_pnpm() {
  pnpm="npx --yes pnpm@$pnpm_version"
  if [ "$(pnpm --version 2>/dev/null || true)" = "$pnpm_version" ]; then pnpm=pnpm; fi
}

# install_packages running: what Platen itself needs. install_packages everything: also what builds, tests and measures it, which
# takes three times as much space. Where that was installed once, it stays.
install_packages() {
  # Each stamp is a copy of the lockfile that its set was installed from. If it is unchanged, there is nothing to install.
  stamps=node_modules/.platen-installed
  set=$1
  if [ -e "$stamps/everything.yaml" ]; then set=everything; fi
  if cmp -s pnpm-lock.yaml "$stamps/$set.yaml"; then return; fi
  say "installing npm packages ($set; once, about a minute)"
  find_pnpm
  if [ "$set" = everything ]; then
    $pnpm install --frozen-lockfile >&2
  else
    $pnpm install --frozen-lockfile --prod --filter '!@platen/fidelity' --filter '!@platen/mcp' --filter '!@platen/test-support' >&2
  fi
  mkdir -p "$stamps"
  cp pnpm-lock.yaml "$stamps/$set.yaml"
}

# What the examples draw with. The set of packages for tests has it, too.
install_example_packages() {
  if [ -e node_modules/chart.js ] && [ -e node_modules/katex ]; then return; fi
  folder=node_modules/.cache/examples
  if [ -e "$folder/node_modules/chart.js" ] && [ -e "$folder/node_modules/katex" ]; then return; fi
  say "installing the packages of the examples (once)"
  mkdir -p "$folder"
  cp examples/packages/package.json examples/packages/package-lock.json "$folder/"
  npm ci --silent --ignore-scripts --no-audit --no-fund --prefix "$folder" >&2
}

require_node() {
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number)
    process.exit(major > 24 || (major === 24 && minor >= 12) ? 0 : 1)' ||
    die "Node 24.12 or newer is needed, this is $(node --version). On Linux x64 and arm64 it is installed as a package."
}

has_any() {
  for program in "$@"; do
    if command -v "$program" >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

find_nats_server() {
  if [ "$1" = test ] && [ -n "${NATS_TEST_SERVER:-}" ]; then NATS_SERVER_PATH=$NATS_TEST_SERVER; fi
  if [ -z "${NATS_SERVER_PATH:-}" ]; then NATS_SERVER_PATH=$(sh scripts/nats-server.sh) || true; fi
  export NATS_SERVER_PATH
}

needs_nats_server() { [ -z "${NATS_URL:-}" ] || [ "$1" = test ]; }

missing_debian_packages() {
  if needs_nats_server "$1" && [ -z "${NATS_SERVER_PATH:-}" ]; then has_any nats-server || echo nats-server; fi
  # shellcheck disable=SC2086
  [ -n "${CHROMIUM_PATH:-}" ] || has_any $browsers || echo chromium-headless-shell
  # The checks ask it for the files of the repository, also where these came as an archive or from another machine.
  [ "$1" != test ] || has_any git || echo git
  if command -v dpkg-query >/dev/null 2>&1; then
    for font in $fonts; do
      dpkg-query -W -f '${Status}' "$font" 2>/dev/null | grep -q 'ok installed' || echo "$font"
    done
  fi
}

install_debian_packages() {
  if needs_nats_server "$1"; then find_nats_server "$1"; fi
  missing=$(missing_debian_packages "$1" | tr '\n' ' ')
  if [ -z "$missing" ]; then return; fi
  install="apt-get update && apt-get install -y --no-install-recommends $missing"
  if ! command -v apt-get >/dev/null 2>&1; then
    die "missing: $missing(names of Debian packages). Install a NATS server and a Chromium, or set NATS_URL and CHROMIUM_PATH."
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
  # apt's output is shown, because this takes a while.
  $root sh -c "$install" >&2 || die "apt could not install them. To see the reason, run: $install"
}

set_up() {
  install_packages "$1"
  require_node
}

# It takes a second where a source has changed, and else the time of a start of Node.
build_studio() {
  node studio/build/main.ts studio/dist || die 'the studio was not built: edit the files named above, or start with STUDIO=off'
}

# The scripts that the renderer runs in pages. The renderer starts with none but those of its sources.
build_page_scripts() {
  node services/renderer/build/main.ts || die 'the scripts of services/renderer/src/page/ were not built: edit the files named above'
}

# What printing needs beside the packages.
prepare_printing() {
  install_debian_packages "$1"
  build_page_scripts
}

# Each of them names the file and the line.
run_checks() {
  biome ci --colors=off --reporter=concise . ||
    die 'biome: npm run format fixes the format and the order of imports; edit the files named above for the rest'
  tsc --noEmit || die 'tsc: edit the files named above'
  tsc --noEmit -p services/renderer/src/page || die 'tsc: edit the files of services/renderer/src/page/ named above'
  tsc --noEmit -p studio || die 'tsc: edit the files of studio/ named above'
  node scripts/check-imports.ts || die 'imports: edit the files named above; CONTRIBUTING.md says who may import what'
  node scripts/check-packages.ts || die 'packages: edit the package.json files named above'
  node scripts/dependencies/check-dependencies.ts || die 'dependencies: docs/understand/dependencies.md says what is allowed'
}

command=${1:-}
[ $# -gt 0 ] && shift
case "$command" in
  start)
    case "${1:-}" in
      '') ;;
      -h | --help)
        usage
        exit 0
        ;;
      *)
        say "npm start takes no arguments, this is $1. Settings are variables, such as PORT=4000 npm start: docs/reference/settings.md"
        exit 2
        ;;
    esac
    set_up running
    prepare_printing start
    [ "${STUDIO:-on}" = off ] || build_studio
    # Else the young generation of Node grows to 128 MB under load, and printing is no faster.
    NODE_OPTIONS="--max-semi-space-size=8${NODE_OPTIONS:+ $NODE_OPTIONS}"
    export NODE_OPTIONS
    exec node deploy/single-node/src/main.ts checkout "$@"
    ;;
  setup)
    case "${1:-}" in
      '')
        set_up everything
        prepare_printing test
        ;;
      start)
        set_up running
        prepare_printing start
        ;;
      *)
        say "npm run setup installs everything, and npm run setup -- start what npm start needs; this is $1"
        exit 2
        ;;
    esac
    build_studio
    ;;
  test)
    set_up everything
    prepare_printing test
    build_studio
    # With arguments, only the tests that they name run.
    [ $# -gt 0 ] || run_checks
    exec node scripts/test-runner/main.ts "$@"
    ;;
  test-system | test-lab | test-images)
    set_up everything
    prepare_printing test
    build_studio
    case "$command" in
      test-images) set -- --suites lab "$@" images ;;
      *) set -- --suites "${command#test-}" "$@" ;;
    esac
    exec node scripts/test-runner/main.ts "$@"
    ;;
  test-faults)
    set_up everything
    prepare_printing test
    exec node test/faults/harness/main.ts "$@"
    ;;
  test-generators)
    set_up everything
    prepare_printing test
    exec node test/generators/main.ts "$@"
    ;;
  check)
    set_up everything
    run_checks
    ;;
  audit)
    set_up everything
    find_pnpm
    exec node scripts/dependencies/audit.ts --pnpm "$pnpm" "$@"
    ;;
  format)
    set_up everything
    exec biome check --write --colors=off .
    ;;
  generate)
    set_up everything
    find_nats_server start
    node scripts/release/write-version.ts
    node scripts/write-openapi.ts
    node scripts/write-docs.ts
    node scripts/write-event-docs.ts
    exec node scripts/write-client-types.ts
    ;;
  docs)
    set_up running
    exec node site/src/main.ts "${1:-out/site}"
    ;;
  release)
    set_up everything
    find_pnpm
    exec node scripts/release/build-release.ts --pnpm "$pnpm" "$@"
    ;;
  examples)
    set_up running
    install_example_packages
    exec node examples/load-examples.ts "$@"
    ;;
  cli)
    set_up running
    # The only one that starts a nats-server.
    [ "${1:-} ${2:-}" != 'backup drill' ] || find_nats_server start
    exec node cli/src/main.ts "$@"
    ;;
  fidelity)
    set_up everything
    prepare_printing start
    exec node test/fidelity/run.ts "$@"
    ;;
  bench)
    set_up everything
    prepare_printing start
    exec node bench/rendering.ts "$@"
    ;;
  bench-engines)
    set_up everything
    prepare_printing start
    exec node bench/engines.ts "$@"
    ;;
  bench-peers)
    set_up running
    exec node bench/peers/install-peers.ts "$@"
    ;;
  *)
    usage
    exit 2
    ;;
esac
