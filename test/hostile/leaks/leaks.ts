/** A document of owner A that tries to leave state for the next document. */
export interface Leak {
  name: string
  html: string
  headerHtml?: string
}

const script = (code: string) => `<p>A</p><script>${code}</script>`

/** State from markup and styles. */
export const staticLeaks: Leak[] = [
  {
    name: 'content security policy',
    html: `<meta http-equiv=Content-Security-Policy content="default-src 'none'; style-src 'none'; img-src 'none'">x`,
  },
  {
    name: 'policy in capitals, after content',
    html: `<p>x</p><META HTTP-EQUIV='content-security-policy' CONTENT="img-src 'none'; style-src-attr 'none'">`,
  },
  {
    name: 'policy after a NUL',
    html: `<p>x</p><met\0a><meta\fhttp-equiv=content-security-policy content="style-src 'none'">`,
  },
  { name: 'viewport', html: '<meta name=viewport content="width=200, initial-scale=3, user-scalable=no">x' },
  { name: 'colour scheme', html: '<meta name=color-scheme content=dark><meta name=theme-color content=red>x' },
  { name: 'colour scheme by style', html: '<style>:root { color-scheme: dark; background: black; zoom: 2 }</style>x' },
  {
    name: 'referrer and default style',
    html: '<meta name=referrer content=unsafe-url><meta http-equiv=default-style content=x>x',
  },
  {
    name: 'language',
    html: '<meta http-equiv=content-language content=ar><html lang=ar dir=rtl><title>Stolen</title>x',
  },
  { name: 'charset', html: '<meta charset=utf-16le>x' },
  { name: 'quirks', html: '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN"><table><tr><td>x</table>' },
  { name: 'base', html: '<base href="http://stolen.test/" target=stolen>x' },
  {
    name: 'a new font family',
    html: `<style>@font-face { font-family: Stolen; src: local('Noto Sans CJK JP'), local('DejaVu Sans Mono') } p { font-family: Stolen }</style><p>x`,
  },
  {
    name: 'a generic font family redefined',
    html: `<style>@font-face { font-family: sans-serif; src: local("DejaVu Sans Mono") }
      @font-face { font-family: serif; src: local("DejaVu Sans Mono") } p { font-family: sans-serif }</style><p>x`,
  },
  {
    name: 'page rules',
    html: '<style>@page { size: A5 landscape; margin: 3cm } @page :first { margin: 9cm } html { zoom: 3 }</style>x',
  },
  {
    name: 'properties and layers',
    html: `<style>@property --x { syntax: "<color>"; inherits: true; initial-value: red }
      @counter-style decimal { system: cyclic; symbols: X } @keyframes x { to { color: red } } @namespace url(x)</style>x`,
  },
  { name: 'unclosed', html: '<!--<style><title><textarea><plaintext><select><table><svg><math>' },
  { name: 'frameset', html: '<frameset><frame src="data:text/html,x"></frameset>' },
  {
    name: 'focus and target',
    html: '<input autofocus value=x><dialog open>x</dialog><details open><p id=x popover>x</p></details>',
  },
  {
    name: 'scrolled',
    html: '<div style="height:99999px;scroll-snap-type:y mandatory"></div><p id=end style="scroll-snap-align:end">x',
  },
  {
    name: 'shadow and parts',
    html: '<body><template shadowrootmode=open><style>:host { color: red }</style><slot></slot></template>x',
  },
  {
    name: 'header',
    html: 'x',
    headerHtml: '<style>* { color: red !important; font-size: 40px !important }</style><title>Stolen</title>head',
  },
  {
    name: 'an image with the same URL',
    html: `<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E">`,
  },
  {
    name: 'links',
    html: '<link rel=stylesheet href="data:text/css,p%7Bcolor:red%7D"><link rel=icon href="data:,x"><a id=x href="http://127.0.0.1/">x</a>',
  },
]

/** State from scripts. */
export const scriptedLeaks: Leak[] = [
  {
    name: 'globals',
    html: script(
      'window.stolen = 1; globalThis.name2 = 2; var declared = 3; Object.defineProperty(window, "fixed", { value: 4, configurable: false })',
    ),
  },
  {
    name: 'prototypes',
    html: script(
      `Array.prototype.map = () => ["stolen"]; String.prototype.stolen = 1; Object.prototype.stolen = 1;
        Element.prototype.append = () => {}; JSON.stringify = () => "stolen"; Promise.prototype.then = () => {};
        Date.now = () => 0`,
    ),
  },
  {
    name: 'timers',
    html: script(
      `setInterval(() => { document.body.textContent = "stolen"; window.stolen = 1 }, 1);
        setTimeout(() => { document.title = "stolen" }, 200);
        requestAnimationFrame(function f() { document.body.append("stolen"); requestAnimationFrame(f) });
        requestIdleCallback(() => {})`,
    ),
  },
  {
    name: 'storage',
    html: script(
      `for (const of of ["localStorage", "sessionStorage"]) try { window[of].setItem("stolen", "1") } catch {}
        try { indexedDB.open("stolen").onsuccess = () => {} } catch {} try { caches.open("stolen") } catch {}
        try { navigator.storage.getDirectory() } catch {} try { openDatabase("stolen", "", "", 9) } catch {}`,
    ),
  },
  {
    name: 'storage in frames',
    html:
      `<iframe srcdoc="<script>try { localStorage.stolen = 1 } catch {} name = 'stolen'</script>"></iframe>` +
      script(`const f = document.createElement("iframe"); document.body.append(f);
        try { f.contentWindow.localStorage.stolen = 1 } catch {}`),
  },
  {
    name: 'cookies',
    html: `${script(
      'try { document.cookie = "stolen=1; max-age=9999" } catch {} try { cookieStore.set("stolen", "1") } catch {}',
    )}<meta http-equiv=set-cookie content="stolen=1">`,
  },
  { name: 'name and title', html: script('name = "stolen"; document.title = "stolen"; window.status = "stolen"') },
  {
    name: 'history',
    html: script(
      `for (let i = 0; i < 9; i++) history.pushState({ stolen: i }, "", "#stolen" + i);
        history.scrollRestoration = "manual"; location.hash = "stolen"`,
    ),
  },
  {
    name: 'service worker',
    html: script(
      'try { navigator.serviceWorker.register("data:text/javascript,self.onfetch = () => {}").catch(() => {}) } catch {}',
    ),
  },
  {
    name: 'broadcasts',
    html: script(
      'const c = new BroadcastChannel("stolen"); c.onmessage = () => c.postMessage("stolen"); setInterval(() => c.postMessage("stolen"), 5)',
    ),
  },
  {
    name: 'shared worker',
    html: script(
      `const counter = "data:text/javascript,let n = 0; onconnect = (e) => e.ports[0].postMessage(n++)"
        try { const w = new SharedWorker(counter, "stolen"); w.port.start() } catch {}
        new Worker("data:text/javascript,const c = new BroadcastChannel('stolen'); setInterval(() => c.postMessage('stolen'), 5)")`,
    ),
  },
  { name: 'locks', html: script('try { navigator.locks.request("stolen", () => new Promise(() => {})) } catch {}') },
  { name: 'blobs', html: script('name = URL.createObjectURL(new Blob(["stolen"])); window.blob = name') },
  {
    name: 'fonts',
    html: script(
      `const face = new FontFace("Stolen", "local(DejaVu Sans Mono)"); document.fonts.add(face);
        face.load().catch(() => {}); document.fonts.add(new FontFace("sans-serif", "local(DejaVu Sans Mono)"))`,
    ),
  },
  {
    name: 'sheets and elements',
    html: script(
      `const s = new CSSStyleSheet(); s.replaceSync("* { color: red !important }");
        document.adoptedStyleSheets = [s]; customElements.define("x-stolen", class extends HTMLElement {});
        CSS.registerProperty({ name: "--stolen", syntax: "<color>", inherits: true, initialValue: "red" });
        CSS.highlights?.set("stolen", new Highlight())`,
    ),
  },
  {
    name: 'permissions',
    html: script(
      `for (const call of [
          () => Notification.requestPermission(), () => navigator.geolocation.getCurrentPosition(() => {}),
          () => navigator.mediaDevices.getUserMedia({ audio: true }), () => navigator.wakeLock.request("screen"),
          () => document.requestStorageAccess()
        ]) try { Promise.resolve(call()).catch(() => {}) } catch {}`,
    ),
  },
  {
    name: 'clipboard',
    html:
      script('try { navigator.clipboard.writeText("stolen").catch(() => {}) } catch {} document.execCommand("copy")') +
      '<input value=stolen id=i><script>i.select(); document.execCommand("copy")</script>',
  },
  {
    name: 'window',
    html: script(
      `resizeTo(99, 99); moveTo(9, 9); document.body.style.zoom = 3;
        document.documentElement.requestFullscreen?.().catch(() => {});
        screen.orientation?.lock?.("portrait").catch(() => {})`,
    ),
  },
  {
    name: 'dialogs',
    html: script(
      'onbeforeunload = () => "stay"; alert("stolen"); setTimeout(() => { for (let i = 0; i < 5; i++) alert(i) }, 30)',
    ),
  },
  { name: 'popups', html: script('open("about:blank", "stolen"); open("javascript:name=1", "probe")') },
  {
    name: 'documents rewritten',
    html: script(
      `onload = () => {
          document.open()
          document.write("<meta http-equiv=Content-Security-Policy content=\\"style-src 'none'\\"><p>rewritten</p>")
          document.close()
        }`,
    ),
  },
  {
    name: 'observers',
    html: script(
      `new MutationObserver(() => { document.body.append("stolen") }).observe(document, { childList: true, subtree: true })
        for (const e of ["beforeprint", "afterprint", "load", "message", "focus"])
          addEventListener(e, () => { document.body.append("stolen") })`,
    ),
  },
  {
    name: 'performance',
    html: script(
      'performance.mark("stolen"); console.log("stolen"); try { performance.setResourceTimingBufferSize(0) } catch {}',
    ),
  },
  {
    name: 'memory',
    html: script(
      `window.kept = Array.from({ length: 1e6 }, (_, i) => ({ i }))
        for (let i = 0; i < 99; i++) document.body.append(document.createElement("canvas"))`,
    ),
  },
]
