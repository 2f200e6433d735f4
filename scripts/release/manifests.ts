import { join } from 'node:path'
import { packCommit } from './archives.ts'
import type { Release } from './release.ts'

/** The manifests for Kubernetes, with the seccomp profile of the renderers. */
export async function buildManifests({ out, version }: Release): Promise<void> {
  const paths = ['deploy/kubernetes', 'deploy/docker/chromium-seccomp.json', 'LICENSE']
  await packCommit(join(out, `platen-kubernetes-${version}.tar.gz`), `platen-kubernetes-${version}`, paths)
}
