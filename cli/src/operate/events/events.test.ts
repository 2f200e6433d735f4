import type { StoredEvent } from '@platen/event-store/event-store.ts'
import t from 'tap'
import type { CommandContext } from '../../frame/command.ts'
import { stream } from './events.ts'

t.test('a stream is printed while it is read: a template with many large versions is not held in memory', async (t) => {
  const printed: string[] = []
  const read = async (args: string[]) => {
    printed.length = 0
    let held = 0
    const eventAt = (revision: number) => ({
      stream: 'template-a',
      revision,
      id: `e${revision}`,
      type: 'TemplateUpdated',
      position: `${revision}`,
      metadata: {},
      data: {},
      recordedAt: new Date(Date.UTC(2026, 0, 1, 0, revision)),
    })
    const store = {
      identity: async () => 'a',
      async *readStream() {
        for (let revision = 0; revision < 5; revision++) {
          yield eventAt(revision) as unknown as StoredEvent
          held = Math.max(held, revision + 1 - printed.length)
        }
      },
    }
    const context = { openLog: async () => store, env: {}, print: (line: string) => void printed.push(line) }
    await stream.run({ ...context, signal: new AbortController().signal } as unknown as CommandContext, [
      'template-a',
      ...args,
    ])
    return { held, revisions: printed.map((line) => JSON.parse(line).revision) }
  }
  t.same(await read([]), { held: 0, revisions: [0, 1, 2, 3, 4] })
  t.match(await read(['--last', '2']), { revisions: [3, 4] })
  const range = ['--since', '2026-01-01T00:01:00Z', '--until', '2026-01-01T00:04:00Z']
  t.match(await read(range), { revisions: [1, 2, 3] })
  t.match(await read([...range, '--last', '1']), { revisions: [3] })
})
