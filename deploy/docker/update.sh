#!/bin/sh
# Updates a running docker-compose.yml to the sources of this folder, one container after the other, so that no request fails.
# Ends at the first new container that does not become healthy. The old ones that it has not come to go on.
#
# Without `--no-deps`: with it, compose takes each service for a changed one, and replaces the proxy, too, which has no second.
set -eu
cd "$(dirname "$0")/../.."

# Starts a new container before it stops an old one, for each old one: nothing waits for a service that is not there.
replace() {
  old=$(docker compose ps -q "$1")
  count=$(printf '%s' "$old" | grep -c . || true)
  for container in $old; do
    docker compose up -d --wait --no-recreate --scale "$1=$((count + 1))" "$1"
    # Finishes its work, for as long as its stop_grace_period.
    docker stop "$container"
    docker rm "$container"
  done
  docker compose up -d --wait --scale "$1=$((count > 0 ? count : 1))" "$1"
}

# That of an earlier version had the password of NATS in .env only.
[ -e .nats/nats.conf ] || deploy/docker/make-env.sh
docker compose build
# NATS of an earlier version had no accounts: its streams become those of the services.
if docker compose exec -T nats sh -c '[ -d "/data/jetstream/\$G" ] && [ ! -d /data/jetstream/PLATEN ]'; then
  docker compose stop nats
  docker compose run --rm -T --no-deps --entrypoint sh nats -c 'mv "/data/jetstream/\$G" /data/jetstream/PLATEN'
fi
docker compose up -d --wait nats eventstore minio
# A container goes on with the file that was mounted, when another one has taken its place.
for file in nats.conf renderer.conf; do
  docker compose exec -T nats cat "/etc/nats/$file" | cmp -s - "deploy/nats/$file" || stale=$file
done
[ -z "${stale:-}" ] || docker compose up -d --wait --force-recreate nats
# A renderer of this version prints what an older gateway sends, so that the renderers come first and the gateways last.
replace renderer
replace template
# It has a view of its own, so that there is one at a time. Webhooks wait meanwhile.
docker compose up -d --wait notifier
docker compose up -d --wait gateway
docker compose up -d --wait gateway-2
docker compose up -d --wait proxy
