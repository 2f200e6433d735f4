import { text } from 'node:stream/consumers'
import type { Client } from 'minio'
import type { ObjectCategory } from '../../object-category.ts'
import { decodeEntities } from './errors.ts'
import { retryBriefly } from './retry-briefly.ts'

/**
 * Warnings about lifecycle rules of the bucket that delete needed objects. Empty if there are none, or none can be
 * read.
 */
export async function lifecycleWarnings(
  client: Client,
  bucket: string,
  categories: readonly ObjectCategory[],
): Promise<string[]> {
  const rules = await readRules(client, bucket).catch(() => [])
  return categories.flatMap(({ name, ifDeleted }) =>
    rules
      .filter(({ prefix }) => ifDeleted !== undefined && `${name}/`.startsWith(prefix))
      .map(({ id, after }) => `The lifecycle rule ${id} deletes ${name}/${after}: ${ifDeleted}`),
  )
}

interface DeletingRule {
  id: string
  prefix: string
  after: string
}

async function readRules(client: Client, bucketName: string): Promise<DeletingRule[]> {
  const request = { method: 'GET', bucketName, query: 'lifecycle' }
  const xml = await text(await retryBriefly(() => client.makeRequestAsync({ ...request, headers: {} })))
  return [...xml.matchAll(/<Rule>.*?<\/Rule>/gs)].flatMap(([rule]) => deletingRule(rule))
}

/** A rule that deletes the current objects below its prefix, whatever their sizes and tags. */
function deletingRule(xml: string): DeletingRule[] {
  const expiration = element(xml, 'Expiration') ?? ''
  const isConditional = /<(Tag|ObjectSizeGreaterThan|ObjectSizeLessThan)>/.test(xml)
  if (element(xml, 'Status') !== 'Enabled' || isConditional || !/<(Days|Date)>/.test(expiration)) return []
  const days = element(expiration, 'Days')
  return [
    {
      id: decodeEntities(element(xml, 'ID') ?? ''),
      prefix: decodeEntities(element(xml, 'Prefix') ?? ''),
      after: days === undefined ? '' : ` after ${days} days`,
    },
  ]
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]
}
