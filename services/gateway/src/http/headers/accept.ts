/** RFC 9110, section 12.5.1: whether PDF is named and preferred to JSON. Whoever accepts neither gets JSON. */
export function wantsPdf(accept: string | undefined): boolean {
  const pdf = quality(accept, 'application/pdf')
  return pdf > 0 && pdf > quality(accept, 'application/json')
}

/** 0 for a type that is not named: a wildcard is no wish. */
function quality(accept = '', type: string): number {
  const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type)
  if (range === undefined) return 0
  const [, q = '1'] = /;\s*q\s*=\s*([\d.]+)/i.exec(range) ?? []
  return Number(q) || 0
}
