import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Client } from 'minio'
import type { ObjectRetention } from '../../object-retention.ts'
import { codeOf } from './errors.ts'
import { expiryRules, isSameRule, type LifecycleRule, lifecycleXml, parseRules } from './lifecycle-rules.ts'
import { retryBriefly } from './retry-briefly.ts'

const ownRule = /^platen-(inputs|pdfs)(-markers)?$/

/**
 * Sets lifecycle rules that expire inputs, and PDFs if their retention is limited. Rules of others are kept as they are, and
 * a bucket that has only those gets none. Returns warnings for the operator.
 */
export async function setRetention(retention: ObjectRetention, client: Client, bucket: string): Promise<string[]> {
  const { inputDays, pdfDays } = retention
  try {
    const rules = await readRules(client, bucket)
    const [own, foreign] = [rules.filter(isOwn), rules.filter((rule) => !isOwn(rule))]
    const deletes = [
      ...foreign.flatMap(deletesPdfs),
      ...foreign.flatMap(deletesAssets),
      ...foreign.flatMap(deletesArchive),
    ]
    const warnings = [...deletes, ...own.flatMap(isDisabled)]
    if (foreign.length > 0 && own.length === 0) {
      return [
        ...warnings,
        ...missing(foreign, 'inputs/', inputDays, bucket),
        ...missing(foreign, 'pdfs/', pdfDays, bucket),
      ]
    }
    const wanted = [
      ...expiryRules('platen-inputs', 'inputs/', inputDays),
      ...(pdfDays > 0 ? expiryRules('platen-pdfs', 'pdfs/', pdfDays) : []),
    ].map((rule) => own.find(({ id, enabled }) => id === rule.id && !enabled) ?? rule)
    const isSet = wanted.length === own.length && wanted.every((rule) => own.some((other) => isSameRule(rule, other)))
    if (!isSet) await writeRules(client, bucket, [...foreign, ...wanted])
    return warnings
  } catch (err) {
    const code = codeOf(err) ?? 'unexpected response'
    const pdfs = pdfDays > 0 ? `, and pdfs/ after ${pdfDays}` : ''
    const remedy = `add one to the bucket ${bucket} that expires inputs/ after ${inputDays} days${pdfs}`
    return [`The lifecycle rule could not be set (${code}): ${remedy}`]
  }
}

const isOwn = ({ id }: LifecycleRule) => ownRule.test(id)

async function readRules(client: Client, bucketName: string): Promise<LifecycleRule[]> {
  try {
    const request = { method: 'GET', bucketName, query: 'lifecycle' }
    return parseRules(await text(await retryBriefly(() => client.makeRequestAsync({ ...request, headers: {} }))))
  } catch (err) {
    if (codeOf(err) === 'NoSuchLifecycleConfiguration') return []
    throw err
  }
}

async function writeRules(client: Client, bucketName: string, rules: readonly LifecycleRule[]): Promise<void> {
  const body = lifecycleXml(rules)
  // Required for this request.
  const headers = { 'Content-MD5': createHash('md5').update(body).digest('base64') }
  const request = { method: 'PUT', bucketName, query: 'lifecycle' }
  const response = await retryBriefly(() => client.makeRequestAsync({ ...request, headers: { ...headers } }, body))
  response.resume()
}

function covers({ enabled, expires, prefix }: LifecycleRule, wanted: string): boolean {
  return enabled && expires && wanted.startsWith(prefix)
}

function deletesPdfs(rule: LifecycleRule): string[] {
  if (!covers(rule, 'pdfs/') || !rule.unconditional) return []
  const after = rule.expirationDays === undefined ? '' : ` after ${rule.expirationDays} days`
  return [`The lifecycle rule ${rule.id} deletes PDFs${after}: their URLs then answer 410`]
}

/** Assets have no retention: versions of templates are pinned to them. */
function deletesAssets(rule: LifecycleRule): string[] {
  if (!covers(rule, 'assets/') || !rule.unconditional) return []
  return [`The lifecycle rule ${rule.id} deletes assets: documents that use them are printed without`]
}

function deletesArchive(rule: LifecycleRule): string[] {
  if (!covers(rule, 'archive/') || !rule.unconditional) return []
  return [`The lifecycle rule ${rule.id} deletes the archive: one with a gap is refused`]
}

function isDisabled({ id, enabled }: LifecycleRule): string[] {
  return enabled ? [] : [`The lifecycle rule ${id} is disabled: what it would delete is kept`]
}

function missing(rules: readonly LifecycleRule[], prefix: string, days: number, bucket: string): string[] {
  if (days === 0 || rules.some((rule) => covers(rule, prefix))) return []
  const what = prefix.replace('/', '')
  return [
    `None of the bucket's lifecycle rules expires ${what}: add one to the bucket ${bucket} that expires ${prefix} after ${days} days`,
  ]
}
