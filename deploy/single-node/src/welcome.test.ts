import t from 'tap'
import { type Welcome, welcome } from './welcome.ts'

const shown: Welcome = {
  url: 'http://127.0.0.1:3000',
  hasStudio: true,
  natsUrl: undefined,
  apiKey: undefined,
  problem: undefined,
  noSandbox: undefined,
}

t.test('the welcome says what it means that Chromium has no sandbox', async (t) => {
  t.notMatch(welcome(shown), 'sandbox')
  t.match(welcome({ ...shown, noSandbox: 'root' }), /started as root.*read and change everything on this machine/s)
  t.match(welcome({ ...shown, noSandbox: 'setting' }), /CHROMIUM_SANDBOX=false.*everything that this user can/s)
})
