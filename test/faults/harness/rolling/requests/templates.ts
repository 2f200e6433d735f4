import type { Template } from '@platen/domain/template/template.ts'
import type { Client } from '../../client.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

const labels = ['draft', 'published', 'reviewed']
/** Names of templates that are created and deleted: several have one name, so their slugs are numbered. */
const names = 4

export interface TemplateRequests {
  kinds: RequestKind[]
  /** The templates that are never deleted. */
  known: string[]
  /** The newest version that was acknowledged, by template. */
  acknowledged: ReadonlyMap<string, number>
  /** Creates a template that is never deleted. */
  createKnown(random: Seeded): Promise<void>
}

/** Templates, their versions and labels. */
export function templateRequests(client: Client): TemplateRequests {
  const { gateways, seed } = client
  const acknowledged = new Map<string, number>()
  const known: string[] = []
  const removable: string[] = []
  const deleted: string[] = []
  let edits = 0
  const learn = (id: string, version: number | undefined) => {
    if (version !== undefined) acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0))
  }
  const seen = (id: string) => acknowledged.get(id) ?? 1

  const create = async (random: Seeded, name: string) => {
    const html = `<p>Edit ${edits++} of ${name}`
    const { body, status } = await client.write<Template>(random.pick(gateways), {
      operation: 'createTemplate',
      path: '/v1/templates',
      body: { name, html },
      expected: [201],
      subject: name,
      sent: { html, name },
      key: `${seed} ${html}`,
    })
    if (status !== 201 || !body) return undefined
    learn(body.id, body.version)
    return body.id
  }
  const createRemovable = async (random: Seeded) => {
    const id = await create(random, `Removable ${random.between(1, names)} ${seed}`)
    if (id !== undefined) removable.push(id)
  }
  const change = async (random: Seeded) => {
    const id = random.pick(known)
    const html = `<p>Edit ${edits++} of ${id}`
    const ifVersion = random.fraction() < 0.5 ? seen(id) : undefined
    const { status, body } = await client.write<Template>(random.pick(gateways), {
      operation: 'updateTemplate',
      path: `/v1/templates/${id}`,
      method: 'PATCH',
      body: { html },
      ...(ifVersion !== undefined && { headers: { 'if-match': `"${ifVersion}"` } }),
      expected: ifVersion === undefined ? [200] : [200, 412],
      subject: id,
      sent: { html, ...(ifVersion !== undefined && { ifVersion }) },
    })
    if (status === 200) learn(id, body?.version)
  }
  const put = async (random: Seeded) => {
    const slug = `deployed-${random.between(1, names)}-${seed}`
    const html = `<p>Deployment ${edits++} of ${slug}`
    const { status, body } = await client.write<Template>(random.pick(gateways), {
      operation: 'putTemplate',
      path: `/v1/templates/by-slug/${slug}`,
      method: 'PUT',
      body: { name: slug, html },
      expected: [200, 201],
      subject: slug,
      sent: { html },
    })
    if ((status === 200 || status === 201) && body) learn(body.id, body.version)
  }
  const remove = async (random: Seeded) => {
    const id = removable.shift()
    if (id === undefined) return createRemovable(random)
    await client.write(random.pick(gateways), {
      operation: 'deleteTemplate',
      path: `/v1/templates/${id}`,
      method: 'DELETE',
      expected: [204, 404],
      subject: id,
    })
    deleted.push(id)
  }
  const restore = async (random: Seeded) => {
    const gone = random.fraction() < 0.5 ? deleted.shift() : undefined
    const id = gone ?? random.pick(known)
    const version = gone === undefined ? random.between(1, seen(id)) : 1
    const { status, body } = await client.write<Template>(random.pick(gateways), {
      operation: 'restoreTemplate',
      path: `/v1/templates/${id}/restore`,
      body: { version },
      expected: [200, 409],
      subject: id,
      sent: { version },
    })
    if (status === 200) learn(id, body?.version)
    if (gone !== undefined) removable.push(gone)
  }
  const setLabel = async (random: Seeded) => {
    const id = random.pick(known)
    const [label, version] = [random.pick(labels), random.between(1, seen(id))]
    await client.write(random.pick(gateways), {
      operation: 'setTemplateLabel',
      path: `/v1/templates/${id}/labels/${label}`,
      method: 'PUT',
      body: { version },
      expected: [200],
      subject: id,
      sent: { label, version },
    })
  }
  const removeLabel = async (random: Seeded) => {
    const [id, label] = [random.pick(known), random.pick(labels)]
    await client.write(random.pick(gateways), {
      operation: 'removeTemplateLabel',
      path: `/v1/templates/${id}/labels/${label}`,
      method: 'DELETE',
      expected: [204, 404],
      subject: id,
      sent: { label },
    })
  }
  const read = async (random: Seeded) => {
    const id = random.pick([...known, ...removable])
    learn(id, await client.read(random.pick(gateways), `template-${id}`, `/v1/templates/${id}`))
  }
  const get = reading(client, { pick: (random) => random.pick(known), expected: [200] })

  return {
    known,
    acknowledged,
    async createKnown(random) {
      const id = await create(random, `Template ${known.length} ${seed}`)
      if (id !== undefined) known.push(id)
    },
    kinds: [
      { operation: 'createTemplate', share: 1, send: createRemovable },
      { operation: 'putTemplate', share: 1, send: put },
      { operation: 'updateTemplate', share: 3, send: change },
      { operation: 'deleteTemplate', share: 0.8, send: remove },
      { operation: 'restoreTemplate', share: 0.7, send: restore },
      { operation: 'setTemplateLabel', share: 1, send: setLabel },
      { operation: 'removeTemplateLabel', share: 0.5, send: removeLabel },
      { operation: 'getTemplate', share: 14, send: read },
      get('listTemplates', 1.5, () => '/v1/templates?limit=10'),
      get('listTemplateVersions', 0.7, (id) => `/v1/templates/${id}/versions`),
      get('getTemplateVersion', 0.7, (id, random) => `/v1/templates/${id}/versions/${random.between(1, seen(id))}`),
      get('compareTemplateVersions', 0.5, (id, random) => {
        const [from, to] = [random.between(1, seen(id)), random.between(1, seen(id))]
        return `/v1/templates/${id}/compare?from=${from}&to=${to}`
      }),
      {
        operation: 'compareTemplatePages',
        share: 0.1,
        send: (random) => {
          const path = `/v1/templates/${random.pick(known)}/compare?from=1`
          return client.send(random.pick(gateways), {
            operation: 'compareTemplatePages',
            path,
            body: {},
            expected: [200],
          })
        },
      },
    ],
  }
}
