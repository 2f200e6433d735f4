import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { readLockfile } from './lockfile.ts'

const help = `usage: npm run audit -- [--required]

Asks the registry which installed packages have known vulnerabilities. Fails for those of severity high or critical in what runs; lists the
others, and deprecated packages. Without an answer of the registry it says so and succeeds, or fails with --required.`

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A vulnerability of a package, as `pnpm audit --json` prints it. */
export interface Advisory {
  module_name: string
  severity: string
  title: string
  url: string
  patched_versions: string | null
  /** `dev` if only tests and builds install it. A path is `services__gateway>fastify>…`. */
  findings: { version: string; paths: string[]; dev: boolean }[]
}

/** The advisories that the registry has; if it does not answer, why. */
async function askRegistry(pnpmCommand: string): Promise<Advisory[] | string> {
  const [pnpm = '', ...args] = pnpmCommand.split(' ')
  const options = { cwd: root, maxBuffer: 2 ** 26, timeout: 60_000 }
  // It exits with 1 if there are advisories, and if there is no answer.
  const { stdout, stderr } = await run(pnpm, [...args, 'audit', '--json'], options).catch((err) => err)
  try {
    return Object.values((JSON.parse(stdout) as { advisories: Record<string, Advisory> }).advisories)
  } catch {
    return stderr?.replaceAll(/\s+/g, ' ').trim() || 'no answer in a minute'
  }
}

/** A line for each finding, the worst first, and whether one must be fixed. */
export function describeAdvisories(advisories: readonly Advisory[]): { lines: string[]; isBad: boolean } {
  const severities = ['critical', 'high', 'moderate', 'low', 'info']
  const ranked = advisories.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  const findings = ranked.flatMap((advisory) => advisory.findings.map((finding) => ({ ...advisory, ...finding })))
  const lines = findings.map((one) => {
    const fixed = one.patched_versions ? `fixed in ${one.patched_versions}` : 'not fixed'
    const where = `${one.dev ? 'only in tests and builds, ' : ''}by ${one.paths[0]}`
    return `${one.severity}: ${one.module_name}@${one.version}: ${one.title} (${one.url}), ${fixed}, ${where}`
  })
  return { lines, isBad: findings.some(({ severity, dev }) => !dev && ['critical', 'high'].includes(severity)) }
}

async function main(): Promise<void> {
  const options = { pnpm: { type: 'string' }, required: { type: 'boolean' }, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(help)
  const packages = Object.entries(readLockfile(root).packages)
  for (const [name, { deprecated }] of packages) if (deprecated) console.log(`deprecated: ${name}: ${deprecated}`)
  const advisories = await askRegistry(values.pnpm ?? 'pnpm')
  if (typeof advisories === 'string') {
    console.log(`audit: skipped, as the registry has not answered: ${advisories}`)
    if (values.required) process.exitCode = 1
    return
  }
  const { lines, isBad } = describeAdvisories(advisories)
  for (const line of lines) console.log(line)
  console.log(`audit: ${packages.length} packages, ${lines.length} known vulnerabilities`)
  if (isBad) process.exitCode = 1
}

if (import.meta.main) await main()
