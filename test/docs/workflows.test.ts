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

/** The jobs of release.yaml that publish. The last one comes after the others, and so after the approval. */
const publishing = ['publish-images', 'publish-npm', 'publish-pypi', 'publish-release']

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

  t.test(
    `${name}: jobs need jobs that exist and have a limit of time, and actions are named by commit, as a tag can be moved`,
    async (t) => {
      for (const [id, job] of Object.entries(workflow.jobs)) {
        for (const needed of [job.needs ?? []].flat()) t.ok(needed in workflow.jobs, `${id} needs ${needed}`)
        if (job.uses) {
          t.ok(names.includes(job.uses.replace('./.github/workflows/', '')), job.uses)
          t.ok('workflow_call' in read(job.uses.replace('./.github/workflows/', '')).on)
          continue
        }
        t.ok(job['runs-on'] && job['timeout-minutes'], id)
        for (const { uses } of job.steps ?? []) if (uses) t.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, id)
      }
      // What Dependabot and people read of a commit.
      for (const [line] of textOf(name).matchAll(/^.*- uses: .*@.*$/gm)) t.match(line, / # v\d+\.\d+\.\d+$/)
    },
  )

  t.test(`${name}: only what publishes may write`, async (t) => {
    t.same(workflow.permissions, { contents: 'read' })
    const writing = Object.entries(workflow.jobs).filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes('write'),
    )
    t.same(
      writing.map(([id]) => id),
      name === 'release.yaml' ? publishing : [],
    )
    for (const [id, { steps = [] }] of Object.entries(workflow.jobs)) {
      for (const { uses, with: given } of steps) {
        if (uses?.startsWith('actions/checkout@'))
          t.equal(given?.['persist-credentials'], id === 'publish-release' ? undefined : false, id)
      }
    }
  })

  t.test(`${name}: a value of GitHub is not pasted into a script`, async (t) => {
    for (const { run = '' } of stepsOf(workflow)) t.notMatch(run, '${{')
  })
}

t.test(
  'a release is made on a tag of a version only, after the tests, and nothing is published before the approval',
  async (t) => {
    const { on, jobs } = read('release.yaml')
    t.same(Object.keys(on), ['push'])
    t.same(Object.keys(on.push ?? {}), ['tags'])
    t.same([jobs.build?.needs, jobs.images?.needs], ['test', 'build'])
    const [last = '', ...approved] = publishing.toReversed()
    for (const id of approved) t.match(jobs[id], { needs: 'images', environment: 'release' }, id)
    t.same(jobs[last]?.needs, approved.toReversed())
    t.notOk('tags' in (read('test.yaml').on.push ?? {}), 'a tag is tested once, by the release')
  },
)

t.test('a token is in the job alone that needs it', async (t) => {
  const { jobs } = read('release.yaml')
  const rights = Object.entries(jobs).map(([id, { permissions = {} }]) => [id, Object.keys(permissions)])
  t.same(Object.fromEntries(rights), {
    test: [],
    build: [],
    images: [],
    'publish-images': ['packages'],
    'publish-npm': ['id-token'],
    'publish-pypi': ['id-token'],
    'publish-release': ['contents', 'id-token', 'attestations'],
  })
  const having = (text: string) => Object.entries(jobs).filter(([, job]) => JSON.stringify(job).includes(text))
  t.same(
    having('secrets.NPM_TOKEN').map(([id]) => id),
    ['publish-npm'],
  )
  t.same(
    having('secrets.GITHUB_TOKEN').map(([id]) => id),
    ['publish-images'],
  )
  t.same(having('docker.sock'), [], 'no program of others reaches the Docker engine')
})

t.test('tests run on the Debian and the Node of the images', async (t) => {
  const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
  const [, version] = /^ARG NODE_VERSION=(.+)$/m.exec(dockerfile) ?? []
  t.equal(read('test.yaml').jobs.test?.container?.image, `node:${version}-bookworm`)
})
