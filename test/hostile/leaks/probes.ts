import { knownDocuments } from '../support/known-documents.ts'

const findings = `
  const found = []
  const look = (what, see) => { try { const seen = see(); if (seen) found.push(what + ': ' + seen) } catch {} }
  look('globals', () => ['stolen', 'name2', 'declared', 'fixed', 'kept', 'blob'].filter((name) => name in window).join())
  look('prototypes', () => [1].map((x) => x)[0] !== 1 || 'stolen' in Object.prototype || Date.now() === 0)
  look('name', () => name)
  look('title', () => document.title)
  look('history', () => history.length > 1 && history.length)
  look('state', () => history.state && JSON.stringify(history.state))
  const own = /^http:\\/\\/[0-9a-f]{48}-platen\\.localhost\\/$/
  look('url', () => !own.test(location.href) && location.href)
  look('cookie', () => document.cookie)
  look('local', () => localStorage.length)
  look('session', () => sessionStorage.length)
  look('opener', () => opener)
  look('fonts', () => document.fonts.size)
  look('a font', () => document.fonts.check('12px Stolen') && !document.fonts.check('12px Unheardof'))
  look('elements', () => customElements.get('x-stolen'))
  look('sheets', () => document.adoptedStyleSheets.length)
  look('highlights', () => CSS.highlights.size)
  look('controller', () => navigator.serviceWorker.controller)
  look('marks', () => performance.getEntriesByName('stolen').length)
  look('resources', () => performance.getEntriesByType('resource').length)
  look('size', () => innerWidth !== 680 && innerWidth)
  look('zoom', () => (devicePixelRatio !== 1 && devicePixelRatio) || (visualViewport.scale !== 1 && visualViewport.scale))
  look('scroll', () => scrollX || scrollY)
  look('dark', () => matchMedia('(prefers-color-scheme: dark)').matches)
  look('quirks', () => document.compatMode !== 'CSS1Compat' && document.compatMode)
  look('base', () => document.baseURI !== location.href && document.baseURI)
  look('frames', () => frames.length)
  look('popup', () => frames.stolen)
  look('notifications', () => globalThis.Notification?.permission === 'granted')
  const later = []
  const wait = (what, promise) => {
    const looked = promise.then((seen) => seen && found.push(what + ': ' + seen), () => {})
    later.push(Promise.race([looked, new Promise((resolve) => setTimeout(resolve, 60))]))
  }
  const lookLater = (what, see) => { try { wait(what, Promise.resolve(see())) } catch {} }
  lookLater('databases', async () => (await indexedDB.databases()).length)
  lookLater('caches', async () => (await caches.keys()).join())
  lookLater('workers', async () => (await navigator.serviceWorker.getRegistrations()).length)
  lookLater('locks', async () => { const { held, pending } = await navigator.locks.query(); return held.length + pending.length })
  lookLater('cookies', async () => (await cookieStore.getAll()).length)
  lookLater('clipboard', async () => navigator.clipboard.readText())
  const permission = async (name) => (await navigator.permissions.query({ name })).state
  const permissions = () => Promise.all(['geolocation', 'notifications', 'microphone'].map(permission))
  lookLater('permissions', async () => (await permissions()).includes('granted'))
  lookLater('broadcast', () => new Promise((resolve) => { new BroadcastChannel('stolen').onmessage = ({ data }) => resolve(data) }))
  const counter = 'data:text/javascript,let n = 0; onconnect = (e) => e.ports[0].postMessage(n++)'
  lookLater('shared worker', () => new Promise((resolve) => {
    new SharedWorker(counter, 'stolen').port.onmessage = ({ data }) => resolve(data)
  }))
`

/** Documents of owner B. Each must be printed as in a new browser. The searching one prints the state that it finds. */
export const probes = {
  ...knownDocuments,
  // Asynchronous findings are printed if they arrive in time.
  searching: `<!doctype html><p>searching</p><script type=module>
    ${findings}
    const show = () => { document.querySelector('p').textContent = found.length ? found.join('; ') : 'nothing' }
    show()
    await Promise.all(later)
    show()
  </script>`,
}

export type Probe = keyof typeof probes
