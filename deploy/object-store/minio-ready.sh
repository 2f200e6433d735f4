#!/bin/sh
# The health check of MinIO in docker-compose.yml. It is ready when the renderers have their user, with the rights of
# renderer-policy.json. Runs in the image of MinIO, which has `mc`. Secrets are in no argument of a program.
set -eu
mc ready local >/dev/null
done=${TMPDIR:-/tmp}/platen-renderer
[ ! -e "$done" ] || exit 0
here=$(cd "$(dirname "$0")" && pwd)
user=$OBJECT_STORE_RENDERER_ACCESS_KEY

printf '%s\n%s\n' "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" | mc alias set platen "${MINIO_URL:-http://127.0.0.1:9000}" >/dev/null
mc admin policy create platen platen-renderer "$here/renderer-policy.json" >/dev/null
# Changes the secret key of a user that exists.
printf '%s\n%s\n' "$user" "$OBJECT_STORE_RENDERER_SECRET_KEY" | mc admin user add platen >/dev/null
# To attach a policy twice is an error.
case $(mc admin user info platen "$user") in
  *platen-renderer*) ;;
  *) mc admin policy attach platen platen-renderer --user "$user" >/dev/null ;;
esac
: >"$done"
