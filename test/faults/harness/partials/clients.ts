import { setTimeout as delay } from 'node:timers/promises'
import type { Partial as PartialBody } from '@platen/domain/partial/partial.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { type Client, type Kind, pause } from '../client.ts'
import { issueKey } from '../issue-key.ts'
import type { Door } from '../system.ts'

const clients = 2
const maxTries = 20
/** In the html of each change that calls a partial which is deleted meanwhile. */
export const usesPartial = 'calls a partial of its own'
/** A deletion comes so long after the change that calls the partial; a change takes less, unless a fault delays it. */
const deletedAfterMs = 400
/** As JSON it is larger than an append may be. */
const tooLarge = '"'.repeat(510_000)

/** Clients that share the names of partials, and one that saves a template with them. */
export function partialClients(client: Client): Kind {
  const { gateways, seed } = client
  const names = ['header', 'footer'].map((name) => `${name}${seed}`)
  /** Ids of partials by name. */
  const ids = new Map<string, string>()

  const create = async (name: string, html: string, gateway: Door, key?: string) => {
    const { status, body } = await client.write<PartialBody>(gateway, {
      operation: 'createPartial',
      path: '/v1/partials',
      body: { name, html },
      expected: [201, 409],
      subject: name,
      sent: { html, name },
      ...(key !== undefined && { key }),
    })
    if (status === 201 && body) ids.set(name, body.id)
    return { version: status === 201 ? body?.version : undefined, isOpen: status === 'cut' || status >= 500 }
  }

  /** Repeats it with the same key until it is answered. */
  const createOnce = async (name: string, html: string, gateway: () => Door, key: string) => {
    for (let tries = 1; ; tries++) {
      const { version, isOpen } = await create(name, html, gateway(), key)
      if (!isOpen || tries === maxTries) return version
      await delay(200)
    }
  }

  const change = async (name: string, html: string, gateway: Door, ifVersion?: number) => {
    const { status, body } = await client.write<PartialBody>(gateway, {
      operation: 'updatePartial',
      path: `/v1/partials/${name}`,
      method: 'PATCH',
      body: { html },
      ...(ifVersion !== undefined && { headers: { 'if-match': `"${ifVersion}"` } }),
      expected: [200, 404, ...(ifVersion === undefined ? [] : [412])],
      subject: name,
      sent: { html, ...(ifVersion !== undefined && { ifVersion }) },
    })
    return status === 200 ? body?.version : undefined
  }

  const remove = (name: string, gateway: Door) =>
    client.write(gateway, {
      operation: 'deletePartial',
      path: `/v1/partials/${name}`,
      method: 'DELETE',
      expected: [200, 404],
      subject: name,
    })

  const read = async (name: string, gateway: Door) => {
    const id = ids.get(name)
    return id === undefined ? undefined : client.read(gateway, `partial-${id}`, `/v1/partials/${name}`)
  }

  const share = async (nth: number, signal: AbortSignal) => {
    const random = client.random(`partials ${nth}`)
    const seen = new Map<string, number>()
    for (let n = 1; !signal.aborted; n++) {
      const name = random.pick(names)
      const gateway = random.pick(gateways)
      const html = `<i>Partial ${n} by ${nth} of ${name}</i>`
      const choice = random.fraction()
      const learn = (version: number | undefined) => version !== undefined && seen.set(name, version)
      if (choice < 0.3) {
        const key = `${seed} partial ${nth} ${n}`
        if (random.fraction() < 0.5) learn(await createOnce(name, html, () => random.pick(gateways), key))
        else learn((await create(name, html, gateway)).version)
      } else if (choice < 0.65)
        learn((await change(name, html, gateway, seen.get(name))) ?? (await read(name, gateway)))
      else if (choice < 0.8) learn(await change(name, html, gateway))
      else if (choice < 0.88) await remove(name, gateway)
      else if (choice < 0.92) await createRefused(name, n, gateway)
      else await Promise.all(gateways.map((at) => read(name, at)))
      await pause(random, signal)
    }
  }

  /** What cannot be saved is refused, and delays no other. */
  const createRefused = (name: string, nth: number, gateway: Door) => {
    const html = nth % 2 === 0 ? tooLarge : `{{> unknown${seed}}}`
    return client.send(gateway, {
      operation: 'createPartial',
      path: '/v1/partials',
      body: { name: `${name}Refused`, html },
      expected: [nth % 2 === 0 ? 413 : 422],
    })
  }

  /** Changes a template that calls a partial, which is deleted when the change was recorded, whether it was answered or not. */
  const useAndDelete = async (signal: AbortSignal) => {
    const random = client.random('uses of deleted partials')
    const name = `deleted${seed}`
    const gateway = () => random.pick(gateways)
    const headers = { authorization: `Bearer ${await issueKey(client, name, gateway)}` }
    let id: string | undefined
    for (let n = 0; !signal.aborted; n++) {
      if (id === undefined) {
        const title = `Calls ${name}`
        // Equal each time, because the Idempotency-Key is.
        const html = `<p>Edit 0 of ${title}`
        const { body, status } = await client.write<Template>(gateway(), {
          operation: 'createTemplate',
          path: '/v1/templates',
          body: { name: title, html },
          expected: [201],
          subject: title,
          sent: { html, name: title },
          key: `${seed} ${title}`,
        })
        if (status === 201) id = body?.id
      } else {
        await createOnce(name, `<i>Partial ${n} of ${name}</i>`, gateway, `${seed} ${name} ${n}`)
        const html = `<p>Edit ${n} of ${name} ${usesPartial} {{> ${name}}}`
        const changing = client.write(gateway(), {
          operation: 'updateTemplate',
          path: `/v1/templates/${id}`,
          method: 'PATCH',
          body: { html },
          headers,
          // The partial may not have been created.
          expected: [200, 422],
          subject: id,
          sent: { html },
        })
        await Promise.race([changing, delay(deletedAfterMs)])
        await remove(name, gateway())
        await changing
      }
      await pause(random, signal)
    }
  }

  /** Saves a template while its partials are deleted and created. */
  const use = async (signal: AbortSignal) => {
    const random = client.random('uses of partials')
    const name = `Uses partials ${seed}`
    let id: string | undefined
    for (let n = 0; !signal.aborted; n++) {
      const html = `<p>Edit ${n} of ${name} {{> ${random.pick(names)}}}`
      const gateway = random.pick(gateways)
      if (id === undefined) {
        const { body, status } = await client.write<Template>(gateway, {
          operation: 'createTemplate',
          path: '/v1/templates',
          body: { name, html },
          expected: [201, 422],
          subject: name,
          sent: { html, name },
          key: `${seed} ${name} ${n}`,
        })
        if (status === 201) id = body?.id
      } else {
        await client.write(gateway, {
          operation: 'updateTemplate',
          path: `/v1/templates/${id}`,
          method: 'PATCH',
          body: { html },
          expected: [200, 422],
          subject: id,
          sent: { html },
        })
      }
      await pause(random, signal)
    }
  }

  return {
    operations: ['createPartial', 'updatePartial', 'deletePartial'],
    async run(signal) {
      await Promise.all([
        ...Array.from({ length: clients }, (_, nth) => share(nth, signal)),
        use(signal),
        useAndDelete(signal),
      ])
    },
    async probe(gateway) {
      const name = `after${gateway.name.replace(/\W/g, '')}${seed}`
      await create(name, `<i>Partial 0 of ${name}</i>`, gateway)
      await change(name, `<i>Partial 1 of ${name}</i>`, gateway)
      await read(name, gateway)
      await remove(name, gateway)
      // One stays, for the comparison of views.
      await create(name, `<i>Partial 2 of ${name}</i>`, gateway)
      for (const nth of [0, 1]) await createRefused(name, nth, gateway)
      await client.send(gateway, { operation: 'listPartials', path: '/v1/partials', expected: [200] })
    },
  }
}
