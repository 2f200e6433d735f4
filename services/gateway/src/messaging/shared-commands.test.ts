import t from 'tap'
import type { CommandClient, RequestedCommand } from './command-client.ts'
import { sharedCommands } from './shared-commands.ts'

/** Answers when it is told to. */
function givenClient() {
  const sent: PromiseWithResolvers<unknown>[] = []
  const client: CommandClient = {
    execute<Result>() {
      const answer = Promise.withResolvers<unknown>()
      sent.push(answer)
      return answer.promise as Promise<Result>
    },
  }
  const command = (id: string): RequestedCommand => ({
    subject: 'commands.template.x',
    command: { type: 'Test', data: {}, metadata: { id, time: '', correlation_id: '1' } },
  })
  return { sent, shared: sharedCommands(client), command }
}

t.test('a command is sent once while it is executed, and again afterwards', async (t) => {
  const { sent, shared, command } = givenClient()
  const equal = Array.from({ length: 3 }, () => shared.execute(command('1')))
  const other = shared.execute(command('2'))
  t.equal(sent.length, 2)
  sent[0]?.resolve('one')
  sent[1]?.resolve('two')
  t.same(await Promise.all([...equal, other]), ['one', 'one', 'one', 'two'])
  const again = shared.execute(command('1'))
  t.equal(sent.length, 3)
  sent[2]?.resolve('later')
  t.equal(await again, 'later')
})

t.test('a refusal is that of all, and the next request sends the command again', async (t) => {
  const { sent, shared, command } = givenClient()
  const equal = [shared.execute(command('1')), shared.execute(command('1'))]
  sent[0]?.reject(new Error('refused'))
  for (const { status } of await Promise.allSettled(equal)) t.equal(status, 'rejected')
  const again = shared.execute(command('1'))
  sent[1]?.resolve('done')
  t.equal(await again, 'done')
})
