import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { generate, print } from '../support/print.ts'

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())

const names = ['one', 'two', 'three'] as const
const createPartial = (name: string, html: string) => platen.json('/v1/partials', { body: { name, html } })
const changePartial = async (name: string, html: string) => {
  const { status, body } = await platen.json(`/v1/partials/${name}`, { method: 'PATCH', body: { html } })
  if (status !== 200) throw new Error(JSON.stringify(body))
}
const createTemplate = async (body: object) => (await platen.json<Template>('/v1/templates', { body })).body
const textOf = async (body: object) => (await print(platen, body)).map(({ text }) => text).join(' ')

/** The versions of the three partials that a document shows. */
async function shown(body: object): Promise<number[]> {
  const text = await textOf(body)
  return names.map((name) => Number(new RegExp(`${name}:(\\d+);`).exec(text)?.[1]))
}

t.test('a template prints partials, layouts and their blocks, also in its header', async (t) => {
  const page = '<main>{{> address sender}}<h1>{{#> title}}Untitled{{/title}}</h1>{{> @partial-block}}</main>'
  t.match(await createPartial('page', page), {
    status: 422,
    body: { error: { message: /^partial "page", line 1, column 7: there is no partial "address"/ } },
  })
  t.match(await createPartial('address', '<b>{{name}}</b>, {{city}}'), { status: 201 })
  t.match(await createPartial('page', page), { status: 201 })
  await createPartial('mark', 'Header of {{sender.name}}')
  const letter = await createTemplate({
    name: 'Letter',
    html: '{{#> page}}{{#*inline "title"}}Dear {{reader}}{{/inline}}<p>Body</p>{{/page}}',
    header_html: '<div style="font-size: 12px">{{> mark}}</div>',
  })
  t.match(Object.keys(letter.partials ?? {}).sort(), ['address', 'mark', 'page'])
  const data = { sender: { name: 'Lindqvist', city: 'Oslo' }, reader: 'Ada' }
  const text = await textOf({ template: 'letter', data })
  for (const part of ['Header of Lindqvist', 'Lindqvist', ', Oslo', 'Dear Ada', 'Body']) t.match(text, part)
  t.match(await textOf({ html: '{{> address sender}}', data }), /^Lindqvist ?, Oslo/)
  const { generation } = await generate(platen, { template: 'letter', data: { reader: 'Ada' } })
  t.match(generation.warnings, [{ code: 'MISSING_VALUE' }])
})

t.test('under load every document shows one set of three partials, never a mixture', async (t) => {
  const source = (name: string, version: number) => `${name}:${version};`
  for (const name of names) await createPartial(name, source(name, 1))
  const html = names.map((name) => `<p>{{> ${name}}}</p>`).join('')
  await createTemplate({ name: 'Pinned', html })
  await createTemplate({ name: 'Following', html, follow_partials: true })
  let stopped = false
  /** The newest version that all three partials have, and that all requests after it must show. */
  let complete = 1
  const changing = async () => {
    for (let version = 2; version <= 12; version++) {
      for (const name of names) await changePartial(name, source(name, version))
      await platen.json('/v1/templates/pinned', { method: 'PATCH', body: { html } })
      complete = version
    }
    stopped = true
  }
  const pinned: number[][] = []
  const following: { atLeast: number; versions: number[] }[] = []
  const printPinned = async () => {
    while (!stopped) pinned.push(await shown({ template: 'pinned' }))
  }
  const printFollowing = async (body: object) => {
    while (!stopped) {
      const atLeast = complete
      following.push({ atLeast, versions: await shown(body) })
    }
  }
  const inline = { html, data: {} }
  const following_ = { template: 'following' }
  await Promise.all([changing(), printPinned(), printPinned(), printFollowing(following_), printFollowing(inline)])
  t.ok(pinned.length > 0 && following.length > 0)
  for (const [one, two, three] of pinned) t.ok(one === two && two === three, `${one} ${two} ${three}`)
  for (const { atLeast, versions } of following) {
    const [one = 0, two = 0, three = 0] = versions
    // They change one after the other, so that these are the sets that there were.
    t.ok(one >= two && two >= three && three >= one - 1 && three >= atLeast, `${versions}, at least ${atLeast}`)
  }
})

t.test('a saved version prints the same after a restart, a rebuild of the views and a deletion', async (t) => {
  const versions = [1, 5, 12]
  const shownNow = () =>
    Promise.all(versions.map((template_version) => shown({ template: 'pinned', template_version })))
  const expected = versions.map((version) => [version, version, version])
  t.same(await shownNow(), expected)

  await platen.kill()
  for (const file of ['views.db', 'views.db-wal', 'views.db-shm']) {
    await rm(join(platen.dataDir, 'gateway', file), { force: true })
  }
  await platen.start()
  t.same(await shownNow(), expected)
  t.match(await platen.json('/v1/partials/two/usage'), { body: { counts: { templates: 2, partials: 0 } } })

  const { body } = await platen.json('/v1/partials/two', { method: 'DELETE' })
  t.match(body, { name: 'two', templates: 2, partials: 0 })
  t.same(await shownNow(), expected)
  const follower = await platen.json<Generation>('/v1/generate', { body: { template: 'following' } })
  t.match(follower, {
    status: 422,
    body: { error: { message: /^html, line 1, column \d+: there is no partial "two"/ } },
  })
  t.match(await platen.json('/v1/templates/pinned', { method: 'PATCH', body: { html: '{{> two}}' } }), { status: 422 })
  await createPartial('two', 'two:99;')
  t.same(await shown({ template: 'following' }), [12, 99, 12])
  t.same(await shownNow(), expected)
})
