# The renderer with Chromium. Run in the root of the repository:
#   docker build -f deploy/docker/renderer.Dockerfile -t platen-renderer .
# Run the image with deploy/docker/chromium-seccomp.json, because Chromium's sandbox needs user namespaces.
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
COPY services/renderer/package.json services/renderer/
RUN --mount=type=cache,id=platen-pnpm,target=/pnpm-store \
    pnpm install --prod --no-optional --frozen-lockfile --filter "@platen/renderer..." \
      --store-dir /pnpm-store --package-import-method copy

# The scripts that the renderer runs in pages.
FROM node:${NODE_VERSION}-bookworm-slim AS page-scripts
ARG PNPM_VERSION=12.21.0
RUN npm install --global "pnpm@${PNPM_VERSION}"
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY services/renderer/build/package.json services/renderer/build/
# With optional packages, which are the program of esbuild for this machine.
RUN --mount=type=cache,id=platen-pnpm,target=/pnpm-store \
    pnpm install --prod --frozen-lockfile --filter @platen/renderer-build --store-dir /pnpm-store --package-import-method copy
COPY services/renderer/build services/renderer/build
COPY services/renderer/src/page services/renderer/src/page
RUN node services/renderer/build/main.ts

FROM node:${NODE_VERSION}-bookworm-slim
# The largest layer, and the one that changes least. tini forwards signals and reaps orphaned Chromium processes.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      chromium-headless-shell tini \
      fontconfig fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
 && apt-get clean && rm -rf /var/lib/apt/lists/*
# The root file system is read-only at run time. Chromium writes to /tmp only.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=8 CHROMIUM_PATH=/usr/bin/chromium-headless-shell HOME=/tmp TMPDIR=/tmp
COPY --from=packages /app /app
COPY shared /app/shared
COPY services/renderer/src /app/services/renderer/src
COPY --from=page-scripts /app/services/renderer/dist /app/services/renderer/dist
WORKDIR /app/services/renderer
# Types are stripped and code is compiled now rather than at each start. Node reads results of the same user only.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN install -d -o 1000 -g 1000 /app/.compile-cache \
 && setpriv --reuid 1000 --regid 1000 --clear-groups node -e "import('./src/config.ts'); import('./src/start.ts')" \
 && chown -R root:root /app/.compile-cache && chmod -R a+rX /app/.compile-cache
USER 1000:1000
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "src/main.ts"]
