/** Whether `Accept` names this type of a file and prefers it to JSON (RFC 9110, section 12.5.1). JSON is the default. */
export function wantsFile(accept: string | undefined, mediaType: string): boolean {
  const file = quality(accept, mediaType)
  return file > 0 && file > quality(accept, 'application/json')
}

/**
 * The type of a preview with its result and its file in JSON. It is not `application/json`, which generated clients ask for
 * wherever errors have it, and then take for the file.
 */
export const previewJson = 'application/vnd.platen.preview+json'

/** Whether `Accept` names `previewJson` and prefers it to files (RFC 9110, section 12.5.1). A file is the default. */
export function wantsPreviewJson(accept: string | undefined): boolean {
  const json = quality(accept, previewJson)
  return json > 0 && json > Math.max(quality(accept, 'application/pdf'), quality(accept, 'image/png'))
}

/** 0 for a type that is not named. Wildcards do not count. */
function quality(accept = '', type: string): number {
  const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type)
  if (range === undefined) return 0
  const [, q = '1'] = /;\s*q\s*=\s*([\d.]+)/i.exec(range) ?? []
  return Number(q) || 0
}

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
