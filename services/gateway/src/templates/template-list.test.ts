import { createOwner } from '@platen/domain/owner/owners.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway

const ids: Record<string, string> = {}
for (const name of ['banana', 'Apple', 'Cherry pie', 'Élan']) {
  ids[name] = (await call('POST', '/v1/templates', { body: { name, html: 'x' } })).body.id
}
await call('PATCH', `/v1/templates/${ids.Apple}`, { body: { html: 'y' } })

/** The names of all pages. */
async function namesOf(query: string): Promise<string[]> {
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/v1/templates?summary=true&limit=2&${query}${cursor}`)
    names.push(...body.data.map(({ name }: { name: string }) => name))
    if (body.next_cursor === undefined) return names
    cursor = `&cursor=${body.next_cursor}`
  }
}

t.test('templates are sorted by creation, by change and by name, over all pages', async (t) => {
  t.same(await namesOf(''), ['Élan', 'Cherry pie', 'Apple', 'banana'])
  t.same(await namesOf('sort=created'), ['Élan', 'Cherry pie', 'Apple', 'banana'])
  t.same(await namesOf('sort=updated'), ['Apple', 'Élan', 'Cherry pie', 'banana'])
  t.same(await namesOf('sort=name'), ['Apple', 'banana', 'Cherry pie', 'Élan'])
})

t.test('a search finds a part of the name or the slug, in upper or lower case', async (t) => {
  t.same(await namesOf('q=AN&sort=name'), ['banana', 'Élan'])
  t.same(await namesOf('q=%C3%89LAN'), ['Élan'])
  t.same(await namesOf('q=cherry-pie'), ['Cherry pie'])
  t.same(await namesOf('q=%25'), [], 'a percent sign is a character')
  t.same(await namesOf('q=nothing'), [])
})

t.test('what the list cannot do is refused', async (t) => {
  for (const query of ['q=', `q=${'x'.repeat(101)}`, 'sort=size', 'deleted=true&q=a', 'deleted=true&sort=name']) {
    t.equal((await call('GET', `/v1/templates?${query}`)).body.error.code, 'VALIDATION_ERROR', query)
  }
  const cursorOf = (id = '') => Buffer.from(id).toString('base64url')
  const key = await gateway.issueKeyOf(await createOwner(gateway.services.store, 'Other'))
  const foreign = await call('GET', `/v1/templates?sort=name&cursor=${cursorOf(ids.banana)}`, { key })
  t.equal(foreign.body.error.code, 'VALIDATION_ERROR')
})
