import t from 'tap'
import { withAuthorLinks } from './author-links.ts'

const host = `${'a'.repeat(48)}-platen.localhost`
const pdfWith = (url: string) => Buffer.from(`<</S /URI\n/URI (${url})>>\nendobj`, 'latin1')
const linkIn = (pdf: Uint8Array) => /\/URI \((.*)\) *>>/.exec(Buffer.from(pdf).toString('latin1'))?.[1]

t.test('a relative link is written as a relative link', async (t) => {
  const pdf = pdfWith(`http://${host}/letters/b.html?q=1`)
  const { length } = pdf
  const changed = withAuthorLinks(pdf, { host, authorOrigin: '' })
  t.equal(linkIn(changed), 'letters/b.html?q=1')
  t.equal(changed.length, length, 'no byte offset changes')
})

t.test('with a base URL a relative link becomes absolute', async (t) => {
  const changed = withAuthorLinks(pdfWith(`http://${host}/b\\(1\\).html`), {
    host,
    authorOrigin: 'https://example.com',
  })
  t.equal(linkIn(changed), 'https://example.com/b\\(1\\).html')
})

t.test('a link that would need more bytes is unchanged', async (t) => {
  const authorOrigin = `https://${'long.'.repeat(20)}example.com`
  t.equal(linkIn(withAuthorLinks(pdfWith(`http://${host}/b`), { host, authorOrigin })), `http://${host}/b`)
})

t.test('links to other hosts and truncated files are unchanged', async (t) => {
  for (const text of ['/URI (https://example.com/)', `/URI (http://${host}/never-closed`]) {
    const pdf = Buffer.from(text)
    t.equal(Buffer.from(withAuthorLinks(Buffer.from(pdf), { host, authorOrigin: '' })).toString(), text)
  }
})
