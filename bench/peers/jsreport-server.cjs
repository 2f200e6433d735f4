// Run in the folder of jsreport: `node jsreport-server.cjs <port> <chromium> <browsers>`. Prints a line when it is ready.
const { createRequire } = require('node:module')
const { join } = require('node:path')

const [port, executablePath, browsers] = process.argv.slice(2)
const jsreport = createRequire(join(process.cwd(), 'package.json'))('jsreport')

const server = jsreport({
  httpPort: Number(port),
  loadConfig: false,
  store: { provider: 'memory' },
  blobStorage: { provider: 'memory' },
  logger: { silent: true },
  reportTimeout: 60_000,
  workers: { numberOfWorkers: Number(browsers) },
  extensions: {
    studio: { enabled: false },
    'chrome-pdf': {
      // The fastest strategy: browsers are kept running.
      strategy: 'chrome-pool',
      numberOfWorkers: Number(browsers),
      launchOptions: { executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : [] },
    },
  },
})
server.init().then(() => process.stdout.write('ready\n'))
process.stdin.on('end', () => process.exit()).resume()
