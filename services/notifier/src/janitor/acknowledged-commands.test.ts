import { commandSubjects, consumers } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { withAcknowledged } from '@platen/test-support/acknowledged-commands.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { acknowledgedCommands } from './acknowledged-commands.ts'
import { removeLeftovers } from './remove-leftovers.ts'

t.test(
  'commands of every kind that were acknowledged are removed, and those of generations without an end are left',
  async (t) => {
    await using temporary = await openTemporaryStore()
    const { store } = temporary
    const [ended, lost] = [newId('pdf'), newId('pdf')]
    const event = (type: string) => ({
      id: crypto.randomUUID(),
      type,
      data: { owner_id: 'own_1', api_key_id: 'key_1' },
    })
    await store.append(`generation-${ended}`, [event('GenerationRequested'), event('GenerationCancelled')], 'none')
    const render = (id: string) => commandSubjects.render('batch', 'own_1', id)
    const commands = [
      { consumer: consumers.template, subject: commandSubjects.template(newId('tpl')), payload: 'template' },
      { consumer: consumers.cancel, subject: commandSubjects.cancel(ended), payload: 'cancel' },
      { consumer: consumers.delivery, subject: commandSubjects.delivery(newId('msg')), payload: 'delivery' },
      { consumer: consumers.batch, subject: render(ended), payload: 'ended' },
      { consumer: consumers.batch, subject: render(lost), payload: 'lost' },
    ]
    await withAcknowledged(commands, async (bus) => {
      const left = async () => (await bus.jsm.streams.info('COMMANDS', { subjects_filter: '>' })).state.subjects
      t.equal(Object.keys((await left()) ?? {}).length, 5)
      await bus.js.publish(commandSubjects.template('tpl_waiting'), 'waiting')
      const { removed } = await removeLeftovers(acknowledgedCommands({ bus, store }))
      t.strictSame(removed, { handledCommand: 4 })
      t.strictSame(await left(), { [render(lost)]: 1, [commandSubjects.template('tpl_waiting')]: 1 })
    })
  },
)
