import { deflateSync } from 'node:zlib'
import type { Bomb } from './bomb.ts'

const script = (code: string) => `<p>x</p><canvas id=c></canvas><script>${code}</script>`

/** Documents with scripts that take time and memory. */
export const scriptBombs: Bomb[] = [
  { name: 'endless loop', html: script('for (;;);') },
  { name: 'endless loop before printing', html: script('onbeforeprint = () => { for (;;); }') },
  { name: 'endless microtasks', html: script('(function again() { Promise.resolve().then(again) })()') },
  { name: 'nested timers', html: script('(function again() { setTimeout(again); setTimeout(again) })()') },
  {
    name: 'layout in every animation frame',
    html: script(
      '(function again() { document.body.append("x".repeat(999)); document.body.offsetHeight; requestAnimationFrame(again) })()',
    ),
  },
  { name: 'JavaScript heap', html: script('const all = []; for (;;) all.push(new Array(1e6).fill(all.length))') },
  {
    name: 'array buffers',
    html: script('const all = []; for (let i = 0; i < 400; i++) all.push(new Uint8Array(2e7).fill(1))'),
  },
  { name: 'text nodes', html: script('let text = "word ".repeat(1e6); for (;;) document.body.append(text)') },
  { name: 'catastrophic regular expression', html: script('/^(a+)+$/.test("a".repeat(60) + "b")') },
  { name: 'endless dialogs', html: script('for (;;) { alert(1); confirm(2); prompt(3) }') },
  { name: 'endless printing', html: script('onafterprint = () => print(); for (;;) print()') },
  { name: 'endless document.write', html: script('for (;;) document.write("<p>more</p>")') },
  {
    name: 'a document that rewrites itself',
    html: script(
      'onload = function again() { const self = document.documentElement.outerHTML; document.open(); document.write(self); document.close() }',
    ),
  },
  {
    name: 'canvases',
    html: script(
      `for (let i = 0; i < 200; i++) {
          const c = document.createElement("canvas"); c.width = c.height = 8000
          c.getContext("2d").fillRect(0, 0, 8000, 8000); document.body.append(c)
        }`,
    ),
  },
  {
    name: 'WebGL',
    html: script(
      `for (let i = 0; i < 64; i++) {
          const gl = document.createElement("canvas").getContext("webgl"); const t = gl && gl.createTexture()
          if (gl) {
            gl.bindTexture(gl.TEXTURE_2D, t)
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8192, 8192, 0, gl.RGBA, gl.UNSIGNED_BYTE, null)
            gl.clear(16384)
          }
        }`,
    ),
  },
  {
    name: 'workers',
    html: script('for (let i = 0; i < 60; i++) new Worker(URL.createObjectURL(new Blob(["for (;;);"])))'),
  },
  {
    name: 'worker heaps',
    html: script(
      'for (let i = 0; i < 4; i++) new Worker(URL.createObjectURL(new Blob(["const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))"])))',
    ),
  },
  {
    name: 'WebAssembly memory',
    html: script(
      'const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 16384 }); new Uint8Array(m.buffer).fill(1); all.push(m) }',
    ),
  },
  { name: 'popups', html: script('for (;;) open("about:blank")') },
  {
    name: 'history',
    html: script('for (let i = 0; ; i++) try { history.pushState("x".repeat(1e5), "", "#" + i) } catch {}'),
  },
  { name: 'console', html: script('for (;;) console.log("x".repeat(1e5), document)') },
  { name: 'storage and messages', html: script('for (;;) postMessage(new Array(1e5).fill("x"), "*")') },
  {
    name: 'frames in frames',
    html: script(
      `const self = "<script>" + document.currentScript.text + "</scr" + "ipt>"
        for (let i = 0; i < 3; i++) {
          const f = document.createElement("iframe"); f.srcdoc = "<p id=c></p>" + self; document.documentElement.append(f)
        }`,
    ),
  },
  {
    name: 'decompression in the document',
    html: script(`const packed = Uint8Array.from(atob('${deflateSync(Buffer.alloc(5e7)).toString('base64')}'), (c) => c.charCodeAt(0));
      const unpacked = () => new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
      (async () => { const all = []; for (;;) all.push(await new Response(unpacked()).arrayBuffer()) })()`),
  },
]
