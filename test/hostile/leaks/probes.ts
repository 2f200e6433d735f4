import { knownDocuments } from '../support/known-documents.ts'

const findings = `
  const found = []
  const look = (what, see) => { try { const seen = see(); if (seen) found.push(what + ': ' + seen) } catch {} }
  look('globals', () => ['stolen', 'name2', 'declared', 'fixed', 'hoard', 'blob'].filter((name) => name in window).join())
  look('prototypes', () => [1].map((x) => x)[0] !== 1 || 'stolen' in Object.prototype || Date.now() === 0)
  look('name', () => name)
  look('title', () => document.title)
  look('history', () => history.length > 1 && history.length)
  look('state', () => history.state && JSON.stringify(history.state))
  const own = /^http:\\/\\/[0-9a-f]{48}\\.platen\\.localhost\\/$/
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
  const wait = (what, promise) => later.push(Promise.race([promise.then((seen) => seen && found.push(what + ': ' + seen), () => {}), new Promise((r) => setTimeout(r, 60))]))
  const ask = (what, see) => { try { wait(what, Promise.resolve(see())) } catch {} }
  ask('databases', async () => (await indexedDB.databases()).length)
  ask('caches', async () => (await caches.keys()).join())
  ask('workers', async () => (await navigator.serviceWorker.getRegistrations()).length)
  ask('locks', async () => { const { held, pending } = await navigator.locks.query(); return held.length + pending.length })
  ask('cookies', async () => (await cookieStore.getAll()).length)
  ask('clipboard', async () => navigator.clipboard.readText())
  ask('permissions', async () => (await Promise.all(['geolocation', 'notifications', 'microphone'].map(async (name) => (await navigator.permissions.query({ name })).state))).includes('granted'))
  ask('broadcast', () => new Promise((heard) => { new BroadcastChannel('stolen').onmessage = ({ data }) => heard(data) }))
  ask('shared worker', () => new Promise((heard) => { const w = new SharedWorker("data:text/javascript,let n = 0; onconnect = (e) => e.ports[0].postMessage(n++)", 'stolen'); w.port.onmessage = ({ data }) => heard(data) }))
`

/** Documents of key B. Each must print what it prints alone; what the searching one finds, it shows. */
export const probes = {
  ...knownDocuments,
  // What takes turns of the event loop to find is told as far as it is there in time.
  searching: `<!doctype html><p>searching</p><script type=module>
    ${findings}
    const tell = () => { document.querySelector('p').textContent = found.length ? found.join('; ') : 'nothing' }
    tell()
    await Promise.all(later)
    tell()
  </script>`,
}

export type Probe = keyof typeof probes
