import t from 'tap'
import { markArtifacts } from './mark-artifacts.ts'

const lookup = { isTagged: (name: string) => name === 'Tagged', hasIdentifier: (name: string) => name === 'P1' }
const marked = (content: string) => {
  const bytes = markArtifacts(Buffer.from(content), lookup)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString().replace(/\s+/g, ' ').trim()
}

t.test('what is painted outside of tags becomes an artifact', async (t) => {
  t.equal(marked('q 0 0 9 9 re W n 1 g 0 0 5 5 re f Q'), 'q 0 0 9 9 re W n 1 g /Artifact BMC 0 0 5 5 re f EMC Q')
  t.equal(marked('BT /F 9 Tf (a) Tj ET'), 'BT /F 9 Tf /Artifact BMC (a) Tj EMC ET')
  t.equal(marked('/Im Do'), '/Artifact BMC /Im Do EMC')
  t.equal(
    marked('/Span <</ActualText (f)>> BDC (a) Tj EMC'),
    '/Span <</ActualText (f)>> BDC /Artifact BMC (a) Tj EMC EMC',
  )
})

t.test('what has a tag, or is an artifact, is left as it is', async (t) => {
  t.equal(marked('/P <</MCID 0>> BDC /Span <</ActualText (ff)>> BDC (a) Tj EMC 0 0 m 1 1 l S EMC'), undefined)
  t.equal(marked('/P /P1 BDC (a) Tj EMC'), undefined)
  t.equal(marked('/Artifact <</Type /Pagination>> BDC (a) Tj EMC'), undefined)
  t.equal(marked('/Tagged Do'), undefined, 'the XObject has tags of its own')
})

t.test('strings and inline pictures are not read as operators', async (t) => {
  t.equal(marked('/P <</MCID 0>> BDC ( EMC \\) EMC ) Tj <45 4D 43> Tj EMC'), undefined)
  const picture = 'BI /W 2 /H 1 /BPC 8 /CS /G ID \u0001 EMC EI x\u0002\nEI'
  t.equal(marked(`/P <</MCID 0>> BDC ${picture} EMC`), undefined)
  t.equal(marked('BI /W 1 /H 1 /BPC 8 /CS /G ID a\nEI'), '/Artifact BMC BI /W 1 /H 1 /BPC 8 /CS /G ID a EI EMC')
})
