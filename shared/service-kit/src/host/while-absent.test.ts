import { recordingLog } from '@platen/test-support/recording-log.ts'
import t from 'tap'
import { whileAbsent } from './while-absent.ts'

const refused = () =>
  new Error('NATS_URL: no NATS server answers', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })

t.test('a server that is not there is waited for, and named once in ten seconds', async (t) => {
  const { log, text } = recordingLog()
  let tries = 0
  const open = async () => {
    if (++tries < 3) throw refused()
    return 'open'
  }
  t.equal(await whileAbsent(open, { name: 'NATS', log }), 'open')
  t.equal(text().split('NATS unavailable, waiting for it for 60 s at most').length, 2)
})

t.test(
  'a server that closes a connection while it starts is waited for, also after it was not there for long',
  async (t) => {
    const { log } = recordingLog()
    let tries = 0
    const open = async () => {
      tries += 1
      if (tries < 6) throw refused()
      if (tries < 8) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' })
      return 'open'
    }
    t.equal(await whileAbsent(open, { name: 'NATS', log }), 'open')
  },
)

t.test('the wait has a bound, and an error that waiting cannot resolve is thrown at once', async (t) => {
  const { log, text } = recordingLog()
  let tries = 0
  const open = (err: Error) => async () => {
    tries++
    throw err
  }
  await t.rejects(whileAbsent(open(refused()), { name: 'NATS', log, patienceMs: 1_200 }), { message: /no NATS server/ })
  t.ok(tries >= 2)
  const closed = Object.assign(new Error('closed'), { code: 'ECONNRESET' })
  const patienceMs = 24 * 3_600_000
  const another = 'another kind of server closes connections, too'
  await t.rejects(whileAbsent(open(closed), { name: 'NATS', log, patienceMs }), { message: 'closed' }, another)
  tries = 0
  await t.rejects(whileAbsent(open(new Error('refuses the login')), { name: 'NATS', log }), { message: /login/ })
  t.equal(tries, 1)
  t.notMatch(text(), 'login')
})
