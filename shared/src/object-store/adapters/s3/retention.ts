import type { Client, LifecycleConfig } from 'minio'
import { codeOf } from './errors.ts'

const ruleId = 'platen-inputs'

/**
 * Sets a lifecycle rule that expires `inputs/`. A lifecycle configuration can only be replaced as a whole, so a bucket
 * with other rules is left unchanged. Returns a warning for the operator if no rule expires the inputs.
 */
export async function keepInputsFor(days: number, client: Client, bucket: string): Promise<string | undefined> {
  const remedy = `add one to the bucket ${bucket} that expires inputs/ after ${days} days`
  try {
    const rules = await readRules(client, bucket)
    if (rules.some((rule) => `${rule.ID}` !== ruleId)) {
      return expiresInputs(rules) ? undefined : `None of the bucket's lifecycle rules expires inputs: ${remedy}`
    }
    if (rules.some((rule) => Number(rule.Expiration?.Days) === days)) return undefined
    const rule = { ID: ruleId, Status: 'Enabled', Filter: { Prefix: 'inputs/' }, Expiration: { Days: days } }
    await client.setBucketLifecycle(bucket, { Rule: [rule] })
    return undefined
  } catch (err) {
    return `The lifecycle rule could not be set (${codeOf(err) ?? 'unexpected response'}): ${remedy}`
  }
}

type Rule = LifecycleConfig['Rule'][number]

async function readRules(client: Client, bucket: string): Promise<Rule[]> {
  try {
    // The client returns a single rule without the array of its type.
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
