import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findGoTool } from './go-tools.ts'

// Renders the chart for those who have no Helm, and for tests. Needs helm, or Go to build it.

const root = join(import.meta.dirname, '..')
const chart = 'deploy/helm/platen'

/** A file with the manifests of the chart. */
export interface Rendered {
  path: string
  /** The values besides those of the chart. */
  values?: string
}

export const rendered: readonly Rendered[] = [
  { path: 'deploy/kubernetes/platen.yaml' },
  { path: 'deploy/helm/everything.rendered.yaml', values: 'deploy/helm/everything.yaml' },
]

/** A hash of the chart and of its values, without the version, which `npm run generate` writes. */
export function chartHash({ values }: Rendered): string {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', chart]
  const paths = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const hash = createHash('sha256')
  for (const path of [...paths, ...(values ? [values] : [])].sort()) {
    const text = readFileSync(join(root, path), 'utf8')
    hash.update(`${path}\n${text.replaceAll(/^(version|appVersion): .*$/gm, '')}`)
  }
  return hash.digest('hex')
}

/** The output of `helm template`. Throws if it is not installed, or refuses the values. */
export const helmTemplate = (...args: string[]): string =>
  // A helm that was built by `go install` takes itself for one of an old Kubernetes.
  runHelm('template', 'platen', join(root, chart), '--namespace', 'platen', '--kube-version', '1.31.0', ...args)

/** The output of `helm lint` with the values of these files. Throws for an error. */
export const helmLint = (...values: string[]): string =>
  runHelm('lint', join(root, chart), '--strict', ...values.flatMap((path) => ['--values', path]))

function runHelm(...args: string[]): string {
  const helm = findGoTool('helm')
  if (helm instanceof Error) throw helm
  const { error, status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8', cwd: root })
  if (error || status !== 0) throw new Error(error?.message ?? `${stderr}${stdout}`)
  return stdout
}

/** The manifests in an order that does not depend on the version of Helm. */
export function manifestsOf(one: Rendered): string {
  const output = helmTemplate(...(one.values ? ['--values', one.values] : []))
  const documents = output
    .split(/^---$/m)
    .map((text) => text.replaceAll(/^# Source: .*\n/gm, '').trim())
    .filter((text) => parse(text) !== null)
    .map((text) => ({ text, object: parse(text) as { kind: string; metadata: { name: string } } }))
    .toSorted((a, b) => (keyOf(a.object) < keyOf(b.object) ? -1 : 1))
  const header = [
    `# Made of ${chart} by node scripts/write-manifests.ts. Change the chart, not this file.`,
    `# chart: ${chartHash(one)}`,
  ]
  return `${header.join('\n')}\n${documents.map(({ text }) => `---\n${text}\n`).join('')}`
}

const keyOf = ({ kind, metadata }: { kind: string; metadata: { name: string } }) => `${kind} ${metadata.name}`

if (import.meta.main) {
  for (const one of rendered) writeFileSync(join(root, one.path), manifestsOf(one))
}
