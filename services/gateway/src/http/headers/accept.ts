/** Whether `Accept` names PDF and prefers it to JSON (RFC 9110, section 12.5.1). JSON is the default. */
export function wantsPdf(accept: string | undefined): boolean {
  const pdf = quality(accept, 'application/pdf')
  return pdf > 0 && pdf > quality(accept, 'application/json')
}

/** Whether `Accept` names JSON and prefers it to files (RFC 9110, section 12.5.1). A file is the default. */
export function wantsJson(accept: string | undefined): boolean {
  const json = quality(accept, 'application/json')
  return json > 0 && json > Math.max(quality(accept, 'application/pdf'), quality(accept, 'image/png'))
}

/** 0 for a type that is not named. Wildcards do not count. */
function quality(accept = '', type: string): number {
  const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type)
  if (range === undefined) return 0
  const [, q = '1'] = /;\s*q\s*=\s*([\d.]+)/i.exec(range) ?? []
  return Number(q) || 0
}
