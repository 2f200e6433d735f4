import { text } from 'node:stream/consumers'
import type { Client } from 'minio'
import { decodeEntities } from './errors.ts'
import { retryBriefly } from './retry-briefly.ts'

/** Platen sets no rules: a sweep deletes what is past its retention, in every kind of store. */
const deletes: Readonly<Record<string, (rule: string, after: string) => string>> = {
  'pdfs/': (rule, after) => `The lifecycle rule ${rule} deletes PDFs${after}: their URLs then answer 410`,
  'assets/': (rule) => `The lifecycle rule ${rule} deletes assets: documents that use them are printed without`,
  'archive/': (rule) => `The lifecycle rule ${rule} deletes the archive: one with a gap is refused`,
}

/** What the lifecycle rules of the bucket delete that Platen needs. Empty if there are none, or none can be read. */
export async function lifecycleWarnings(client: Client, bucket: string): Promise<string[]> {
  const rules = await readRules(client, bucket).catch(() => [])
  return Object.entries(deletes).flatMap(([prefix, warning]) =>
    rules.flatMap((rule) => (prefix.startsWith(rule.prefix) ? [warning(rule.id, rule.after)] : [])),
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
