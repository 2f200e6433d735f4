import { setTimeout as delay } from 'node:timers/promises'
import type { ApiKey } from '@platen/domain/api-key/api-key.ts'
import type { Owner } from '@platen/domain/owner/owner.ts'
import { type Client, isAcknowledged, type Kind, pause } from '../client.ts'
import type { Door } from '../system.ts'

/** A change is known at every gateway within a second; without faults. */
const knownWithinMs = 3_000

type WithSecret = ApiKey & { key: string }

/** Clients that manage owners and keys. Each has owners of its own, so that it knows which secrets are right. */
export function administrationClients(client: Client): Kind {
  const { gateways, seed } = client

  const createOwner = async (name: string, gateway: Door) => {
    const { status, body } = await client.write<Owner>(gateway, {
      operation: 'createOwner',
      path: '/v1/owners',
      body: { name },
      expected: [201, 202],
      subject: name,
      sent: { name },
    })
    return status === 201 ? body?.id : undefined
  }
  const updateOwner = (id: string, change: { name?: string; status?: 'active' | 'disabled' }, gateway: Door) =>
    client.write(gateway, {
      operation: 'updateOwner',
      path: `/v1/owners/${id}`,
      method: 'PATCH',
      body: change,
      expected: [200, 202],
      subject: id,
      sent: change,
    })
  const rotateSecret = (id: string, gateway: Door) =>
    client.write(gateway, {
      operation: 'rotateWebhookSecret',
      path: `/v1/webhook-secret/rotate?owner=${id}`,
      method: 'POST',
      expected: [200, 202],
      subject: id,
    })
  const issue = async (owner: string, name: string, gateway: Door) => {
    const { status, body } = await client.write<WithSecret>(gateway, {
      operation: 'issueApiKey',
      path: `/v1/keys?owner=${owner}`,
      body: { name, scopes: ['templates:read'] },
      expected: [201, 202],
      subject: owner,
      sent: { name },
    })
    return status === 201 ? body : undefined
  }
  const rotate = async (owner: string, id: string, graceS: number, gateway: Door) => {
    const { status, body } = await client.write<WithSecret>(gateway, {
      operation: 'rotateApiKey',
      path: `/v1/keys/${id}/rotate?owner=${owner}&grace_s=${graceS}`,
      method: 'POST',
      expected: [200, 202],
      subject: id,
    })
    return status === 200 ? body : undefined
  }
  const revoke = (owner: string, id: string, gateway: Door) =>
    client.write(gateway, {
      operation: 'revokeApiKey',
      path: `/v1/keys/${id}?owner=${owner}`,
      method: 'DELETE',
      expected: [202, 204],
      subject: id,
    })
  /** Reads with a secret. A 401 for an acknowledged secret, or a 200 for a refused one, is an unexpected status. */
  const use = (key: string, expected: number[], gateway: Door) =>
    client.send(gateway, {
      operation: 'listTemplates',
      path: '/v1/templates?limit=1',
      expected,
      headers: { authorization: `Bearer ${key}` },
    })

  const manage = async (nth: number, signal: AbortSignal) => {
    const random = client.random(`owners ${nth}`)
    const gateway = () => random.pick(gateways)
    for (let n = 1; !signal.aborted; n++) {
      const name = `Owner ${n} of ${nth} ${seed}`
      const owner = await createOwner(name, gateway())
      await pause(random, signal)
      if (owner === undefined) continue
      const key = await issue(owner, `key of ${name}`, gateway())
      if (key) await Promise.all(gateways.map((at) => use(key.key, [200], at)))
      await pause(random, signal)
      if (key) {
        const rotated = await rotate(owner, key.id, random.pick([0, 600]), gateway())
        if (rotated) await Promise.all(gateways.map((at) => use(rotated.key, [200], at)))
        await pause(random, signal)
        await revoke(owner, key.id, gateway())
      }
      await updateOwner(owner, { name: `${name}, renamed` }, gateway())
      await updateOwner(owner, { name: `${name}, disabled`, status: 'disabled' }, gateway())
      await updateOwner(owner, { status: 'active' }, gateway())
      await rotateSecret(owner, gateway())
      await pause(random, signal, 200, 1_500)
    }
  }

  return {
    operations: [
      ...['createOwner', 'updateOwner', 'issueApiKey', 'rotateApiKey', 'revokeApiKey', 'rotateWebhookSecret'],
    ],
    async run(signal) {
      await Promise.all([manage(0, signal), manage(1, signal)])
    },
    async probe(gateway) {
      const owner = await createOwner(`After ${gateway.name} ${seed}`, gateway)
      if (owner === undefined) return
      const key = await issue(owner, 'after', gateway)
      if (!key) return
      const rotated = await rotate(owner, key.id, 0, gateway)
      await delay(knownWithinMs)
      for (const at of gateways) {
        await use(key.key, [401], at)
        if (rotated) await use(rotated.key, [200], at)
      }
      await rotateSecret(owner, gateway)
      const { status } = await updateOwner(owner, { status: 'disabled' }, gateway)
      await delay(knownWithinMs)
      if (isAcknowledged(status) && rotated) for (const at of gateways) await use(rotated.key, [403], at)
      await updateOwner(owner, { status: 'active' }, gateway)
      await revoke(owner, key.id, gateway)
      await delay(knownWithinMs)
      if (rotated) for (const at of gateways) await use(rotated.key, [401], at)
    },
  }
}
