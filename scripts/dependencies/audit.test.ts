import { execFile } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPnpm } from '@platen/test-support/pnpm.ts'
import t, { type Test } from 'tap'
import { type Advisory, describeAdvisories } from './audit.ts'

// pnpm asks a registry of this test, which answers as https://docs.npmjs.com/cli/v11/commands/npm-audit describes.

const run = promisify(execFile)
const pnpm = findPnpm()
const skip = pnpm ? false : 'pnpm is not installed'

/** Runs the audit with a registry that answers like this. */
async function audit(t: Test, answer: (response: ServerResponse) => void, ...more: string[]) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const env = {
    ...process.env,
    PNPM_CONFIG_REGISTRY: `http://127.0.0.1:${port}/`,
    PNPM_CONFIG_FETCH_RETRIES: '0',
    NPM_CONFIG_OFFLINE: 'true',
  }
  const args = [join(import.meta.dirname, 'audit.ts'), '--pnpm', (pnpm ?? []).join(' '), ...more]
  const { code = 0, stdout } = await run(process.execPath, args, { env }).catch((err) => err)
  return { code, stdout }
}

const json = (body: object) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const known = (severity: string) => ({
  id: severity.charCodeAt(0),
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'A hole',
  severity,
  vulnerable_versions: '<1000',
})

t.test('a severe vulnerability of what runs fails, with the package and who brings it', { skip }, async (t) => {
  const { code, stdout } = await audit(t, json({ tap: [known('critical')], fastify: [known('high')] }))
  t.equal(code, 1)
  t.match(
    stdout,
    /^critical: tap@\S+: A hole \(https:\S+\), not fixed, only in tests and builds, by .+\nhigh: fastify@\S+: A hole .* by services__gateway>fastify\naudit: \d+ packages, 2 known vulnerabilities\n$/m,
  )
})

t.test('others are listed', { skip }, async (t) => {
  const { code, stdout } = await audit(t, json({ tap: [known('critical')], fastify: [known('moderate')] }))
  t.equal(code, 0)
  t.match(stdout, /^moderate: fastify@/m)
})

t.test('without an answer of the registry it is skipped, or fails if it is required', { skip }, async (t) => {
  const refuse = (response: ServerResponse) => response.writeHead(405).end()
  const skipped = /^audit: skipped, as the registry has not answered: .*AUDIT_BAD_RESPONSE/m
  const free = await audit(t, refuse)
  t.match([free.code, free.stdout], [0, skipped])
  const required = await audit(t, (response) => response.destroy(), '--required')
  t.match([required.code, required.stdout], [1, /^audit: skipped, as the registry has not answered: \S/m])
})

t.test('the worst is listed first, and what tests install does not fail', async (t) => {
  const advisory = (severity: string, dev: boolean): Advisory => ({
    module_name: 'a',
    title: 'A hole',
    url: 'https://example.com',
    patched_versions: '>=2',
    severity,
    findings: [{ version: '1.0.0', paths: ['cli>a'], dev }],
  })
  const { lines, isBad } = describeAdvisories([advisory('low', false), advisory('critical', true)])
  t.same(lines, [
    'critical: a@1.0.0: A hole (https://example.com), fixed in >=2, only in tests and builds, by cli>a',
    'low: a@1.0.0: A hole (https://example.com), fixed in >=2, by cli>a',
  ])
  t.equal(isBad, false)
  t.equal(describeAdvisories([advisory('high', false)]).isBad, true)
})
