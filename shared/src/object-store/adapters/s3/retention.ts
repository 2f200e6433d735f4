import type { Client, LifecycleConfig } from 'minio'
import { codeOf } from './errors.ts'

const ruleId = 'platen-inputs'

/**
 * Lets the bucket expire `inputs/` after so many days. Rules that others set are never touched, as a lifecycle
 * configuration is only ever written as a whole. Returns what an operator should be told, if anything.
 */
export async function keepInputsFor(days: number, client: Client, bucket: string): Promise<string | undefined> {
  const byHand = `objects under inputs/ stay until a lifecycle rule of the bucket ${bucket} expires them after ${days} days`
  try {
    const rules = await readRules(client, bucket)
    if (rules.some((rule) => `${rule.ID}` !== ruleId)) {
      return expiresInputs(rules) ? undefined : `The bucket has lifecycle rules of its own: ${byHand}`
    }
    if (rules.some((rule) => Number(rule.Expiration?.Days) === days)) return undefined
    const rule = { ID: ruleId, Status: 'Enabled', Filter: { Prefix: 'inputs/' }, Expiration: { Days: days } }
    await client.setBucketLifecycle(bucket, { Rule: [rule] })
    return undefined
  } catch (err) {
    return `No lifecycle rule could be set (${codeOf(err) ?? 'no usable answer'}): ${byHand}`
  }
}

type Rule = LifecycleConfig['Rule'][number]

async function readRules(client: Client, bucket: string): Promise<Rule[]> {
  try {
    // The client gives a single rule without the array that its type promises.
    const rules: Rule | Rule[] | undefined = (await client.getBucketLifecycle(bucket))?.Rule
    return rules === undefined ? [] : [rules].flat()
  } catch (err) {
    if (codeOf(err) === 'NoSuchLifecycleConfiguration') return []
    throw err
  }
}

function expiresInputs(rules: readonly Rule[]): boolean {
  return rules.some(
    ({ Status, Expiration, Filter, Prefix }) =>
      Status === 'Enabled' && Expiration !== undefined && (Filter?.Prefix ?? Prefix) === 'inputs/',
  )
}
