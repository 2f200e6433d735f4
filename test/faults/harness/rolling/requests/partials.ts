import type { Partial as PartialBody } from '@platen/domain/partial/partial.ts'
import type { Client } from '../../client.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

/** Partials of three names, which are created, changed and deleted at once. */
export function partialRequests(client: Client): RequestKind[] {
  const { gateways, seed } = client
  const names = ['header', 'body', 'footer'].map((name) => `${name}${seed}`)
  const ids = new Map<string, string>()
  let edits = 0

  const create = async (random: Seeded) => {
    const name = random.pick(names)
    const html = `<i>Partial ${edits++} of ${name}</i>`
    const { status, body } = await client.write<PartialBody>(random.pick(gateways), {
      operation: 'createPartial',
      path: '/v1/partials',
      body: { name, html },
      expected: [201, 409],
      subject: name,
      sent: { html, name },
      key: `${seed} ${html}`,
    })
    if (status === 201 && body) ids.set(name, body.id)
  }
  const change = async (random: Seeded) => {
    const name = random.pick(names)
    const html = `<i>Partial ${edits++} of ${name}</i>`
    await client.write(random.pick(gateways), {
      operation: 'updatePartial',
      path: `/v1/partials/${name}`,
      method: 'PATCH',
      body: { html },
      expected: [200, 404],
      subject: name,
      sent: { html },
    })
  }
  const remove = async (random: Seeded) => {
    const name = random.pick(names)
    await client.write(random.pick(gateways), {
      operation: 'deletePartial',
      path: `/v1/partials/${name}`,
      method: 'DELETE',
      expected: [200, 404],
      subject: name,
    })
  }
  const read = async (random: Seeded) => {
    const name = random.pick(names)
    const id = ids.get(name)
    if (id === undefined) await create(random)
    else await client.read(random.pick(gateways), `partial-${id}`, `/v1/partials/${name}`)
  }
  // Others delete it meanwhile.
  const get = reading(client, { pick: (random) => random.pick(names), expected: [200, 404] })

  return [
    { operation: 'createPartial', share: 0.8, send: create },
    { operation: 'updatePartial', share: 1.5, send: change },
    { operation: 'deletePartial', share: 0.4, send: remove },
    { operation: 'getPartial', share: 6, send: read },
    get('listPartials', 0.5, () => '/v1/partials'),
    get('listPartialVersions', 0.4, (name) => `/v1/partials/${name}/versions`),
    get('getPartialVersion', 0.4, (name) => `/v1/partials/${name}/versions/1`),
    get('getPartialUsage', 0.4, (name) => `/v1/partials/${name}/usage`),
  ]
}
