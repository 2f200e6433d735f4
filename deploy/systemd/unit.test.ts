import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '@platen/foundation/settings/config.ts'
import t from 'tap'
import { longestWorkMs, readServicesConfig, withEmbeddedServices } from '../single-node/src/config.ts'
import { readText, root } from '../testing/compose-file.ts'
import { graceOf } from '../testing/service-settings.ts'

const unit = 'deploy/systemd/platen.service'
const lines = readText(unit)
  .split('\n')
  .filter((line) => /^\w+=/.test(line))
const settings = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))

t.test('the unit lets Chromium make its sandbox, and Platen finish its work', async (t) => {
  t.equal(settings.get('RestrictNamespaces'), 'user pid net')
  t.match(settings.get('SystemCallFilter'), /\bchroot\b/)
  t.notOk(settings.has('MemoryDenyWriteExecute'), 'programs that compile JavaScript need memory that is both')
  t.equal(settings.get('User'), 'platen')
  t.match(settings.get('Environment'), `DATA_DIR=/var/lib/${settings.get('StateDirectory')}`)
})

t.test('a process that the kernel ends for lack of memory does not end the others', async (t) => {
  t.equal(settings.get('OOMPolicy'), 'continue')
})

t.test('systemd and Docker kill it only after the longest document and request of the default settings', async (t) => {
  const found = { natsUrl: 'nats://127.0.0.1', signingSecret: 's'.repeat(40) }
  const leastS = graceOf(longestWorkMs(readConfig(withEmbeddedServices({}, '/data', found), readServicesConfig)))
  t.ok(leastS > 60)
  t.ok(Number(settings.get('TimeoutStopSec')) >= leastS, `TimeoutStopSec is at least ${leastS}`)
  const [, stopS] = /docker stop -t (\d+)/.exec(readText('docs/operate/docker.md')) ?? []
  t.ok(Number(stopS) >= leastS, `docker stop -t is at least ${leastS}`)
})

const skip = spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'systemd-analyze is not installed'

t.test('systemd accepts the unit', { skip }, async (t) => {
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', join(root, unit)])
  // systemd-analyze also reports other units of the machine.
  t.notMatch(stderr, 'platen.service')
})
