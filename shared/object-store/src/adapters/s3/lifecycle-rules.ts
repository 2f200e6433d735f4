import { decodeEntities } from './errors.ts'

/** A lifecycle rule of a bucket, as far as it matters here. */
export interface LifecycleRule {
  id: string
  enabled: boolean
  prefix: string
  /** Whether the rule applies to all objects with the prefix, of all sizes and tags. */
  unconditional: boolean
  expirationDays: number | undefined
  /** Whether it deletes current objects, after days or at a date. */
  expires: boolean
  noncurrentDays: number | undefined
  deletesMarkers: boolean
  /** As the store returned it. */
  xml: string
}

/** Parses a lifecycle configuration. Rules are kept as text, so that unknown elements are not lost. */
export function parseRules(xml: string): LifecycleRule[] {
  return [...xml.matchAll(/<Rule>.*?<\/Rule>/gs)].map(([rule]) => {
    const expiration = element(rule, 'Expiration') ?? ''
    const noncurrent = element(rule, 'NoncurrentVersionExpiration') ?? ''
    return {
      id: decodeEntities(element(rule, 'ID') ?? ''),
      enabled: element(rule, 'Status') === 'Enabled',
      prefix: decodeEntities(element(rule, 'Prefix') ?? ''),
      unconditional: !/<(Tag|ObjectSizeGreaterThan|ObjectSizeLessThan)>/.test(rule),
      expirationDays: days(element(expiration, 'Days')),
      expires: /<(Days|Date)>/.test(expiration),
      noncurrentDays: days(element(noncurrent, 'NoncurrentDays')),
      deletesMarkers: element(expiration, 'ExpiredObjectDeleteMarker') === 'true',
      xml: rule,
    }
  })
}

/** The configuration with these rules. */
export function lifecycleXml(rules: readonly Pick<LifecycleRule, 'xml'>[]): string {
  return `<LifecycleConfiguration>${rules.map(({ xml }) => xml).join('')}</LifecycleConfiguration>`
}

/**
 * Rules that delete the objects with this prefix after some days, in versioned buckets also their old versions and delete
 * markers. S3 does not allow a rule to have days and to delete markers.
 */
export function expiryRules(id: string, prefix: string, expirationDays: number): LifecycleRule[] {
  const rule = (ruleId: string, actions: string) =>
    `<Rule><ID>${ruleId}</ID><Status>Enabled</Status><Filter><Prefix>${prefix}</Prefix></Filter>${actions}</Rule>`
  const noncurrent = '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>'
  const expiration = `<Expiration><Days>${expirationDays}</Days></Expiration>`
  const markers = '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>'
  return parseRules(rule(id, `${expiration}${noncurrent}`) + rule(`${id}-markers`, markers))
}

/** Whether two rules do the same. */
export function isSameRule(a: LifecycleRule, b: LifecycleRule): boolean {
  const fields = (rule: LifecycleRule) => JSON.stringify({ ...rule, xml: undefined })
  return fields(a) === fields(b)
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]
}

function days(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
