import t from 'tap'
import { joinedWords, queryWords, withJoinedWords } from './search-words.ts'

t.test('words with a short part are also one word', async (t) => {
  t.same(joinedWords('PDF/A, an e-invoice or a re-render'), ['PDFA', 'einvoice', 'rerender'])
  t.same(joinedWords('a table of contents, docs/guides, client-side'), [])
  t.same(queryWords('PDF/A files'), ['PDF', 'A', 'files', 'PDFA'])
})

t.test('the index has the joined words in texts, not in headings and tags', async (t) => {
  t.equal(
    withJoinedWords('<h2 id="a">PDF/A <a href="#a">x</a></h2><p title="x/y">No PDF/A.</p>'),
    '<h2 id="a">PDF/A <a href="#a">x</a></h2><p title="x/y">No PDF/A. PDFA</p>',
  )
})
