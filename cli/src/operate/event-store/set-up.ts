import { randomBytes, randomUUID } from 'node:crypto'
import { defaultAcl, type ServiceUser } from '@platen/event-store/adapters/eventstoredb/service-rights.ts'
import { readEventStoreDbUrl } from '@platen/event-store/adapters/eventstoredb/url.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { storeSettings } from '@platen/service-kit/host/backing-services.ts'
import { defineCommand } from '../../frame/command.ts'
import { UsageError } from '../../frame/options.ts'
import { lineOf } from '../streams/set-up.ts'

export const setUpEventStore = defineCommand({
  name: 'eventstore setup',
  summary: 'create the user and the rights that the services need on EventStoreDB',
  options: {
    user: { value: 'NAME', about: 'the user of the services', default: 'platen' },
    projections: { about: 'also enables the standard projections, which are for other applications' },
    'dry-run': { about: 'says what would be changed on the server, and changes nothing' },
    print: {
      about: 'prints the requests instead of making them, for a server without custom users and access control lists',
    },
  },
  notes: ['EVENT_STORE_URL is that of an administrator.', 'The password of a new user is random, and printed'],
  async run({ env, print, note }, values) {
    if (!/^[\w.-]{1,64}$/.test(values.user))
      throw new UsageError('--user must be a name of letters, digits, ".", "-" and "_"')
    const { url } = readConfig(env, (settings) => settings.read({ url: storeSettings.eventStoreUrl }))
    const user = { name: values.user, password: randomBytes(18).toString('base64url') }
    const { projections, 'dry-run': dryRun, json } = values
    if (values.print && dryRun) throw new UsageError('--print and --dry-run exclude each other')
    if (values.print && json) throw new UsageError('--print and --json exclude each other')
    if (values.print) {
      for (const line of requests(url, user, projections)) print(line)
      note('The last event of a stream is in force: add the users and rights that your $all and $settings have.')
      return
    }
    // The client of the database is slow to load, and other commands do not need it.
    const { setUpEventStoreDb } = await import('@platen/event-store/adapters/eventstoredb/set-up.ts')
    let isNew = false
    for await (const { what, change } of setUpEventStoreDb(url, user, { projections, dryRun })) {
      print(json ? JSON.stringify({ what, change, ...(dryRun && { dry_run: true }) }) : lineOf(what, change, dryRun))
      isNew ||= what.startsWith('user ') && change === 'created'
    }
    if (isNew && !dryRun)
      print(json ? JSON.stringify({ user: user.name, password: user.password }) : `password   ${user.password}`)
  },
})

/**
 * The same changes as HTTP requests. Requests that write to streams need AtomPub over HTTP, which is off by default.
 */
function* requests(url: string, { name, password }: ServiceUser, projections: boolean): Generator<string> {
  const { nodes, tls } = readEventStoreDbUrl(url)
  const [{ host, port } = { host: '', port: 0 }] = nodes
  const curl = (path: string, type: string, body: unknown) =>
    `curl -u admin ${tls ? 'https' : 'http'}://${host}:${port}${path} -H 'content-type: ${type}' -d '${JSON.stringify(body)}'`
  const events = 'application/vnd.eventstore.events+json'
  const event = (eventType: string, data: unknown) => [{ eventId: randomUUID(), eventType, data }]
  const acl = { $acl: { $r: [name, '$admins'] } }
  yield curl('/users', 'application/json', { loginName: name, fullName: 'Platen', password, groups: [] })
  yield curl('/streams/%24all/metadata', events, event('$metadata', acl))
  yield curl('/streams/%24settings', events, event('update-default-acl', defaultAcl(name)))
  for (const projection of projections ? ['by_category', 'by_event_type', 'by_correlation_id'] : [])
    yield curl(`/projection/%24${projection}/command/enable`, 'application/json', {})
}
