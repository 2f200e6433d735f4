#!/bin/sh
# Changes the password with which the services of docker-compose.yml connect to NATS, while they run, so that no request fails:
# nats-server accepts a second user, the services are restarted with it one after the other, and then the first user is refused. That of
# the renderers, which have a user of their own, is kept.
# One that was interrupted is ended by the next run, which begins no other one.
#
# Secrets are in no argument of a program, as every user can read those.
set -eu
umask 077
cd "$(dirname "$0")/../.."
passwords=.nats/nats.conf
# Compose prefers what is in the environment to .env: the services would go on with a login that is refused in the end.
unset NATS_USER NATS_PASSWORD

say() { printf '%s\n' "rotate-nats-password: $*" >&2; }

die() {
  say "$*"
  exit 1
}

[ -e .env ] && [ -e "$passwords" ] || die "there is no .env or no $passwords; run deploy/docker/make-env.sh first"

# Of two at once, the second would take the first for one that was interrupted. The lock ends with the processes that have it.
if command -v flock >/dev/null; then
  exec 9<deploy/docker/rotate-nats-password.sh
  flock -n 9 || die 'another run changes the password now; wait until it has ended'
fi

# A letter and 32 random bytes in hex.
secret() { printf 's%s' "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')"; }

setting() { sed -n "s/^$1=//p" .env | tail -n 1; }

# What the file has for a user: a password, or a hash that accepts none.
accepted() { sed -n "s/^$1: *\"\(.*\)\"\$/\1/p" "$passwords"; }

slot_of() {
  case $1 in
    platen) echo PLATEN_PASS ;;
    platen-2) echo PLATEN_2_PASS ;;
  esac
}

# The hash of the file in the repository, for which there is no password.
nobody=$(sed -n 's/^PLATEN_2_PASS: *"\(.*\)"$/\1/p' deploy/nats/passwords/nats.conf)

# replace <file>: with standard input, whole, and on the disk before what follows. The new one has the owner and mode of the old one.
replace() {
  cp -p "$1" "$1.new"
  cat >"$1.new"
  mv "$1.new" "$1"
  sync
}

loaded() {
  docker compose exec -T nats wget -q -O - http://127.0.0.1:8222/varz | sed -n 's/.*"config_load_time": *"\([^"]*\)".*/\1/p'
}

# accept <user> <password> <other user> <password> [<user>]: returns when nats-server accepts these and no others. The last one is the
# user to which the services change, for the next run if this one is interrupted.
accept() {
  before=$(loaded)
  [ -n "$before" ] || die 'nats-server does not answer; see docker compose logs nats, and run this again'
  {
    echo '# Written by deploy/docker/rotate-nats-password.sh.'
    [ $# = 4 ] || echo "# The services change to $5."
    printf '%s: "%s"\n%s: "%s"\n' "$(slot_of "$1")" "$2" "$(slot_of "$3")" "$4"
    printf 'RENDERER_PASS: "%s"\n' "$(accepted RENDERER_PASS)"
  } | replace "$passwords"
  docker compose exec -T nats nats-server --signal reload=1
  tries=0
  while
    now=$(loaded)
    [ -z "$now" ] || [ "$now" = "$before" ]
  do
    tries=$((tries + 1))
    [ "$tries" -lt 20 ] || die "nats-server has not read $passwords again; see docker compose logs nats, and run this again"
    sleep 0.5
  done
}

# log_in_as <user> <password>: what the services are started with from then on.
log_in_as() {
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      NATS_USER=*) ;;
      NATS_PASSWORD=*) printf 'NATS_USER=%s\nNATS_PASSWORD=%s\n' "$1" "$2" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done <.env | replace .env
}

user=$(setting NATS_USER)
user=${user:-platen}
password=$(setting NATS_PASSWORD)
case $password in
  '' | *[!A-Za-z0-9._-]*) die '.env: NATS_PASSWORD must be letters, digits, dots, hyphens and underscores, without quotes' ;;
esac
case $user in
  platen) other=platen-2 ;;
  platen-2) other=platen ;;
  *) die '.env: NATS_USER must be platen or platen-2' ;;
esac
others=$(accepted "$(slot_of "$other")")

if [ "$others" = "$nobody" ]; then
  to=$other others=$(secret)
else
  say 'a change that was interrupted is ended'
  to=$(sed -n 's/^# The services change to \(.*\)\.$/\1/p' "$passwords")
fi
# Also of a change that was interrupted: nats-server may not have read them, or has another state after a power cut.
accept "$user" "$password" "$other" "$others" "${to:-$user}"
if [ "$to" = "$other" ]; then
  log_in_as "$other" "$others"
  old=$user user=$other password=$others
else
  old=$other
fi

deploy/docker/update.sh
accept "$user" "$password" "$old" "$nobody"
say "the services connect to NATS as $user; the password of $old is refused"
