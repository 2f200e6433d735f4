import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import client from 'gotenberg-js-client'

const { convert, gotenberg, html, merge, pipe, please, to } = client
const { GOTENBERG_URL, API_KEY } = process.env
const config = { auth: `platen:${API_KEY}` }
const write = async (name, stream) => pipeline(await stream, createWriteStream(name))

const print = pipe(
  gotenberg(`${GOTENBERG_URL}/forms/chromium`, config),
  convert,
  html,
  to({ paperWidth: 5.83, paperHeight: 8.27, marginTop: 1, marginBottom: 1 }),
  please,
)
await write(
  'html.pdf',
  print({
    'index.html': '<link rel="stylesheet" href="style.css"><p>Hello</p>',
    'header.html': '<p style="font-size: 9px">Head</p>',
    'style.css': 'p::after { content: " styled" }',
  }),
)
await write('page.pdf', print({ 'index.html': '<p>Page of the network' }))

const join = pipe(gotenberg(`${GOTENBERG_URL}/forms/pdfengines`, config), merge, please)
await write('merge.pdf', join({ '1.pdf': 'file://html.pdf', '2.pdf': 'file://page.pdf' }))
