import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { startPlaten } from '../support/platen.ts'
import { readBlocks, root } from './code-blocks.ts'

const page = 'docs/guides/gate-a-version.md'

interface GitHubJob {
  env: Record<string, string>
  steps: { name?: string; uses?: string; if?: string; run?: string }[]
}
interface GitLabJob {
  variables: Record<string, string>
  script: string[]
}

const [github, gitlab] = readBlocks(page, 'yaml').map(({ code }) => parse(code))
const onGitHub: GitHubJob = github.jobs.quote
const onGitLab: GitLabJob = gitlab.quote

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())

/** The first command that fails, and its exit code, as the service of the job runs its commands. */
type Job = (folder: string, env: Record<string, string>) => { command: string; code: number } | undefined

const run = (command: string, cwd: string, env: Record<string, string>) => {
  const { status, stderr } = spawnSync('bash', ['-e', '-c', command], { cwd, env, encoding: 'utf8' })
  if (status !== 0) console.error(stderr)
  return status ?? -1
}

/** Each step is a process, which hands variables on in a file. */
const runOnGitHub: Job = (folder, env) => {
  const variables = join(folder, 'github-env')
  for (const { run: command, uses } of onGitHub.steps) {
    if (uses !== undefined || command === undefined) continue
    const kept = existsSync(variables) ? readFileSync(variables, 'utf8').trim().split('\n') : []
    const handedOn = Object.fromEntries(kept.map((line) => line.split('=')))
    const code = run(command, folder, { ...onGitHub.env, ...handedOn, ...env, GITHUB_ENV: variables })
    if (code !== 0) return { command, code }
  }
  return undefined
}

/** All commands are one script. */
const runOnGitLab: Job = (folder, env) => {
  const command = onGitLab.script.join('\n')
  const code = run(command, folder, { ...onGitLab.variables, ...env })
  return code === 0 ? undefined : { command, code }
}

/** The repository of an author, with a `git` that clones this repository as a link. */
function repository(t: Test, html: string): string {
  const folder = t.testdir({
    bin: {},
    'my-templates': { quote: { 'template.html': html, 'data.json': '{"number": 1}' } },
  })
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\n[ "$1" = clone ] && ln -s ${root} "$5"\n`)
  chmodSync(join(folder, 'bin/git'), 0o755)
  return folder
}

const published = async () =>
  (await platen.json<{ labels?: Record<string, number> }>('/v1/templates/quote')).body.labels?.published

for (const [service, job, last] of [
  ['GitHub Actions', runOnGitHub, 1],
  ['GitLab CI', runOnGitLab, 3],
] as const) {
  t.test(`the job of ${service} publishes a version whose pages are the same, and fails if one differs`, async (t) => {
    const shown = '<h1>Quote {{number}}</h1>'
    const folder = repository(t, `${shown}<!-- ${service} -->`)
    const { PATH = '', NODE_COMPILE_CACHE } = process.env
    const env = {
      PATH: `${join(folder, 'bin')}:${PATH}`,
      HOME: folder,
      PLATEN_URL: platen.url,
      API_KEY: platen.apiKey,
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    }
    if (last === 1) {
      await platen.json('/v1/templates', { body: { name: 'Quote', html: shown } })
      await platen.json('/v1/templates/quote/labels/published', { method: 'PUT', body: { version: 1 } })
    }
    t.equal(job(folder, env), undefined)
    t.equal(await published(), last + 1)
    t.notOk(existsSync(join(folder, 'diff/page-001-changed.png')))

    for (const made of ['platen', 'github-env']) rmSync(join(folder, made), { force: true })
    writeFileSync(join(folder, 'my-templates/quote/template.html'), '<h1>Quote no. {{number}}</h1>')
    t.match(job(folder, env), { command: /templates diff quote --from published/, code: 1 })
    t.equal(await published(), last + 1)
    t.same(readdirSync(join(folder, 'diff')), ['page-001-changed.png'])
  })
}
