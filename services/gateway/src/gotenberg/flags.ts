/** Flags of Gotenberg that the port knows. https://gotenberg.dev/docs/configuration */
export interface Flags {
  /** Before every path: begins and ends with a slash. */
  rootPath: string
  traceHeader: string
  downloads: boolean
  chromiumRoutes: boolean
  pdfRoutes: boolean
  scripts: boolean
  webhooks: 'off' | 'async' | 'sync'
  /** Undefined: no metrics. */
  metrics: { namespace: string; path: string } | undefined
}

const isPath = /^\/([\w.~-]+\/)*$/
const isRoute = /^\/[\w.~/-]+$/
const isName = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const isHeader = /^[A-Za-z][A-Za-z0-9-]*$/

/** What each flag accepts, and its default. */
const known: Record<string, { pattern: RegExp; fallback: string }> = {
  'api-root-path': { pattern: isPath, fallback: '/' },
  'api-correlation-id-header': { pattern: isHeader, fallback: 'Gotenberg-Trace' },
  'api-disable-download-from': { pattern: /^(true|false)$/, fallback: 'false' },
  'chromium-disable-javascript': { pattern: /^(true|false)$/, fallback: 'false' },
  'chromium-disable-routes': { pattern: /^(true|false)$/, fallback: 'false' },
  'pdfengines-disable-routes': { pattern: /^(true|false)$/, fallback: 'false' },
  'prometheus-disable-collect': { pattern: /^(true|false)$/, fallback: 'false' },
  'prometheus-metrics-path': { pattern: isRoute, fallback: '/prometheus/metrics' },
  'prometheus-namespace': { pattern: isName, fallback: 'gotenberg' },
  'webhook-disable': { pattern: /^(true|false)$/, fallback: 'false' },
  'webhook-enable-sync-mode': { pattern: /^(true|false)$/, fallback: 'false' },
}

/** The flags in a text such as `--api-root-path=/pdf/ --chromium-disable-javascript`. Undefined if one is not known or wrong. */
export function parseFlags(text: string): Flags | undefined {
  const values = new Map<string, string>()
  for (const word of text.split(/\s+/).filter((word) => word !== '')) {
    const [, name = '', given = 'true'] = /^--([a-z-]+)(?:=(.*))?$/.exec(word) ?? []
    const flag = Object.hasOwn(known, name) ? known[name] : undefined
    const value = name === 'api-root-path' && !given.endsWith('/') ? `${given}/` : given
    if (!flag?.pattern.test(value) || values.has(name)) return undefined
    values.set(name, value)
  }
  const readValue = (name: string) => values.get(name) ?? known[name]?.fallback ?? ''
  const isOn = (name: string) => readValue(name) === 'true'
  return {
    rootPath: readValue('api-root-path'),
    traceHeader: readValue('api-correlation-id-header'),
    downloads: !isOn('api-disable-download-from'),
    chromiumRoutes: !isOn('chromium-disable-routes'),
    pdfRoutes: !isOn('pdfengines-disable-routes'),
    scripts: !isOn('chromium-disable-javascript'),
    webhooks: isOn('webhook-disable') ? 'off' : isOn('webhook-enable-sync-mode') ? 'sync' : 'async',
    metrics: isOn('prometheus-disable-collect')
      ? undefined
      : { namespace: readValue('prometheus-namespace'), path: readValue('prometheus-metrics-path') },
  }
}

/** The names of the flags, for messages. */
export const flagNames = Object.keys(known)
