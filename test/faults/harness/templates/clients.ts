import { setTimeout as delay } from 'node:timers/promises'
import type { Template } from '@platen/domain/template/template.ts'
import { type Client, isAcknowledged, type Kind, pause } from '../client.ts'
import { issueKey } from '../issue-key.ts'
import type { Seeded } from '../seeded.ts'
import type { Door } from '../system.ts'

const edited = 3
const editors = 2
const sameNameClients = 2
const deployments = 2
/** More are deleted before another is created. */
const mostOfOneName = 6
const submitWithinMs = 180_000
/** A deletion comes so long after the change that it overtakes; a change takes less, unless a fault delays it. */
const deletedAfterMs = 400
/** A label of a template that is deleted meanwhile. */
export const deletedLabel = 'brief'
const labels = ['draft', 'published', 'reviewed']

interface Editing {
  ifVersion?: number
  /** Default: that of all clients. */
  key?: string
}

interface Content {
  html: string
  /** The Idempotency-Key. */
  key: string
  /** The API key. Default: that of all clients. */
  by?: string
}

interface As {
  /** Default: that of all clients. */
  key?: string
  expected?: number[]
}

const headersOf = (key: string | undefined) => (key === undefined ? {} : { authorization: `Bearer ${key}` })

export interface TemplateClients extends Kind {
  /** The templates that are never deleted. */
  known: string[]
  /** The newest version that was acknowledged, by template. */
  acknowledged: ReadonlyMap<string, number>
}

/**
 * Editors that share a template, clients that create, delete and restore templates of one name, and deployments that put and
 * delete templates by their slugs.
 */
export function templateClients(client: Client): TemplateClients {
  const { gateways, seed } = client
  const acknowledged = new Map<string, number>()
  const known: string[] = []
  const streamOf = (id: string) => `template-${id}`
  const learn = (id: string, version: number | undefined) => {
    if (version !== undefined) acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0))
  }

  const createOnce = (name: string, { html, key, by }: Content, gateway: Door) =>
    client.write<Template>(gateway, {
      operation: 'createTemplate',
      path: '/v1/templates',
      expected: [201],
      body: { name, html },
      headers: headersOf(by),
      subject: name,
      sent: { html, name },
      key,
    })

  /** Creates a template, and repeats that with the same key until it is answered. */
  const create = async (name: string, content: Content, gateway: () => Door) => {
    for (const deadline = Date.now() + submitWithinMs; Date.now() < deadline; await delay(200)) {
      const { status, body } = await createOnce(name, content, gateway())
      if (status !== 201 || !body) continue
      learn(body.id, body.version)
      return body.id
    }
    throw new Error(`template ${name} was not created`)
  }

  const read = async (id: string, gateway: Door) => client.read(gateway, streamOf(id), `/v1/templates/${id}`)

  const change = async (id: string, html: string, gateway: Door, { ifVersion, key }: Editing = {}) => {
    const headers = {
      ...headersOf(key),
      ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
    }
    const { status, body } = await client.write<Template>(gateway, {
      operation: 'updateTemplate',
      path: `/v1/templates/${id}`,
      method: 'PATCH',
      body: { html },
      headers,
      expected: ifVersion === undefined ? [200] : [200, 412],
      subject: id,
      sent: { html, ...(ifVersion !== undefined && { ifVersion }) },
    })
    if (status !== 200 || !body) return undefined
    learn(id, body.version)
    await Promise.all(gateways.map((at) => read(id, at)))
    return body.version
  }

  /** Objects are merged into the current ones, which other editors change meanwhile. */
  const merge = async (id: string, sample: string, n: number, gateway: Door) => {
    const merged = { [`n${n % 3}`]: n }
    const { status, body } = await client.write<Template>(gateway, {
      operation: 'updateTemplate',
      path: `/v1/templates/${id}`,
      method: 'PATCH',
      body: { samples: { [sample]: merged } },
      headers: { 'content-type': 'application/merge-patch+json' },
      // Several editors may be faster than each of its tries.
      expected: [200, 412],
      subject: id,
      sent: { sample, merged },
    })
    if (status === 200) learn(id, body?.version)
    return status === 200 ? body?.version : undefined
  }

  const setLabel = (id: string, label: string, version: number, gateway: Door, { key, expected = [200] }: As = {}) =>
    client.write(gateway, {
      operation: 'setTemplateLabel',
      path: `/v1/templates/${id}/labels/${label}`,
      method: 'PUT',
      body: { version },
      expected,
      subject: id,
      sent: { label, version },
      headers: headersOf(key),
    })

  const removeLabel = (id: string, label: string, gateway: Door) =>
    client.write(gateway, {
      operation: 'removeTemplateLabel',
      path: `/v1/templates/${id}/labels/${label}`,
      method: 'DELETE',
      expected: [204, 404],
      subject: id,
      sent: { label },
    })

  const remove = (id: string, gateway: Door, { key, expected = [204, 404] }: As = {}) =>
    client.write(gateway, {
      operation: 'deleteTemplate',
      path: `/v1/templates/${id}`,
      method: 'DELETE',
      expected,
      subject: id,
      headers: headersOf(key),
    })

  const restore = async (id: string, version: number, gateway: Door, { ifVersion, key }: Editing = {}) => {
    const { status, body } = await client.write<Template>(gateway, {
      operation: 'restoreTemplate',
      path: `/v1/templates/${id}/restore`,
      body: { version },
      headers: { ...headersOf(key), ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }) },
      expected: [200, 409, ...(ifVersion === undefined ? [] : [412])],
      subject: id,
      sent: { version, ...(ifVersion !== undefined && { ifVersion }) },
    })
    if (status === 200) learn(id, body?.version)
    return { status, version: status === 200 ? body?.version : undefined }
  }

  /** One of the editors of a template. Each sends the version that it has seen itself. */
  const edit = async (id: string, editor: string, signal: AbortSignal) => {
    const random = client.random(editor)
    const key = await issueKey(client, editor, () => random.pick(gateways))
    let seen = 1
    for (let n = 1; !signal.aborted; n++) {
      const gateway = random.pick(gateways)
      const choice = random.fraction()
      const html = `<p>Edit ${n} of ${editor}`
      if (choice < 0.45)
        seen = (await change(id, html, gateway, { ifVersion: seen, key })) ?? (await read(id, gateway)) ?? seen
      else if (choice < 0.7) seen = (await change(id, html, gateway, { key })) ?? seen
      else if (choice < 0.75) seen = (await merge(id, editor, n, gateway)) ?? seen
      else if (choice < 0.87) await setLabel(id, random.pick(labels), random.between(1, seen), gateway)
      else if (choice < 0.93) await removeLabel(id, random.pick(labels), gateway)
      else {
        const ifVersion = random.fraction() < 0.5 ? { ifVersion: seen } : {}
        seen = (await restore(id, random.between(1, seen), gateway, ifVersion)).version ?? seen
      }
      await pause(random, signal)
    }
  }

  /** Deletes and restores beside each other; a name that is free is taken by the next creation. */
  const sameName = async (name: string, nth: number, ids: string[], signal: AbortSignal) => {
    const random = client.random(`${name} ${nth}`)
    const one = () => random.pick(ids)
    const gateway = () => random.pick(gateways)
    const created: Content[] = []
    for (let n = 1; !signal.aborted; n++) {
      const choice = random.fraction()
      if (ids.length === 0 || (choice < 0.3 && ids.length < mostOfOneName)) {
        const content = { html: `<p>Creation ${n} by ${nth} of ${name}`, key: `${seed} ${name} ${nth} ${n}` }
        const id = await create(name, content, gateway)
        ids.push(id)
        created.push(content)
      } else if (choice < 0.3) await remove(ids.shift() ?? '', gateway())
      else if (choice < 0.36 && created.length > 0) {
        // The template may be deleted by now; the answer is the same.
        await createOnce(name, random.pick(created), gateway())
      } else if (choice < 0.5) await restore(one(), 1, gateway())
      else if (choice < 0.72) await removeOrUndo(one(), gateway)
      else await both(one(), random)
      if (ids.length > 0) await read(one(), gateway())
      await pause(random, signal)
    }
  }
  /** Without an answer it may be deleted. That is undone, while what the deletion has left to do may still be done. */
  const removeOrUndo = async (id: string, gateway: () => Door) => {
    let { status } = await remove(id, gateway())
    for (let tries = 0; tries < 3 && (status === 'cut' || status >= 500); tries++)
      status = (await restore(id, 1, gateway())).status
  }
  const both = (id: string, random: Seeded) => {
    const gateway = () => random.pick(gateways)
    return Promise.all([removeOrUndo(id, gateway), restore(id, 1, gateway())])
  }

  /** A template that one client deletes when another one has set a label, whether that was answered or not, and restores. */
  const labelAndDelete = async (signal: AbortSignal) => {
    const random = client.random('labels of deleted templates')
    const gateway = () => random.pick(gateways)
    const name = `Labelled ${seed}`
    const [labels, deletes] = [
      await issueKey(client, `${name} a`, gateway),
      await issueKey(client, `${name} b`, gateway),
    ]
    const id = await create(name, { html: `<p>Edit 0 of ${name}`, key: `${seed} ${name}`, by: labels }, gateway)
    for (let n = 0, version = 1; !signal.aborted; n++) {
      // Another one each time, as the same would record nothing.
      const labelled = n % 2 === 0 ? 1 : version
      const labelling = setLabel(id, deletedLabel, labelled, gateway(), { key: labels, expected: [200, 404] })
      await Promise.race([labelling, delay(deletedAfterMs)])
      await remove(id, gateway(), { key: deletes })
      await labelling
      version = (await restore(id, 1, gateway(), { key: deletes })).version ?? version
      await pause(random, signal)
    }
  }

  const put = async (slug: string, html: string, gateway: Door, ifVersion?: number) => {
    const { status, body } = await client.write<Template>(gateway, {
      operation: 'putTemplate',
      path: `/v1/templates/by-slug/${slug}`,
      method: 'PUT',
      body: { name: slug, html },
      ...(ifVersion !== undefined && { headers: { 'if-match': `"${ifVersion}"` } }),
      expected: [200, 201, ...(ifVersion === undefined ? [] : [412])],
      subject: slug,
      sent: { html, ...(ifVersion !== undefined && { ifVersion }) },
    })
    if (!isAcknowledged(status) || !body) return undefined
    learn(body.id, body.version)
    await Promise.all(gateways.map((at) => read(body.id, at)))
    return body
  }

  /**
   * One of several clients that deploy the same templates. Each repeats its last PUT, and deletes templates that it has
   * seen.
   */
  const deploy = async (nth: number, signal: AbortSignal) => {
    const random = client.random(`deployment ${nth}`)
    const last = new Map<string, Template>()
    for (let n = 1; !signal.aborted; n++) {
      const slug = `deployed-${random.between(1, deployments)}-${seed}`
      const gateway = random.pick(gateways)
      const seen = last.get(slug)
      if (seen && random.fraction() < 0.2) await remove(seen.id, gateway)
      else {
        const ifVersion = random.fraction() < 0.3 ? seen?.version : undefined
        const body = await put(slug, `<p>Deployment ${n} by ${nth} of ${slug}`, gateway, ifVersion)
        if (body) last.set(slug, body)
      }
      await pause(random, signal)
    }
  }

  const createEdited = async (name: string, random: Seeded) => {
    const id = await create(name, { html: `<p>Edit 0 of ${name}`, key: `${seed} ${name}` }, () => random.pick(gateways))
    known.push(id)
    await read(id, random.pick(gateways))
    return id
  }

  return {
    operations: [
      ...['createTemplate', 'putTemplate', 'updateTemplate', 'deleteTemplate', 'restoreTemplate'],
      ...['setTemplateLabel', 'removeTemplateLabel'],
    ],
    known,
    acknowledged,
    async run(signal) {
      const editing = async (at: number) => {
        const name = `Template ${at} ${seed}`
        const id = await createEdited(name, client.random(name))
        await Promise.all(Array.from({ length: editors }, (_, by) => edit(id, `${name} ${by}`, signal)))
      }
      const ids: string[] = []
      await Promise.all([
        ...Array.from({ length: edited }, (_, at) => editing(at)),
        labelAndDelete(signal),
        ...Array.from({ length: deployments }, (_, by) => deploy(by, signal)),
        ...Array.from({ length: sameNameClients }, (_, by) => sameName(`Same name ${seed}`, by, ids, signal)),
      ])
    },
    async probe(gateway) {
      const name = `After ${gateway.name} ${seed}`
      const content = { html: `<p>Edit 0 of ${name}`, key: `${seed} ${name}` }
      const id = await create(name, content, () => gateway)
      await change(id, `<p>Edit 1 of ${name}`, gateway)
      await merge(id, 'after', 1, gateway)
      await setLabel(id, 'published', 1, gateway)
      await removeLabel(id, 'published', gateway)
      await restore(id, 1, gateway)
      await remove(id, gateway, { expected: [204] })
      await createOnce(name, content, gateway)
      await put(`after-${gateway.name}-${seed}`, `<p>After ${gateway.name} ${seed}`, gateway)
      const { status } = await client.send(gateway, {
        operation: 'listTemplates',
        path: '/v1/templates',
        expected: [200],
      })
      if (isAcknowledged(status)) await read(id, gateway)
    },
  }
}
