import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { headers } from 'nats'
import type { Test } from 'tap'
import { openServices } from '../../cli/src/frame/open-services.ts'
import { jsonLines, type Ran, runCli } from '../../cli/src/testing/run-cli.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import type { Answer, PlatenRequest } from '../support/platen.ts'
import { until } from '../support/until.ts'

/** What a command line finds in a deployment: a template of two versions, documents, a webhook, a dead letter. */
interface Deployment {
  kind: 'single node' | 'processes'
  env: Record<string, string>
  folder: string
  /** Id of a completed document with a webhook. */
  generation: string
  request: string
  delivery: string
  deadLetter: string
  batch: string
  key: string
  /** Stops the services. */
  stop(): Promise<unknown>
}

/** Names of this run: a real event store has those of earlier ones. */
const run = Date.now().toString(36)
const slug = `commands-${run}`
const [globex, initech] = [`Globex-${run}`, `Initech-${run}`]

/** A line is split at its spaces, which the folder of the repository may have. */
const here = (path: string) => relative(process.cwd(), join(import.meta.dirname, path))
const jsreportExport = here('../../cli/src/author/jsreport/fixtures/sample.jsrexport')

type Call = readonly [args: string, expected: Partial<Record<keyof Ran, unknown>>]
type Case = readonly [verb: string, call: (deployment: Deployment) => Call]

const ok = (stdout?: string | RegExp): Call[1] => ({ code: 0, ...(stdout !== undefined && { stdout }) })
const refused = (stderr: string | RegExp): Call[1] => ({ code: 1, stderr })
const onSingle = <One>(deployment: Deployment, yes: One, no: One) => (deployment.kind === 'single node' ? yes : no)

/** This verb runs until Ctrl-C. */
const endless = 'templates watch'

/** In the order of a run: some cases need results of others. */
const cases: Case[] = [
  // Not without a finding: the tests run as root, and on a machine without all fonts.
  ['doctor', () => ['', { stdout: /ok +event store/ }]],
  ['status', () => ['', { stdout: /● +nats-server/ }]],
  ['streams setup', () => ['', ok()]],
  ['streams check', () => ['', ok()]],
  ['deployment', () => ['', ok('this deployment')]],
  ['relay status', () => ['', ok(/renderer +caught up/)]],
  ['nats-url', (it) => ['', it.kind === 'single node' ? ok('nats://subscriber:') : { code: 1 }]],
  ['trace', (it) => [it.request, ok(/request accepted[\s\S]*webhook scheduled/)]],
  ['events', () => ['--category generation --type GenerationCompleted --format table', ok('GenerationCompleted')]],
  ['stream', (it) => [`generation-${it.generation}`, ok('GenerationRequested')]],
  ['replay', () => ['--type GenerationCompleted', ok(/\d+ events? published/)]],
  ['replay', () => ['--to-events --since 2000-01-01', ok('in the stream EVENTS')]],
  ['archive', () => ['', ok()]],
  ['archive list', () => ['', ok(/\d+ events/)]],
  ['archive read', () => ['--category template', ok('TemplateCreated')]],
  // All is younger.
  ['archive remove', () => ['--older-than 1d', { code: 0, stderr: 'nothing to remove' }]],
  ['deliveries list', () => ['--status succeeded', ok('msg_')]],
  ['deliveries show', (it) => [it.delivery, ok('204')]],
  ['deliveries redeliver', (it) => [it.delivery, ok('is due now')]],
  ['generations list', (it) => ['--status completed', ok(it.generation)]],
  ['generations show', (it) => [it.generation, ok('completed')]],
  ['generations retry', (it) => [it.generation, refused('is not kept: only with retain_input')]],
  ['generations cancel', (it) => [it.generation, refused('already completed')]],
  ['templates list', () => ['', ok(slug)]],
  ['templates history', () => [slug, ok(/2 /)]],
  ['templates diff', () => [`${slug} --from 1 --to 2`, { code: 1, stdout: '+<p>two' }]],
  ['templates restore', () => [`${slug} --version 1`, ok('3')]],
  ['templates pull', (it) => [join(it.folder, 'templates'), ok()]],
  ['templates push', (it) => [join(it.folder, 'templates'), ok()]],
  ['assets push', () => [`${here('../fidelity/cases/assets')} --into ${run}`, ok(`${run}/green.svg  created`)]],
  ['import jsreport', () => [jsreportExport, { code: 1, stdout: 'template letter  created' }]],
  ['batches create', (it) => [join(it.folder, 'items.ndjson'), ok(/bat_\w+ {2}running/)]],
  ['batches list', (it) => ['', ok(it.batch)]],
  ['batches wait', (it) => [`${it.batch} --timeout 2m`, ok('2 completed')]],
  ['batches show', (it) => [it.batch, ok('2 completed')]],
  ['batches items', (it) => [it.batch, ok(/1 {2}completed {2}pdf_/)]],
  ['batches cancel', (it) => [it.batch, refused('already completed')]],
  ['batches download', (it) => [`${it.batch} --as pdf --to ${join(it.folder, 'batch.pdf')}`, ok('bytes')]],
  ['partials list', () => ['', ok()]],
  ['partials history', () => [slug, refused('PARTIAL_NOT_FOUND')]],
  ['dead-letters list', () => ['', ok('it crashed')]],
  ['dead-letters show', (it) => [it.deadLetter, ok('it crashed')]],
  ['dead-letters retry', (it) => [it.deadLetter, ok('RedeliverDelivery is executed')]],
  ['dead-letters drop', () => ['--all', ok()]],
  ['owners create', () => [`--name ${globex}`, ok('own_')]],
  ['owners list', () => ['', ok(globex)]],
  ['owners rename', () => [`${globex} --name ${initech}`, ok()]],
  ['owners rotate-webhook-secret', () => [initech, ok()]],
  ['owners disable', () => [initech, ok()]],
  ['owners enable', () => [initech, ok()]],
  ['keys issue', () => [`--name more --owner ${initech}`, ok('pk_')]],
  ['keys list', () => ['', ok('key_')]],
  ['keys rotate', (it) => [it.key, ok('pk_')]],
  ['keys revoke', (it) => [it.key, ok()]],
  ['views check', () => ['', ok('no differences')]],
  ['views rebuild', () => ['', ok('the new views are in use')]],
  ['erase', (it) => [`--data-subject ann-${run} --receipt ${join(it.folder, 'receipt')}`, ok('"dry_run": false')]],
  ['eventstore setup', (it) => ['--print', it.kind === 'single node' ? { code: 1 } : ok('users')]],
  [
    'backup',
    (it) =>
      onSingle(
        it,
        [join(it.folder, 'backup'), ok('checked')],
        [join(it.folder, 'backup'), refused('use the backup of')],
      ),
  ],
  [
    'backup drill',
    (it) => [
      `${join(it.folder, 'backup')} --documents 3`,
      onSingle(it, ok('the drill succeeded'), refused('there is no whole backup in')),
    ],
  ],
  ['backup engines', () => ['', ok('if NATS is lost')]],
  [
    'backup verify',
    (it) => [
      `${join(it.folder, 'backup')} --receipt ${join(it.folder, 'receipt')}`,
      onSingle(it, ok('It is whole'), refused('there is no whole backup in')),
    ],
  ],
]

/** While the services are stopped. */
const whenStopped: Case[] = [
  // The single node stops its NATS with itself.
  ['deployment claim', (it) => ['--yes', ok(it.kind === 'single node' ? 'the next start' : 'belong to')]],
  [
    'restore',
    (it) => onSingle(it, [join(it.folder, 'backup'), ok('are restored')], [join(it.folder, 'backup'), { code: 1 }]),
  ],
]

/** The names of the verbs that are tried. */
export const tried = new Set([...[...cases, ...whenStopped].map(([verb]) => verb), endless])

export interface Started extends Pick<Deployment, 'kind' | 'env' | 'stop'> {
  json<Body>(path: string, init?: PlatenRequest): Promise<Answer<Body>>
}

/** Runs each verb of the command line against a deployment. */
export async function tryAll(
  t: Test,
  resources: AsyncDisposableStack,
  { kind, env, json, stop }: Started,
): Promise<void> {
  const receiver = resources.use(await startReceiver())
  const folder = await mkdtemp(join(tmpdir(), 'platen-commands-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const platen = (line: string) => runCli(env, line.split(' ').filter(Boolean))
  const sent = async <Body>(path: string, init: PlatenRequest) => (await json<Body>(path, init)).body

  const template = { name: slug, html: '<p>one</p>', sample_data: {} }
  const { id } = await sent<{ id: string }>('/v1/templates', { body: template })
  await sent(`/v1/templates/${id}`, { method: 'PATCH', body: { html: '<p>two</p>' } })
  const metadata = { data_subject: `ann-${run}` }
  const webhook_url = receiver.url('/hook')
  const document = { template: slug, async: true, webhook_url, metadata }
  const { id: generation } = await sent<{ id: string }>('/v1/generate', { body: document })
  const delivered = async () =>
    jsonLines(await platen('deliveries list --status succeeded --json')).find((one) => one.generation_id === generation)
  const { delivery_id, id: message } = await until(delivered, 'the webhook was not delivered')
  const [{ correlationid: request }] = jsonLines(await platen(`stream generation-${generation} --format cloudevents`))
  const issued = JSON.parse((await platen('keys issue --name one --json')).stdout)
  const items = [{ html: '<p>one' }, { html: '<p>two' }]
  const { id: batch } = await sent<{ id: string }>('/v1/batches', { body: { items } })
  await writeFile(join(folder, 'items.ndjson'), '{"html":"<p>line"}')
  const deadLetter = String(await bury(env, delivery_id ?? message))
  const it = {
    kind,
    env,
    folder,
    generation,
    request,
    delivery: delivery_id ?? message,
    deadLetter,
    batch,
    key: issued.id,
    stop,
  }

  const attempt = async ([verb, call]: Case) => {
    const [args, expected] = call(it)
    t.match(await platen(`${verb} ${args}`), expected, `${verb} ${args}`)
  }
  for (const one of cases) await attempt(one)
  await watch(t, env, folder)
  await stop()
  for (const one of whenStopped) await attempt(one)
}

/** A command in DEAD_LETTERS, as a service leaves it there. */
async function bury(env: Record<string, string>, delivery_id: string): Promise<number> {
  await using resources = new AsyncDisposableStack()
  const bus = await openServices(env, resources, { isReading: true }).openBus()
  const header = headers()
  const subject = commandSubjects.delivery(delivery_id)
  header.set('Platen-Reason', 'it crashed')
  header.set('Platen-Subject', subject)
  header.set('Platen-Deliveries', '5')
  const command = { type: 'RedeliverDelivery', data: { delivery_id }, metadata: operatorMetadata() }
  return (await bus.js.publish(`dead-letters.${subject}`, JSON.stringify(command), { headers: header })).seq
}

/** A saved file becomes a version. It is saved again until the command has begun to watch. */
async function watch(t: Test, env: Record<string, string>, folder: string): Promise<void> {
  const stop = new AbortController()
  const path = join(folder, 'templates', slug, 'template.html')
  const html = await readFile(path, 'utf8')
  const watching = runCli(env, ['templates', 'watch', join(folder, 'templates')], { signal: stop.signal })
  let saved = 0
  const pushed = async () => {
    await writeFile(path, `${html}<p>saved ${run} ${++saved}</p>`)
    const { stdout } = await runCli(env, ['events', '--category', 'template', '--type', 'TemplateUpdated'])
    return stdout.includes(`<p>saved ${run}`) ? true : undefined
  }
  try {
    await until(pushed, 'the saved file was not pushed')
  } finally {
    stop.abort()
    t.match(await watching, { stderr: 'watching' }, 'templates watch')
  }
}
