import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Asset } from '@platen/domain/asset/asset.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { type Client, type Kind, pause } from '../client.ts'
import type { Door, System } from '../system.ts'
import { sweepBeside } from './sweep-beside.ts'

const clients = 2
const sweeps = 3
/** The longest pause of a sweep: an upload of a busy machine is quicker. */
const pauseMs = 300
const type = 'image/svg+xml'

const svg = (text: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${text}--></svg>`)
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Clients that share names and contents, and uploads of what a sweep is about to remove. */
export function assetClients(client: Client, system: Pick<System, 'stores' | 'disk' | 'objectFolder'>): Kind {
  const { gateways, seed } = client
  const names = ['logo', 'brand/seal'].map((name) => `${name}-${seed}.svg`)

  const put = async (
    name: string,
    text: string,
    gateway: Door,
    condition: { ifSha256?: string; ifNone?: boolean } = {},
  ) => {
    const bytes = svg(text)
    const { ifSha256, ifNone = false } = condition
    const headers = {
      'content-type': type,
      ...(ifSha256 !== undefined && { 'if-match': `"${ifSha256}"` }),
      ...(ifNone && { 'if-none-match': '*' }),
    }
    const { status, body } = await client.write<Asset>(gateway, {
      operation: 'putAsset',
      path: `/v1/assets/${name}`,
      method: 'PUT',
      body: bytes,
      headers,
      expected: [200, 201, ...(ifNone || ifSha256 !== undefined ? [412] : [])],
      subject: name,
      sent: { sha256: sha256Of(bytes), ...condition },
    })
    return status === 200 || status === 201 ? body?.sha256 : undefined
  }

  const remove = (name: string, gateway: Door, ifSha256?: string) =>
    client.write(gateway, {
      operation: 'deleteAsset',
      path: `/v1/assets/${name}?force=true`,
      method: 'DELETE',
      subject: name,
      ...(ifSha256 !== undefined && { headers: { 'if-match': `"${ifSha256}"` } }),
      expected: [204, 404, ...(ifSha256 === undefined ? [] : [412])],
      sent: { ...(ifSha256 !== undefined && { ifSha256 }) },
    })

  const get = (name: string, gateway: Door) =>
    client.send(gateway, { operation: 'getAssetContent', path: `/v1/assets/${name}`, expected: [200, 404] })

  const share = async (nth: number, signal: AbortSignal) => {
    const random = client.random(`assets ${nth}`)
    const seen = new Map<string, string>()
    for (let n = 1; !signal.aborted; n++) {
      const name = random.pick(names)
      const gateway = random.pick(gateways)
      // Some contents are uploaded again and again.
      const text = random.fraction() < 0.4 ? `one of ${random.between(1, 3)}` : `${n} by ${nth} of ${seed}`
      const choice = random.fraction()
      const ifSha256 = seen.get(name)
      let stored: string | undefined
      if (choice < 0.4) stored = await put(name, text, gateway)
      else if (choice < 0.65) stored = await put(name, text, gateway, ifSha256 === undefined ? {} : { ifSha256 })
      else if (choice < 0.75) stored = await put(name, text, gateway, { ifNone: true })
      else if (choice < 0.9) await remove(name, gateway, random.fraction() < 0.5 ? ifSha256 : undefined)
      else await get(name, gateway)
      if (stored !== undefined) seen.set(name, stored)
      await pause(random, signal)
    }
  }

  /** The bytes of a client that has crashed are uploaded by another one while a sweep removes them, and may be killed. */
  const beside = async (nth: number, signal: AbortSignal) => {
    // A process with open files would keep its own disk from being unmounted.
    if (system.disk !== undefined && system.objectFolder !== undefined) return
    const random = client.random(`sweeps ${nth}`)
    const stores = await system.stores()
    const name = `swept-${nth}-${seed}.svg`
    // A sweep leaves the objects of an owner without events alone.
    while (!signal.aborted && (await put(name, 'first', random.pick(gateways))) === undefined)
      await pause(random, signal)
    for (let n = 1; !signal.aborted; n++) {
      const text = `left ${n} by ${nth} of ${seed}`
      const sha256 = sha256Of(svg(text))
      const prefix = objectKeys.asset(defaultOwnerId, sha256, '')
      const slow = () => delay(random.between(0, pauseMs))
      const dies = random.fraction() < 0.3
      const sweep = stores.objects
        .put(`${prefix}${sha256.slice(0, 16)}`, svg(text), type)
        .catch(() => {})
        .then(() => sweepBeside(stores, { prefix, dies, pause: slow }))
      // The upload comes at a random moment of the sweep.
      const upload = delay(random.between(0, 2 * pauseMs)).then(() => put(name, text, random.pick(gateways)))
      await Promise.all([sweep.then(() => sweepBeside(stores, { prefix, dies: false, pause: slow })), upload])
      await pause(random, signal, 100, 800)
    }
  }

  return {
    operations: ['putAsset', 'deleteAsset'],
    async run(signal) {
      await Promise.all([
        ...Array.from({ length: clients }, (_, nth) => share(nth, signal)),
        ...Array.from({ length: sweeps }, (_, nth) => beside(nth, signal)),
      ])
    },
    async probe(gateway) {
      const name = `after-${gateway.name.toLowerCase()}-${seed}.svg`
      const sha256 = await put(name, `after ${seed}`, gateway)
      await get(name, gateway)
      await client.send(gateway, { operation: 'listAssets', path: '/v1/assets', expected: [200] })
      await remove(name, gateway, sha256)
      // One stays, for the comparison of views.
      await put(name, `stays ${seed}`, gateway)
    },
  }
}
