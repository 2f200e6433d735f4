import Fastify from 'fastify'
import t from 'tap'
import { validation } from './validation.ts'

t.test('the length of a text is that in characters, however many code units they have', async (t) => {
  const app = Fastify()
  await app.register(validation)
  const schema = { body: { type: 'object', properties: { text: { type: 'string', minLength: 2, maxLength: 3 } } } }
  app.post('/', { schema, attachValidation: true }, async ({ validationError }) => validationError === undefined)
  await app.ready()
  const isValid = async (text: string) => (await app.inject({ method: 'POST', url: '/', payload: { text } })).json()
  for (const text of ['ab', 'abc', '😀😀', '😀😀😀', 'a😀b', '😀a']) t.equal(await isValid(text), true, text)
  for (const text of ['', 'a', '😀', 'abcd', '😀😀😀😀', 'ab😀c', 'abcdefg']) t.equal(await isValid(text), false, text)
})
