#!/bin/sh
# Updates a running docker-compose.yml to the sources of this folder, one gateway after the other, so that no request fails.
set -eu
cd "$(dirname "$0")/../.."

docker compose build
docker compose up -d --wait nats eventstore minio
# Work in progress is finished, or continued by the next process. Requests wait meanwhile.
docker compose up -d --wait --no-deps template notifier renderer
docker compose up -d --wait --no-deps gateway
docker compose up -d --wait --no-deps gateway-2
docker compose up -d --wait --no-deps proxy
