import type { ApiKey } from '@platen/domain/api-key/api-key.ts'
import type { Owner } from '@platen/domain/owner/owner.ts'
import type { Client } from '../../client.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

type WithSecret = ApiKey & { key: string }
interface KeyOf {
  id: string
  owner: string
}

/** Owners and API keys. Each is changed by one request at a time, so that its answer shows its own change. */
export function administrationRequests(client: Client): RequestKind[] {
  const { gateways, seed } = client
  const owners: string[] = []
  const keys: KeyOf[] = []
  let made = 0

  const createOwner = async (random: Seeded) => {
    const name = `Owner ${made++} ${seed}`
    const { status, body } = await client.write<Owner>(random.pick(gateways), {
      operation: 'createOwner',
      path: '/v1/owners',
      body: { name },
      expected: [201, 202],
      subject: name,
      sent: { name },
    })
    if (status === 201 && body) owners.push(body.id)
  }
  /** No other request changes the owner meanwhile. */
  const withOwner = async (random: Seeded, use: (owner: string) => Promise<unknown>) => {
    const owner = owners.shift()
    if (owner === undefined) return createOwner(random)
    await use(owner).finally(() => owners.push(owner))
  }
  const update = (random: Seeded) =>
    withOwner(random, (owner) => {
      const change = { name: `Owner ${made++} ${seed}, renamed` }
      return client.write(random.pick(gateways), {
        operation: 'updateOwner',
        path: `/v1/owners/${owner}`,
        method: 'PATCH',
        body: change,
        expected: [200, 202],
        subject: owner,
        sent: change,
      })
    })
  const rotateWebhookSecret = (random: Seeded) =>
    withOwner(random, (owner) =>
      client.write(random.pick(gateways), {
        operation: 'rotateWebhookSecret',
        path: `/v1/webhook-secret/rotate?owner=${owner}`,
        method: 'POST',
        expected: [200, 202],
        subject: owner,
      }),
    )
  /** A new secret is known at every gateway at once. */
  const use = ({ key }: WithSecret, random: Seeded) =>
    client.send(random.pick(gateways), {
      operation: 'listTemplates',
      path: '/v1/templates?limit=1',
      expected: [200],
      headers: { authorization: `Bearer ${key}` },
    })
  const issue = (random: Seeded) =>
    withOwner(random, async (owner) => {
      const name = `key ${made++} of ${seed}`
      const { status, body } = await client.write<WithSecret>(random.pick(gateways), {
        operation: 'issueApiKey',
        path: `/v1/keys?owner=${owner}`,
        body: { name, scopes: ['templates:read'] },
        expected: [201, 202],
        subject: owner,
        sent: { name },
      })
      if (status !== 201 || !body) return
      await use(body, random)
      keys.push({ id: body.id, owner })
    })
  const rotate = async (random: Seeded) => {
    const key = keys.shift()
    if (!key) return issue(random)
    const { status, body } = await client.write<WithSecret>(random.pick(gateways), {
      operation: 'rotateApiKey',
      path: `/v1/keys/${key.id}/rotate?owner=${key.owner}&grace_s=0`,
      method: 'POST',
      expected: [200, 202],
      subject: key.id,
    })
    if (status === 200 && body) await use(body, random)
    keys.push(key)
  }
  const revoke = async (random: Seeded) => {
    const key = keys.shift()
    if (!key) return issue(random)
    await client.write(random.pick(gateways), {
      operation: 'revokeApiKey',
      path: `/v1/keys/${key.id}?owner=${key.owner}`,
      method: 'DELETE',
      expected: [202, 204],
      subject: key.id,
    })
  }
  const get = reading(client, { pick: () => undefined, expected: [200] })
  const getOne = (operation: string, path: () => string | undefined): RequestKind => ({
    operation,
    share: 0.5,
    async send(random) {
      const at = path()
      if (at === undefined) await issue(random)
      else await client.send(random.pick(gateways), { operation, path: at, expected: [200] })
    },
  })

  return [
    { operation: 'createOwner', share: 0.3, send: createOwner },
    { operation: 'updateOwner', share: 0.5, send: update },
    { operation: 'rotateWebhookSecret', share: 0.3, send: rotateWebhookSecret },
    { operation: 'issueApiKey', share: 0.5, send: issue },
    { operation: 'rotateApiKey', share: 0.4, send: rotate },
    { operation: 'revokeApiKey', share: 0.3, send: revoke },
    get('listOwners', 0.5, () => '/v1/owners'),
    get('listApiKeys', 0.5, () => '/v1/keys'),
    get('getWebhookSecret', 0.5, () => '/v1/webhook-secret'),
    getOne('getOwner', () => owners[0] && `/v1/owners/${owners[0]}`),
    getOne('getApiKey', () => keys[0] && `/v1/keys/${keys[0].id}?owner=${keys[0].owner}`),
  ]
}
