#!/bin/sh
# The program of the all-in-one image: `start` runs Platen, `seccomp-profile` prints the profile that Chromium's sandbox needs, and
# everything else is the command line for operators: docker exec <container> platen keys list
set -eu

case ${1:-start} in
  start)
    if [ "$(id -u)" = 0 ] && [ "${CHROMIUM_SANDBOX:-true}" != false ]; then
      echo 'platen: as root Chromium runs without its sandbox, and documents contain the code of others. Remove --user 0:' \
        'the image runs as user 1000. If a folder of the host cannot be written, run chown -R 1000:1000 on it.' \
        'CHROMIUM_SANDBOX=false starts it as root nevertheless.' >&2
      exit 1
    fi
    # Docker keeps what it prints, also of a terminal (-t): the first API key is in a file of the volume.
    exec node /app/deploy/single-node/src/main.ts contained
    ;;
  seccomp-profile) exec cat /usr/local/share/platen/chromium-seccomp.json ;;
  *) exec node /app/cli/src/main.ts "$@" ;;
esac
