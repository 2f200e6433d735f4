/** The URL without a slash at its end. Throws a TypeError if nothing can be sent there. */
export function checkedUrl(url: string): string {
  if (!/^https?:\/\/[^/]/i.test(url)) throw new TypeError('The URL must begin with http:// or https:// and have a host')
  return url.replace(/\/+$/, '')
}

/** The header with the API key. Throws a TypeError that does not show the key, as it may be logged. */
export function authorizationOf(key = ''): Record<string, string> {
  if (key === '') return {}
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The API key must be printable ASCII without spaces: it may end with a line break')
  }
  return { authorization: `Bearer ${key}` }
}
