import { matchesGlob } from 'node:path'

/** Tests that take long, or that need more than a clean machine has. `npm test` runs all other test files. */
export interface Suite {
  name: string
  what: string
  /** On two cores. */
  minutes: number
  /** Globs of test files from the root of the repository. */
  files: readonly string[]
  /** Files of other suites, which do more where the lab has what they need. */
  also?: readonly string[]
  /** What a clean machine has not. */
  needs?: string
}

/** `npm run test:system`: the long tests that a clean machine can run. */
export const systemSuites: readonly Suite[] = [
  {
    name: 'faults',
    what: 'processes, stores and connections are killed, suspended and cut while documents are made',
    minutes: 20,
    files: [
      'test/faults/!(short-run).test.ts',
      'test/faults/harness/**',
      'test/processes/{kills,embedded-engines,frozen-engines,production-engines,nats-cluster}.test.ts',
      'shared/domain/src/streams/cluster.test.ts',
      'shared/event-store/src/adapters/eventstoredb/{faults,cluster}.test.ts',
      'services/{gateway,notifier}/src/faults.test.ts',
      'deploy/single-node/src/nats/nats-faults.test.ts',
      'shared/object-store/src/adapters/s3/faults.test.ts',
    ],
  },
  {
    name: 'models',
    what: 'schedules of the protocols with a crash at each step',
    minutes: 2,
    files: [
      'test/models/**',
      'services/notifier/src/handlers/attempt-interleavings.test.ts',
      'shared/event-store/src/archive/archive-interleaved.test.ts',
    ],
  },
  {
    name: 'hostile',
    what: 'documents and requests that attack',
    minutes: 6,
    files: [
      'test/hostile/**',
      'services/gateway/src/http/any-request.test.ts',
      'services/renderer/src/print/hostile-names.test.ts',
      'shared/pdf-tools/src/run/hostile-pdfs.test.ts',
    ],
  },
  { name: 'fidelity', what: 'documents as Chromium prints them', minutes: 3, files: ['test/fidelity/**'] },
  {
    name: 'documents',
    what: 'documents of thousands of pages and rows, and long measurements of the renderer',
    minutes: 5,
    files: [
      'services/renderer/src/print/{printing-long-tables{,.large},printing-warnings,printer-faults,resting-browser,warm-start}.test.ts',
      'services/renderer/src/chromium/pool/processor-time.test.ts',
      'shared/pdf-tools/src/pdf-tools.test.ts',
    ],
  },
  {
    name: 'studio',
    what: 'each page of the studio in Chromium',
    minutes: 8,
    files: ['test/studio/!(main-acts|bundle|error-guide).test.ts'],
  },
  {
    name: 'operate',
    what: 'all verbs of the command line, and backups that are killed, interrupted and restored',
    minutes: 6,
    files: [
      'cli/src/all-verbs.test.ts',
      'cli/src/operate/backup/{drill,interrupted,killed,lost-objects,s3}.test.ts',
      'cli/src/operate/archive/remove-killed.test.ts',
      'deploy/docker/rotate-nats-password.test.ts',
      'shared/event-store/src/archive/{remove-events,remove-interrupted}.test.ts',
      'test/processes/{commands-of-processes,status}.test.ts',
    ],
  },
  {
    name: 'docs',
    what: 'the site, and each command and program of the documentation',
    minutes: 10,
    files: ['test/docs/{site,commands,guide-examples,openapi-compatibility}.test.ts'],
  },
  {
    name: 'features',
    what: 'features that take long, or that need a Platen of their own',
    minutes: 4,
    files: [
      'test/features/{authentication,client,erased-inputs,metrics,traces,examples,own-helpers,nats-cardinality,npm-assets,import-jsreport,partials}.test.ts',
      'test/settings/{starts,waiting,times}.test.ts',
    ],
  },
  { name: 'upgrade', what: 'data and processes of earlier releases', minutes: 3, files: ['test/upgrades/**'] },
  {
    name: 'setup',
    what: 'each script of package.json in a fresh clone, and the files of a release',
    minutes: 8,
    files: [
      'test/setup/**',
      'scripts/release/build-release.test.ts',
      'scripts/dependencies/audit.test.ts',
      'clients/typescript/pack.test.ts',
      'bench/help.test.ts',
    ],
  },
  {
    name: 'scale',
    what: 'large logs, snapshots and views',
    minutes: 2,
    files: [
      'bench/{replay/replay,rendering/failures}.test.ts',
      'services/renderer/src/admission.test.ts',
      'shared/event-store/src/snapshot.test.ts',
      'shared/domain/src/long-streams.test.ts',
      'services/gateway/src/http/event-loop.test.ts',
      'services/gateway/src/views/snapshots/{snapshots,outages,repairs,replace-older-views,unflushed}.test.ts',
    ],
  },
]

/** `npm run test:lab`: tests that need more than a clean machine has. */
export const labSuites: readonly Suite[] = [
  {
    name: 'clients',
    what: 'the clients, samples and receivers of webhooks in each language',
    minutes: 5,
    files: ['test/clients/**', 'test/docs/{samples,webhook-examples,ci-examples,generated-clients}.test.ts'],
    needs: 'Go, Python, PHP or Ruby',
  },
  {
    name: 'generators',
    what: 'clients that generators of other languages make',
    minutes: 30,
    files: ['test/generators/**'],
    needs: 'Go, Java, Python or Rust',
  },
  {
    name: 'images',
    what: 'the images are built and run',
    minutes: 15,
    files: ['deploy/docker/engine.test.ts'],
    needs: 'a Docker engine',
  },
  {
    name: 'cluster',
    what: 'the chart as helm renders it',
    minutes: 4,
    files: ['deploy/helm/chart.test.ts'],
    needs: 'Go for helm',
  },
  {
    name: 'stores',
    what: 'the suites of the ports on real servers',
    minutes: 2,
    files: [],
    also: [
      'shared/event-store/src/adapters/eventstoredb/store.test.ts',
      'shared/object-store/src/adapters/s3/store.test.ts',
    ],
    needs: 'ESDB_TEST_URL, S3_TEST_URL',
  },
  {
    name: 'judges',
    what: 'PDFs as veraPDF judges them, workflows as actionlint does, and public clients of Gotenberg',
    minutes: 5,
    files: ['test/gotenberg/**', 'test/docs/actionlint.test.ts'],
    also: ['test/features/{pdf-standards,pdf-tools,pdf-forms}.test.ts'],
    needs: 'VERAPDF_JAR with Java; Go',
  },
]

/** The name of the tests that `npm test` runs. */
export const mainSuite = 'test'

export function suiteOf(file: string): string {
  return [...systemSuites, ...labSuites].find(({ files }) => matches(file, files))?.name ?? mainSuite
}

export function isIn(file: string, { files, also = [] }: Suite): boolean {
  return matches(file, files) || matches(file, also)
}

/** Tests that count what their process does. */
const measuring = ['shared/service-kit/src/host/collect-at-rest.test.ts']

/** Long tests have a process of their own, too: they kill servers, and measure and fill their process. */
export const isAlone = (file: string) => suiteOf(file) !== mainSuite || matches(file, measuring)

/** Tests that run several systems, with clients that send as much as they answer. */
const heavy = ['test/faults/{batch,cluster}.test.ts', 'test/faults/harness/harness.test.ts']

export const isHeavy = (file: string) => matches(file, heavy)

const matches = (file: string, globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob))
