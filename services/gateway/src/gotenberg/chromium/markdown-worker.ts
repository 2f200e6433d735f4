import { parentPort } from 'node:worker_threads'
import { marked } from 'marked'

// GitHub Flavored Markdown, https://github.github.com/gfm/. HTML in it stays as it is: it belongs to the same request as the
// document around it.
parentPort?.on('message', (texts: string[]) =>
  parentPort?.postMessage(texts.map((text) => marked.parse(text, { async: false, gfm: true }))),
)
