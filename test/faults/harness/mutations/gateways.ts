import { noBrowser } from '../nemesis.ts'
import type { Mutation } from './mutation.ts'

const lateTemplate = 'the views of the gateways are late with a changed template'
const lateView = 'the views of the gateways are late with a rotated key'

export const gateways: readonly Mutation[] = [
  {
    guard: 'a gateway reads the events that its view lacks',
    file: 'services/gateway/src/views/current-records.ts',
    find: 'return await newest({ store, stream: stream(id), fold }, viewed)',
    replace: 'return viewed',
    faults: [lateTemplate, lateTemplate],
    test: 'services/gateway/src/templates/current-templates.test.ts',
    invariant: 'I3',
  },
  {
    guard: 'a gateway that stops accepts the connections that wait',
    file: 'services/gateway/src/http/plugins/shutdown.ts',
    find: 'before = -1; accepted > before &&',
    replace: 'before = -1; accepted < before &&',
    faults: [],
    test: 'services/gateway/src/http/plugins/shutdown.test.ts',
    invariant: 'test',
  },
  {
    guard: 'a gateway that stops serves an open connection once more',
    file: 'services/gateway/src/http/plugins/shutdown.ts',
    find: 'if (open.size > 0) await Promise.race(',
    replace: 'if (open.size < 0) await Promise.race(',
    faults: [],
    test: 'services/gateway/src/http/plugins/shutdown.test.ts',
    invariant: 'test',
  },
  {
    guard: 'a view goes on where it stopped',
    file: 'shared/service-kit/src/projections/run-projection.ts',
    find: "after: view.checkpoint() ?? 'start'",
    replace: "after: view.checkpoint() === undefined ? 'start' : 'end'",
    faults: ['a gateway is killed before it publishes a command', 'a rolling restart'],
    test: 'shared/service-kit/src/projections/run-projection.test.ts',
    invariant: 'I9',
  },
  {
    guard: 'a list goes on behind the queued generations that one request looks at',
    file: 'services/gateway/src/generations/list-generations.ts',
    find: 'all.length > looked.length && items.length <= limit ? looked.at(-1)?.[0] : undefined',
    replace: 'undefined as string | undefined',
    faults: ['more generations are queued than a list looks at'],
    test: 'services/gateway/src/generations/list-generations.test.ts',
    invariant: 'I3',
    says: 'the list of metadata.batch=first',
  },
  {
    guard: 'the items of a recorded batch are kept when others are discarded',
    file: 'services/gateway/src/batches/create-batch.ts',
    find: 'if (state.batch.input.name !== input.name)',
    replace: 'if (state.batch.input.name === input.name)',
    faults: [],
    invariant: 'I8',
    says: 'part 0 is gone',
  },
  {
    guard: 'a rotated key is answered with its secret, also if the views are late',
    file: 'services/gateway/src/views/shown-in-time.ts',
    find: 'return false',
    replace: 'throw err',
    faults: [lateView, lateView],
    test: 'services/gateway/src/administration/late-answers.test.ts',
    invariant: 'I7',
    says: 'its secret is lost',
  },
  {
    guard: 'a preview is sent again for four seconds while no renderer has a browser',
    file: 'services/renderer/src/start.ts',
    find: 'const previews = printer.untilReady(stopping).then(',
    replace: 'const previews = Promise.resolve().then(',
    also: [
      {
        file: 'services/gateway/src/previews/preview-client.ts',
        find: 'if (failure && released) throw new Released(failure.code, failure.message)',
        replace: '',
      },
    ],
    faults: [noBrowser, noBrowser],
    test: 'services/gateway/src/previews/preview-client.test.ts',
    invariant: 'I10',
    says: 'not tried again',
  },
  {
    guard: 'a preview that is lost with a connection or a renderer is sent again',
    file: 'services/gateway/src/previews/preview-client.ts',
    find: '}, previewSigns.lostAfterMs)',
    replace: '}, 20 * previewSigns.lostAfterMs)',
    faults: [],
    test: 'services/gateway/src/previews/preview-client.test.ts',
    invariant: 'test',
  },
]
