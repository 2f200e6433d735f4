/** The preferences of a request that the API knows (RFC 7240, sections 4.1 and 4.3). */
export interface Preferences {
  respondAsync: boolean
  waitS: number | undefined
}

/** Parses `Prefer`. Of a repeated preference the first one counts; unknown and malformed ones are ignored. */
export function parsePrefer(header: string | string[] | undefined): Preferences {
  const preferences = new Map<string, string>()
  for (const item of String(header ?? '').split(',')) {
    const [preference = ''] = item.split(';')
    const [name = '', ...value] = preference.split('=')
    const key = name.trim().toLowerCase()
    if (!preferences.has(key))
      preferences.set(
        key,
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      )
  }
  const wait = preferences.get('wait') ?? ''
  return { respondAsync: preferences.has('respond-async'), waitS: /^\d{1,6}$/.test(wait) ? Number(wait) : undefined }
}
