import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { readPdf } from '@platen/test-support/read-pdf.ts'
import { openTestPrinter, type TestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { comparePages } from '../../../../test/fidelity/support/compare-pages.ts'
import { readPages } from '../../../../test/fidelity/support/read-pages.ts'

t.setTimeout(600_000)

/** Under another name it is taken for a browser that draws its frames by itself. */
const ownFrames = join(t.testdir({}), 'browser')
symlinkSync(findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''), ownFrames)
const printers: Record<string, TestPrinter> = {
  'frames by command': await openTestPrinter(),
  'frames of the browser': await openTestPrinter({ executablePath: ownFrames }),
}
t.teardown(() => Promise.all(Object.values(printers).map((printer) => printer[Symbol.asyncDispose]())))

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Each says `done` when a frame has run what waits for one. */
const frameCallbacks: Record<string, string> = {
  'a request in a request': 'requestAnimationFrame(() => requestAnimationFrame(done))',
  'a request in a frame of the document': `const frame = document.body.appendChild(document.createElement('iframe'))
    frame.contentWindow.requestAnimationFrame(() => frame.contentWindow.requestAnimationFrame(done))`,
  IntersectionObserver: 'new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && done()).observe(p)',
  'a picture that an IntersectionObserver loads': `const image = document.body.appendChild(new Image(9, 9))
    image.onload = done
    new IntersectionObserver(() => { image.src = '${png}' }).observe(image)`,
  ResizeObserver: 'new ResizeObserver(done).observe(p)',
  'ResizeObserver of a later size': `let sizes = 0
    new ResizeObserver(() => { if (++sizes === 2) done() }).observe(p)
    requestAnimationFrame(() => requestAnimationFrame(() => { p.style.width = '50px' }))`,
  'a CSS transition': `p.style.cssText = 'opacity: 1; transition: opacity .3s'
    p.ontransitionend = done
    p.offsetWidth
    p.style.opacity = .5`,
  'a CSS transition of a position': `p.style.cssText = 'position: relative; left: 0; transition: left .3s'
    p.ontransitionend = done
    p.offsetWidth
    p.style.left = '50px'`,
  'an animation of SVG': `p.insertAdjacentHTML('afterend',
      '<svg><rect><animate attributeName=x dur=.5s to=9 fill=freeze /></rect></svg>')
    document.querySelector('animate').onend = done`,
  'a decoded picture': `const image = new Image(); image.src = '${png}'; image.decode().then(done)`,
  'an idle moment': 'requestIdleCallback(done)',
  'an idle moment after a frame': 'requestAnimationFrame(() => requestIdleCallback(done))',
  'a frame after a timer': 'setTimeout(() => requestAnimationFrame(() => setTimeout(done, 100)), 100)',
  'a message after a frame': `const { port1, port2 } = new MessageChannel()
    port1.onmessage = done
    requestAnimationFrame(() => port2.postMessage(1))`,
  fonts: `document.fonts.ready.then(() => requestAnimationFrame(done))`,
  'an event of a style sheet': `document.head.append(Object.assign(document.createElement('style'),
    { textContent: 'p { color: red }', onload: () => requestAnimationFrame(done) }))`,
  'a scroll': `p.style.marginBottom = '5000px'; addEventListener('scroll', done); scrollTo(0, 500)`,
  'a view transition': `document.startViewTransition(() => {}).finished.then(done)`,
  'a frame of a worker': `const canvas = document.body.appendChild(document.createElement('canvas')).transferControlToOffscreen()
    const code = 'onmessage = ({ data }) => { const ink = data.getContext("2d"); requestAnimationFrame(() => { ' +
      'ink.fillRect(0, 0, 50, 50); requestAnimationFrame(() => postMessage(1)) }) }'
    const worker = new Worker(URL.createObjectURL(new Blob([code])))
    worker.onmessage = done
    worker.postMessage(canvas, [canvas])`,
}

const documentOf = (code: string) => `<p id=p>early</p><script>{
  const done = () => { p.textContent = 'done'; window.ready = true }
  ${code}
}</script>`

for (const [name, printer] of Object.entries(printers)) {
  for (const [what, code] of Object.entries(frameCallbacks)) {
    t.test(`${name}: ${what}`, async (t) => {
      const html = documentOf(code)
      t.match((await readPdf((await printer.printHtml(html)).pdf))[0]?.text, /^done/, 'after the load')
      const waiting = { wait_for: { expression: 'ready' }, finish_animations: false, timeout_ms: 4_000 }
      t.match((await readPdf((await printer.printHtml(html, waiting)).pdf))[0]?.text, /^done/, 'while it is waited for')
    })
  }
}

const ink = `const ink = c.getContext('2d')
  const fill = (color) => { ink.fillStyle = color; ink.fillRect(0, 0, 60, 60) }`
const red = `const gl = c.getContext('webgl')
  const clear = (...color) => { gl.clearColor(...color, 1); gl.clear(gl.COLOR_BUFFER_BIT) }`

/** Each draws on the canvas `c`. */
const drawings: Record<string, string> = {
  'a canvas': `${ink}; fill('red')`,
  'a canvas in a frame': `${ink}; fill('red'); requestAnimationFrame(() => fill('blue'))`,
  'a canvas in each frame': `${ink}; let n = 0
    requestAnimationFrame(function next() { fill(n % 2 ? 'red' : 'blue'); if (n++ < 20) requestAnimationFrame(next) })`,
  WebGL: `${red}; clear(1, 0, 0)`,
  'WebGL in a frame': `${red}; clear(1, 0, 0); requestAnimationFrame(() => clear(0, 0, 1))`,
  'WebGL in each frame': `${red}; let n = 0
    requestAnimationFrame(function next() { clear(n % 2, 0, 1 - n % 2); if (n++ < 20) requestAnimationFrame(next) })`,
  'WebGL that is shown in a canvas': `const gl = document.createElement('canvas').getContext('webgl')
    requestAnimationFrame(() => {
      gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT)
      c.getContext('2d').drawImage(gl.canvas, 0, 0)
    })`,
  'a canvas of a worker': `const off = c.transferControlToOffscreen()
    const code = 'onmessage = ({ data }) => { const ink = data.getContext("2d"); ink.fillStyle = "red"; ink.fillRect(0, 0, 60, 60) }'
    new Worker(URL.createObjectURL(new Blob([code]))).postMessage(off, [off])`,
  'a picture': `const off = new OffscreenCanvas(60, 60); off.getContext('2d').fillRect(0, 0, 60, 60)
    c.getContext('bitmaprenderer').transferFromImageBitmap(off.transferToImageBitmap())`,
}

const canvasOf = (code: string) => `<p>x</p><canvas id=c width=60 height=60></canvas><script>{ ${code} }</script>`

for (const [what, code] of Object.entries(drawings)) {
  t.test(`${what} has the same pixels with frames by command`, async (t) => {
    const html = canvasOf(code)
    const [commanded = [], own = []] = await Promise.all(
      Object.values(printers).map(async (printer) => readPages((await printer.printHtml(html)).pdf)),
    )
    t.same(comparePages(own, commanded), [])
    const [picture, ownPicture] = await Promise.all(
      Object.values(printers).map(async (printer) => {
        const { pdf } = await printer.printHtml(html, {}, { screenshot: { format: 'png', width: 300, height: 200 } })
        return Buffer.from(pdf).toString('base64')
      }),
    )
    t.equal(picture, ownPicture, 'the screenshot')
  })
}
