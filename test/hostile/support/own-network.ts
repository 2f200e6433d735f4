import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReceivedTraffic } from './outside.ts'

/** Runs a command in its own network and mount namespaces. */
export const unshare = ['unshare', '--net', '--mount'] as const

/** Why namespaces cannot be used on this machine; undefined if they can. */
export function namespacesMissing(): string | undefined {
  const [command, ...args] = unshare
  const tried = spawnSync(command, [
    ...args,
    'sh',
    '-c',
    'ip link add name inner type veth peer name outer && ip link set lo up',
  ])
  if (tried.error) return 'needs unshare (util-linux) and ip (iproute2)'
  return tried.status === 0 ? undefined : `needs root and network namespaces: ${String(tried.stderr).trim()}`
}

/** A public address of the machine inside the namespace, like that of a server on the internet. */
export const ownPublic = '93.184.216.35'

export interface OwnNetwork extends AsyncDisposable {
  received(): Promise<ReceivedTraffic>
}

const ip = (line: string) => execFileSync('ip', line.split(' '))

/** Must run in its own namespace. Starts the outside process and links this namespace to it. */
export async function openOwnNetwork(): Promise<OwnNetwork> {
  await using resources = new AsyncDisposableStack()
  ip('link set lo up')
  const outside = spawn('unshare', ['--net', process.execPath, join(import.meta.dirname, 'outside.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  resources.defer(() => void outside.kill('SIGKILL'))
  await once(outside, 'spawn')
  await inOtherNamespace(outside.pid ?? 0)
  ip('link add name inner type veth peer name outer')
  ip(`link set outer netns ${outside.pid}`)
  outside.send('begin')
  await once(outside, 'message')
  ip('addr add 10.77.0.2/24 dev inner')
  ip(`addr add ${ownPublic}/32 dev inner`)
  ip('-6 addr add fd77::2/64 dev inner nodad')
  ip('link set inner up')
  ip('route add default via 10.77.0.1')
  ip('-6 route add default via fd77::1')
  resources.use(await useNameServer('10.77.0.1'))
  return Object.assign(resources.move(), {
    async received() {
      outside.send('report')
      const [traffic] = await once(outside, 'message')
      return traffic as ReceivedTraffic
    },
  })
}

/** Waits until unshare has moved the process into its namespace. */
async function inOtherNamespace(pid: number): Promise<void> {
  const of = (id: string) => spawnSync('readlink', [`/proc/${id}/ns/net`], { encoding: 'utf8' }).stdout
  while (of(String(pid)) === of('self')) await new Promise((resolve) => setTimeout(resolve, 10))
}

async function useNameServer(host: string): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-hostile-'))
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${host}\noptions timeout:1 attempts:1\n`)
  execFileSync('mount', ['--bind', join(folder, 'resolv.conf'), '/etc/resolv.conf'])
  return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
