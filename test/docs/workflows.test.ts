import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseDocument } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './code-blocks.ts'

// The workflows of GitHub (https://docs.github.com/en/actions/reference/workflow-syntax-for-github-actions). They run there only.

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}
interface Job {
  'runs-on'?: string
  'timeout-minutes'?: number
  container?: { image: string }
  environment?: string
  needs?: string | string[]
  uses?: string
  permissions?: Record<string, string>
  steps?: Step[]
}
interface Workflow {
  on: Record<string, { tags?: string[]; branches?: string[] } | null>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const folder = join(root, '.github/workflows')
const names = readdirSync(folder)
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Fails the test that reads a file that is not YAML, or has a key twice. */
function read(name: string): Workflow {
  const document = parseDocument(textOf(name))
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw problem
  return document.toJS()
}

const stepsOf = (workflow: Workflow) => Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps)

t.test('there is one workflow for tests and one for releases', async (t) => {
  t.same(names.sort(), ['release.yaml', 'test.yaml'])
})

for (const name of names) {
  const workflow = read(name)

  t.test(`${name}: each npm run is a script of package.json, with options that it has`, async (t) => {
    const calls = stepsOf(workflow).flatMap(({ run = '' }) => [
      ...run.matchAll(/npm (?:run ([\w:]+)|(test))(?: -- (.*))?/g),
    ])
    t.not(calls.length, 0)
    for (const [call, script, test, args = ''] of calls) {
      t.ok(Object.keys(manifest.scripts).includes(script ?? test ?? ''), call)
      if (args === '') continue
      const program = { release: 'scripts/release/build-release.ts', audit: 'scripts/dependencies/audit.ts' }[
        script ?? ''
      ]
      const help = spawnSync(process.execPath, [join(root, program ?? ''), '--help'], { encoding: 'utf8' }).stdout
      for (const [option] of args.matchAll(/--[a-z-]+/g))
        t.ok(help.includes(option), `${script} has the option ${option}`)
    }
  })

  t.test(`${name}: jobs need jobs that exist, have a limit of time, and what they use has a version`, async (t) => {
    for (const [id, job] of Object.entries(workflow.jobs)) {
      for (const needed of [job.needs ?? []].flat()) t.ok(needed in workflow.jobs, `${id} needs ${needed}`)
      if (job.uses) {
        t.ok(names.includes(job.uses.replace('./.github/workflows/', '')), job.uses)
        t.ok('workflow_call' in read(job.uses.replace('./.github/workflows/', '')).on)
        continue
      }
      t.ok(job['runs-on'] && job['timeout-minutes'], id)
      for (const { uses } of job.steps ?? []) if (uses) t.match(uses, /^[\w-]+\/[\w-]+@(v\d+|release\/v\d+)$/)
    }
  })

  t.test(`${name}: only what publishes may write`, async (t) => {
    t.same(workflow.permissions, { contents: 'read' })
    const writing = Object.entries(workflow.jobs).filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes('write'),
    )
    t.same(
      writing.map(([id]) => id),
      name === 'release.yaml' ? ['images', 'publish'] : [],
    )
  })

  t.test(`${name}: a value of GitHub is not pasted into a script`, async (t) => {
    for (const { run = '' } of stepsOf(workflow)) t.notMatch(run, '${{')
  })
}

t.test('a release is made on a tag of a version only, after the tests, and published with an approval', async (t) => {
  const { on, jobs } = read('release.yaml')
  t.same(Object.keys(on), ['push'])
  t.same(Object.keys(on.push ?? {}), ['tags'])
  t.same([jobs.build?.needs, jobs.images?.needs, jobs.publish?.needs], ['test', 'build', 'images'])
  t.equal(jobs.publish?.environment, 'release')
  t.notOk('tags' in (read('test.yaml').on.push ?? {}), 'a tag is tested once, by the release')
})

t.test('tests run on the Debian and the Node of the images', async (t) => {
  const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
  const [, version] = /^ARG NODE_VERSION=(.+)$/m.exec(dockerfile) ?? []
  t.equal(read('test.yaml').jobs.test?.container?.image, `node:${version}-bookworm`)
})
