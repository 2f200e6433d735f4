import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The versions that the tests were written with. */
const modules = {
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  helm: 'helm.sh/helm/v3/cmd/helm@v3.16.4',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
} as const

export type GoTool = keyof typeof modules

const built = join(root, 'node_modules/.cache/go-tools')

/** A cold build of Helm takes some minutes. */
const buildLimitMs = 600_000

/** The program: the one of the search path, or one that Go has built. An Error says why there is none. */
export function findGoTool(name: GoTool): string | Error {
  if (!spawnSync(name, ['--help'], { stdio: 'ignore' }).error) return name
  const program = join(built, name)
  if (existsSync(program)) return program
  const failure = runGo(['install', modules[name]], [`GOBIN=${built}`])
  if (failure instanceof Error) return new Error(`${name} is not installed, and cannot be built: ${failure.message}`)
  return program
}

/** What `go` prints. An Error says why it failed: without Go, or without the proxy of its modules. */
export function runGo(args: string[], variables: string[] = []): string | Error {
  if (spawnSync('go', ['version']).error) return new Error('Go is not installed')
  const command = ['GOFLAGS=-mod=mod', ...variables, 'go', ...args]
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, timeout: buildLimitMs } as const
  const { error, status, stdout, stderr } = spawnSync('env', command, options)
  if (error) return error
  return status === 0 ? stdout : new Error(stderr.trim().split('\n').at(-1) ?? `go ended with ${status}`)
}
