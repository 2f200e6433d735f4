import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packFolder } from './archives.ts'
import { committedFile, committedFiles } from './commit.ts'
import type { Release } from './release.ts'

const chart = 'deploy/helm/platen'

/**
 * The chart as `helm package` names and packs it (https://helm.sh/docs/topics/charts/), the same as manifests for those who have no Helm,
 * and the seccomp profile of the renderers, which is copied to the nodes.
 */
export async function buildChart({ out, version, commit }: Release): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-chart-'))
  try {
    for (const path of await committedFiles(chart)) {
      const file = join(folder, 'platen', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, await committedFile(join(chart, path)))
    }
    await packFolder(folder, join(out, `platen-${version}.tgz`), { epoch: commit.epoch, entries: ['platen'] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(join(out, `platen-kubernetes-${version}.yaml`), await committedFile('deploy/kubernetes/platen.yaml'))
  await writeFile(join(out, 'chromium-seccomp.json'), await committedFile('deploy/docker/chromium-seccomp.json'))
}
