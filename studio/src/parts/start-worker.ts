interface ScriptUrls {
  createScriptURL(url: string): string
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptUrls): ScriptUrls
}

/** The policy of the studio lets no text become markup or a script. This one lets files of the studio become workers. */
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
const policy = trustedTypes?.createPolicy('platen', {
  createScriptURL(url) {
    const { origin, pathname } = new URL(url, location.origin)
    if (origin === location.origin && pathname.startsWith('/studio/assets/')) return url
    throw new TypeError(`${url} is no file of the studio`)
  },
})

/** Starts a worker of a file of the studio: `import url from './pdf-worker.ts?worker'`. */
export function startWorker(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
}
