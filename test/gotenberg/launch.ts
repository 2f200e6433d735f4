import { once } from 'node:events'
import { freePorts } from '@platen/test-support/free-port.ts'
import { startPlaten } from '@platen/test-support/platen.ts'
import { settingsOf } from './settings-of.ts'

const mapped = settingsOf(JSON.parse(process.env.GOTENBERG_ENV ?? '{}'))
if ('problem' in mapped) {
  process.stderr.write(`${mapped.problem}\n`)
  process.exit(3)
}
const stopping = once(process, 'SIGTERM')
const [port] = await freePorts(1)
{
  await using _platen = await startPlaten({
    DOCS: 'off',
    STUDIO: 'off',
    GOTENBERG_PORT: String(port),
    ...mapped.settings,
  })
  process.stdout.write(`http://127.0.0.1:${port}\n`)
  await stopping
}
process.exit(0)
