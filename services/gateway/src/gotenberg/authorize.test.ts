import t from 'tap'
import { setBearer } from './authorize.ts'

const own = 'key-of-the-setting'
const bearer = (headers: Record<string, string>, auth: 'key' | 'none' = 'none') => {
  setBearer({ headers }, auth, own)
  return headers.authorization
}
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

t.test('the API key is the password or the user name of Basic authentication', async (t) => {
  t.equal(bearer(basic(':0123456789abcdef')), 'Bearer 0123456789abcdef')
  t.equal(bearer(basic('0123456789abcdef:')), 'Bearer 0123456789abcdef')
})

t.test('requests without credentials have the key of the setting, but not those of pages of other sites', async (t) => {
  t.equal(bearer({}), `Bearer ${own}`)
  t.equal(bearer({ 'sec-fetch-site': 'same-origin' }), `Bearer ${own}`)
  t.equal(bearer({}, 'key'), undefined)
  t.throws(() => bearer({ 'sec-fetch-site': 'cross-site' }), { status: 403, message: 'Forbidden' })
  t.equal(bearer({ 'sec-fetch-site': 'cross-site', authorization: 'Bearer 1' }), 'Bearer 1')
})
