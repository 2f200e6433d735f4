#!/bin/sh
# The health check of MinIO in docker-compose.yml. It is ready when the renderers have their user, with the rights of
# renderer-policy.json. Runs in the image of MinIO, which has `mc`. Secrets are in no argument of a program.
set -eu
mc ready local >/dev/null
policy=$(cd "$(dirname "$0")" && pwd)/renderer-policy.json
# The policy that was made.
done=${TMPDIR:-/tmp}/renderer-policy.json
! cmp -s "$policy" "$done" || exit 0
user=$OBJECT_STORE_RENDERER_ACCESS_KEY
name=platen-renderer-rights

printf '%s\n%s\n' "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" | mc alias set platen "${MINIO_URL:-http://127.0.0.1:9000}" >/dev/null
# Replaces one that exists.
mc admin policy create platen "$name" "$policy" >/dev/null
# Changes the secret key of a user that exists.
printf '%s\n%s\n' "$user" "$OBJECT_STORE_RENDERER_SECRET_KEY" | mc admin user add platen >/dev/null
# To attach a policy twice is an error.
case $(mc admin user info platen "$user") in
  *"$name"*) ;;
  *) mc admin policy attach platen "$name" --user "$user" >/dev/null ;;
esac
cp "$policy" "$done"
