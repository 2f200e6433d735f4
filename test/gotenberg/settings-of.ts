/** Settings of Platen for those of Gotenberg, or why they have no counterpart. */
export type Mapped = { settings: Record<string, string> } | { problem: string }

/** Settings of Gotenberg that become flags of the same meaning. */
const flags: Record<string, string> = {
  API_ROOT_PATH: 'api-root-path',
  API_CORRELATION_ID_HEADER: 'api-correlation-id-header',
  API_DISABLE_DOWNLOAD_FROM: 'api-disable-download-from',
  CHROMIUM_DISABLE_JAVASCRIPT: 'chromium-disable-javascript',
  CHROMIUM_DISABLE_ROUTES: 'chromium-disable-routes',
  PDFENGINES_DISABLE_ROUTES: 'pdfengines-disable-routes',
  PROMETHEUS_DISABLE_COLLECT: 'prometheus-disable-collect',
  PROMETHEUS_METRICS_PATH: 'prometheus-metrics-path',
  PROMETHEUS_NAMESPACE: 'prometheus-namespace',
  WEBHOOK_DISABLE: 'webhook-disable',
  WEBHOOK_ENABLE_SYNC_MODE: 'webhook-enable-sync-mode',
}

/**
 * Settings that change nothing here: what is logged, which of its programs processes PDFs, how many browsers it has, and what
 * it clears between documents, which share nothing here.
 */
const withoutEffect = [
  /^(API|PROMETHEUS)_DISABLE_\w*(TELEMETRY|LOGGING)$/,
  /^PDFENGINES_\w+_ENGINES$/,
  /^CHROMIUM_(MAX_CONCURRENCY|RESTART_AFTER|CLEAR_STORAGE|CLEAR_CACHE|CLEAR_COOKIES)$/,
  /^API_ENABLE_DEBUG_ROUTE$/,
]

const authentication = /^(API_ENABLE_BASIC_AUTH|API_ENABLE_OIDC_AUTH|API_OIDC_\w+|GOTENBERG_API_BASIC_AUTH_\w+)$/
const egress = /^CHROMIUM_(ALLOW_LIST|DENY_PRIVATE_IPS)$/

export function settingsOf(given: Record<string, string>): Mapped {
  const settings: Record<string, string> = { GOTENBERG_AUTH: 'none' }
  const words: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const flag = flags[name]
    if (flag !== undefined) words.push(`--${flag}=${value}`)
    else if (authentication.test(name)) settings.GOTENBERG_AUTH = 'key'
    else if (!egress.test(name) && !withoutEffect.some((pattern) => pattern.test(name))) {
      return { problem: `${name} has no counterpart` }
    }
  }
  if (words.length > 0) settings.GOTENBERG_FLAGS = words.join(' ')
  const policy = egressOf(given)
  if (policy === undefined) return { problem: `CHROMIUM_ALLOW_LIST ${given.CHROMIUM_ALLOW_LIST} has no counterpart` }
  return { settings: { ...settings, RENDER_EGRESS: policy } }
}

/** Lists of URLs are regular expressions there. Here documents may load from everywhere, from public hosts, or from nowhere. */
function egressOf({ CHROMIUM_ALLOW_LIST: list = '.+', CHROMIUM_DENY_PRIVATE_IPS: isDenied }: Record<string, string>) {
  if (list === '.+' || list === '^.*') return 'any'
  if (list === '') return isDenied === 'true' ? 'public' : 'any'
  return list === '^file:///tmp.*' ? 'none' : undefined
}
