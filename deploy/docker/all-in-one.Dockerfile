# All of Platen in one container: the four services in one process, with nats-server and Chromium. Run in the root of the repository:
#   docker build -f deploy/docker/all-in-one.Dockerfile -t platen .
#   docker run --rm platen seccomp-profile > chromium-seccomp.json
#   docker run -p 127.0.0.1:3000:3000 -v platen:/data --security-opt seccomp=chromium-seccomp.json platen
# By tag: no digest could be compared with the registry when this was written. Each image has in its provenance which one it was built from.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS packages
ARG PNPM_VERSION=12.21.0
RUN npm install --global "pnpm@${PNPM_VERSION}"
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY shared/foundation/package.json shared/foundation/
COPY shared/messaging/package.json shared/messaging/
COPY shared/object-store/package.json shared/object-store/
COPY shared/event-store/package.json shared/event-store/
COPY shared/domain/package.json shared/domain/
COPY shared/pdf-tools/package.json shared/pdf-tools/
COPY shared/templating/package.json shared/templating/
COPY shared/service-kit/package.json shared/service-kit/
COPY services/gateway/package.json services/gateway/
COPY services/template/package.json services/template/
COPY services/renderer/package.json services/renderer/
COPY services/notifier/package.json services/notifier/
COPY deploy/single-node/package.json deploy/single-node/
COPY cli/package.json cli/
COPY clients/typescript/package.json clients/typescript/
COPY clients/events/package.json clients/events/
RUN --mount=type=cache,id=platen-pnpm,target=/pnpm-store \
    pnpm install --prod --no-optional --frozen-lockfile --filter "@platen/single-node..." --filter "@platen/cli..." \
      --store-dir /pnpm-store --package-import-method copy

# The site of the documentation, which the gateway serves.
FROM node:${NODE_VERSION}-bookworm-slim AS site
ARG PNPM_VERSION=12.21.0
RUN npm install --global "pnpm@${PNPM_VERSION}"
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY site/package.json site/
# With optional packages, which are the programs of esbuild and rollup for this machine.
RUN --mount=type=cache,id=platen-pnpm,target=/pnpm-store \
    pnpm install --prod --frozen-lockfile --filter @platen/site --store-dir /pnpm-store --package-import-method copy
COPY README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE ./
COPY docs docs
COPY examples examples
COPY clients clients
COPY deploy deploy
COPY site/src site/src
RUN node site/src/main.ts /site

# The studio, which the gateway serves, and the scripts that the renderer runs in pages.
FROM node:${NODE_VERSION}-bookworm-slim AS studio
ARG PNPM_VERSION=12.21.0
RUN npm install --global "pnpm@${PNPM_VERSION}"
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY studio/package.json studio/
COPY services/renderer/build/package.json services/renderer/build/
# With optional packages, which are the program of esbuild for this machine.
RUN --mount=type=cache,id=platen-pnpm,target=/pnpm-store \
    pnpm install --prod --frozen-lockfile --filter @platen/studio --filter @platen/renderer-build \
      --store-dir /pnpm-store --package-import-method copy
COPY site/src site/src
COPY examples examples
COPY docs/reference/errors.md docs/reference/
COPY studio studio
RUN node studio/build/main.ts /studio
COPY services/renderer/build services/renderer/build
COPY services/renderer/src/page services/renderer/src/page
RUN node services/renderer/build/main.ts

# Debian's package of the suite forky: that of bookworm is older than 2.14.
FROM node:${NODE_VERSION}-bookworm-slim AS nats
WORKDIR /nats
COPY scripts/nats-server.sh scripts/
RUN sh scripts/nats-server.sh

FROM node:${NODE_VERSION}-bookworm-slim
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      chromium-headless-shell tini \
      fontconfig fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=nats /nats/node_modules/.cache/nats-server/nats-server /usr/local/bin/nats-server
COPY deploy/docker/all-in-one.sh /usr/local/bin/platen
COPY deploy/docker/chromium-seccomp.json /usr/local/share/platen/chromium-seccomp.json
# Everything that changes is in /data and /tmp, so that the root file system may be read-only.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=8 DATA_DIR=/data HOST=0.0.0.0 NATS_SERVER_PATH=/usr/local/bin/nats-server \
    CHROMIUM_PATH=/usr/bin/chromium-headless-shell HOME=/tmp TMPDIR=/tmp
# A new volume gets the owner of the folder it is mounted on.
RUN install -d -m 700 -o 1000 -g 1000 /data
COPY --from=packages /app /app
COPY shared /app/shared
COPY services/gateway/src /app/services/gateway/src
COPY services/template/src /app/services/template/src
COPY services/renderer/src /app/services/renderer/src
COPY --from=studio /app/services/renderer/dist /app/services/renderer/dist
COPY services/notifier/src /app/services/notifier/src
COPY deploy/single-node/src /app/deploy/single-node/src
COPY cli/src /app/cli/src
COPY clients/typescript/src /app/clients/typescript/src
COPY clients/events/index.js /app/clients/events/
COPY --from=site /site /app/out/site
COPY --from=studio /studio /app/studio/dist
WORKDIR /app
# Types are stripped and code is compiled now rather than at each start. Node reads results of the same user only.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN install -d -o 1000 -g 1000 /app/.compile-cache \
 && for service in gateway template renderer notifier; do \
      setpriv --reuid 1000 --regid 1000 --clear-groups node -e "import('./services/$service/src/start.ts')" || exit 1; \
    done \
 && setpriv --reuid 1000 --regid 1000 --clear-groups node -e "import('./deploy/single-node/src/config.ts')" \
 && chown -R root:root /app/.compile-cache && chmod -R a+rX /app/.compile-cache
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "platen"]
CMD ["start"]
