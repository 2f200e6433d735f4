import { subscriberInboxPrefix, subscriberUser } from '@platen/domain/streams/subscriber-account.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { optional } from '@platen/foundation/settings/setting.ts'
import { natsSettings } from '@platen/messaging/connection/nats-options.ts'
import { embeddedNatsPath, embeddedNatsUrl, readEmbeddedNats } from '@platen/service-kit/host/embedded-nats.ts'
import { defineCommand, readDataDir } from '../../frame/command.ts'

export const natsUrl = defineCommand({
  name: 'nats-url',
  summary: 'print the URL, with its password, for subscribers of the nats-server that `npm start` runs',
  async run({ env, print }, { json }) {
    const { dataDir, natsUrl } = readConfig(env, (settings) => ({
      dataDir: readDataDir(settings),
      natsUrl: settings.read({ url: optional(natsSettings.url) }).url,
    }))
    if (natsUrl !== undefined) {
      throw new Error('NATS_URL is set, so `npm start` runs no nats-server; use an account of your NATS server')
    }
    const nats = await readEmbeddedNats(dataDir)
    if (!nats) throw new Error(`${embeddedNatsPath(dataDir)} has no password for subscribers; run \`npm start\` first`)
    const url = new URL(embeddedNatsUrl(nats.port))
    const server = url.href
    const { subscriber: password } = nats.passwords
    url.username = subscriberUser
    url.password = password
    print(
      json
        ? JSON.stringify({ url: url.href, server, user: subscriberUser, password, inbox_prefix: subscriberInboxPrefix })
        : url.href,
    )
  },
})
