import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Generation } from '@platen/domain/generation/generation.ts'
import t, { type Test } from 'tap'
import { checkOut, hasCommit, lastRelease } from '../support/earlier-version.ts'
import { type Service, services } from '../support/fleet.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { type OneOfEach, startOneOfEach } from '../support/one-of-each.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

// Until there is a release, a version that early users may run: the one before partials, assets and redacted events.
const release = lastRelease() ?? '035a7ce'

t.setTimeout(900_000)

const here = fileURLToPath(new URL('../..', import.meta.url))
const skip = hasCommit(release) ? false : `the clone has no commit ${release}`

/** All that a caller of both versions does: templates, documents of both kinds, large ones, failures, cancellation, files and webhooks. */
async function runJobs(t: Test, platen: OneOfEach): Promise<void> {
  await using receiver = await startReceiver()
  await using pictures = await servePicture()
  const html = '<h1>Invoice {{number}}</h1>{{#each lines}}<p>{{name}}</p>{{/each}}'
  const created = await platen.json<{ id: string; slug: string }>('/v1/templates', { body: { name: 'Mixed', html } })
  t.equal(created.status, 201, 'a template is created')
  const { id: template } = created.body
  const patched = await platen.request(`/v1/templates/${template}`, {
    method: 'PATCH',
    body: { html: `${html}<p>second version` },
  })
  t.equal(patched.status, 200, 'and changed')

  const documents: Record<string, { body: object; text: RegExp }> = {
    html: { body: { html: '<p>plain' }, text: /plain/ },
    template: {
      body: { template, data: { number: 7, lines: [{ name: 'one' }] } },
      text: /Invoice 7[\s\S]*one[\s\S]*second version/,
    },
    'an earlier version': {
      body: { template, template_version: 1, data: { number: 8, lines: [] } },
      text: /Invoice 8/,
    },
    script: { body: { html: '<p id=a>no<script>a.textContent="scripted"</script>' }, text: /scripted/ },
    options: {
      body: {
        html: '<p>sheet',
        options: { format: 'A5', landscape: true, header_html: '<p>head</p>', margin: { top: 20 } },
      },
      text: /sheet/,
    },
    'wait for': {
      body: {
        html: '<p id=b>no<script>setTimeout(() => b.className = "done", 50)</script>',
        options: { wait_for: { selector: '.done' } },
      },
      text: /no/,
    },
    'an input in the object store': { body: { html: `<p>large<!--${'x'.repeat(800_000)}-->` }, text: /large/ },
    'a picture that is refused': { body: { html: `<p>refused<img src="${pictures.url}">` }, text: /refused/ },
  }
  const accepted = new Map<string, string>()
  for (const [name, { body, text }] of Object.entries(documents)) {
    const sync = await platen.json<Generation>('/v1/generate', { body })
    t.equal(sync.status, 200, `${name}: ${JSON.stringify(sync.body)}`)
    await checkFile(t, platen, sync.body.id, text)
    const request = {
      ...body,
      async: true,
      webhook_url: receiver.url(`/${encodeURIComponent(name)}`),
    }
    const async = await platen.json<Generation>('/v1/generate', { body: request })
    t.equal(async.status, 202, name)
    accepted.set(name, async.body.id)
  }
  for (const [name, id] of accepted) {
    const end = await ended(platen, id)
    t.equal(end.status, 'completed', name)
    const [call] = await receiver.calls(`/${encodeURIComponent(name)}`, 1)
    t.match(JSON.parse(call?.body ?? '{}'), { type: 'generation.completed', data: { id } }, `${name}: webhook`)
  }

  const failed = await platen.json('/v1/generate', { body: { html: '{{formatCurrency "abc"}}', data: {} } })
  t.equal(failed.status, 422, 'a document that cannot be filled fails')
  const slow = { html: '<script>for(;;);</script>', async: true }
  const { body: cancelled } = await platen.json<Generation>('/v1/generate', { body: slow })
  t.ok([200, 202, 204].includes((await platen.request(`/v1/generations/${cancelled.id}`, { method: 'DELETE' })).status))
  t.equal((await ended(platen, cancelled.id)).status, 'cancelled')
  const { body: list } = await platen.json<{ data: Generation[] }>('/v1/generations?limit=100')
  const known = new Set(list.data.map(({ id }) => id))
  for (const id of accepted.values()) t.ok(known.has(id), 'the list has it')
  t.equal((await platen.request(`/v1/templates/${template}`, { method: 'DELETE' })).status, 204)
  for (const service of services) {
    const errors = platen
      .output(service)
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line))
    t.same(errors, [], `${service} has logged no error`)
  }
}

const ended = (platen: OneOfEach, id: string) =>
  until(async () => {
    const { body } = await platen.json<Generation>(`/v1/generations/${id}`)
    return ['completed', 'failed', 'cancelled'].includes(body.status) ? body : undefined
  }, `${id} does not end`)

async function checkFile(t: Test, platen: OneOfEach, id: string, text: RegExp): Promise<void> {
  const file = await platen.request(`/v1/generations/${id}/file`)
  const pdf = await readPdf(new Uint8Array(await file.arrayBuffer()))
  t.match(pdf.map((page) => page.text).join('\n'), text)
}

async function servePicture() {
  const server = createServer((_, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

t.test('the services of two versions work together', { skip }, async (t) => {
  await using earlier = await checkOut(release)
  const mixtures: Record<string, readonly Service[]> = {
    'an earlier renderer with the gateway, template service and notifier of today': ['renderer'],
    'the renderer of today with the earlier others': ['gateway', 'template', 'notifier'],
    'an earlier gateway with the others of today': ['gateway'],
  }
  for (const [title, old] of Object.entries(mixtures)) {
    await t.test(title, async (t) => {
      const sourceOf = (service: Service) => (old.includes(service) ? earlier.folder : here)
      await using platen = await startOneOfEach({ sourceOf })
      await runJobs(t, platen)
    })
  }
})
