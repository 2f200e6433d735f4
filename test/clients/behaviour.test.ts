import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { webhookHeaders } from '../../services/notifier/src/webhook/sign.ts'
import { allDrivers } from '../support/clients/all-drivers.ts'
import {
  type Behaviour,
  readBehaviours,
  readSignatureCases,
  type SignatureCase,
  unreadFiles,
} from '../support/clients/behaviour.ts'
import { differences, requestDifferences } from '../support/clients/compare.ts'
import type { Driver, Outcome } from '../support/clients/driver.ts'
import { FaultServer, type Seen } from '../support/clients/fault-server.ts'

/** Webhook secrets. */
const secrets = { new: 'whsec_bmV3IHNlY3JldCBvZiBhbiBvd25lcg==', old: 'whsec_b2xkIHNlY3JldCBvZiBhbiBvd25lcg==' }

const server = await FaultServer.start()
t.teardown(() => server[Symbol.asyncDispose]())

t.same(unreadFiles(), [], 'every file of clients/behaviour is read')

for (const each of allDrivers()) {
  if ('missing' in each) t.pass(`the client in ${each.language}`, { skip: each.missing })
  else await testClient(each.start())
}

async function testClient(driver: Driver) {
  await t.test(`the client in ${driver.language} behaves as clients/behaviour says`, async (t) => {
    await using running = driver
    // Emptied, so that files of an earlier run are not taken for new ones.
    t.testdir({})
    // Run concurrently, because they mostly wait between two attempts.
    const behaviours = await Promise.all(readBehaviours().map((behaviour) => tryBehaviour(t, running, behaviour)))
    for (const { title, problems } of behaviours) t.strictSame(problems, [], title)
    const signatures = await Promise.all(readSignatureCases().map((each) => trySignature(running, each)))
    for (const { title, problems } of signatures) t.strictSame(problems, [], `webhooks: ${title}`)
  })
}

async function tryBehaviour(t: Test, driver: Driver, behaviour: Behaviour) {
  const { url, seen } = server.serve(behaviour)
  const folder = join(t.testdirName, new URL(url).pathname)
  await mkdir(folder, { recursive: true })
  const { call, expect, title } = behaviour
  const input = typeof call.input.url === 'string' ? { ...call.input, url: `${url}${call.input.url}` } : call.input
  const { server: otherUrl, key = 'pk_1', ...order } = call
  const outcome = await driver.run({ ...order, input, url: otherUrl ?? url, key, folder })
  return { title, problems: [...problemsOf(expect, outcome, seen), ...(await modeProblems(folder))] }
}

/** A saved file can be read by those who may read any other new file. */
async function modeProblems(folder: string): Promise<string[]> {
  const saved = await stat(join(folder, 'saved.pdf')).catch(() => undefined)
  if (!saved) return []
  const usual = join(folder, 'usual')
  await writeFile(usual, '')
  return differences((await stat(usual)).mode.toString(8), saved.mode.toString(8), 'the mode of the file')
}

function problemsOf(expect: Behaviour['expect'], outcome: Outcome, seen: Seen[]): string[] {
  const { result, error, files, requests, request_count, at_least_ms } = expect
  const spentMs = (seen.at(-1)?.atMs ?? 0) - (seen[0]?.atMs ?? 0)
  return [
    ...(error ? differences(error, outcome.error ?? { result: outcome.result }, 'error') : []),
    ...(error ? [] : differences(result, outcome.result ?? outcome.error, 'result')),
    ...(files ? differences(files, outcome.files, 'files') : []),
    ...(requests ? requestDifferences(requests, seen) : []),
    ...(request_count === undefined ? [] : differences(request_count, seen.length, 'the number of requests')),
    ...(at_least_ms !== undefined && spentMs < at_least_ms ? [`the requests are only ${spentMs} ms apart`] : []),
  ]
}

async function trySignature(driver: Driver, { title, accepted, ...each }: SignatureCase) {
  const body = JSON.stringify({ type: 'generation.completed', timestamp: '', data: { id: 'pdf_1', file_name: 'März' } })
  const timestampS = Math.floor(Date.now() / 1_000) - (each.age_s ?? 0)
  const signed = webhookHeaders({
    id: 'msg_1',
    timestampS,
    body,
    secrets: each.signed_with.map((name) => secrets[name]),
  })
  const version = each.signature_version
  const signature = signed['webhook-signature']?.replaceAll('v1,', `${version ?? 'v1'},`)
  const changed = Object.entries({ ...signed, 'webhook-signature': signature, ...each.headers })
  const kept = changed.filter(([, value]) => value !== null)
  const headers = Object.fromEntries(kept.map(([name, value]) => [each.header_case ? name.toUpperCase() : name, value]))
  const known = each.secrets.map((name) => (each.bare_secret ? secrets[name].slice(6) : secrets[name]))
  const input = { body: body + (each.append ?? ''), headers, secrets: known }
  const outcome = await driver.run({ call: 'verify_webhook', input, url: 'http://127.0.0.1:1', key: '', folder: '' })
  const expected = accepted ? { result: JSON.parse(body) } : { error: { code: 'WebhookVerificationError' } }
  return { title, problems: differences(expected, outcome) }
}
