import { isIP } from 'node:net'

/** What settings of more than one service may be, for a `SettingsReader`. */

/** The URL at which clients reach the gateway. */
export const publicUrl = {
  pattern: {
    test: (url: string) => /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(url) && URL.canParse(url),
  },
  hint: 'the URL of the gateway for clients, such as https://pdf.example.com',
}

/** An address of this machine. */
export const hostToListenOn = {
  pattern: { test: (host: string) => isIP(host) !== 0 || /^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(host) },
  hint: 'an IP address of this machine, or its name, without a scheme and a port',
}
