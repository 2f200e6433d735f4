import { isIP } from 'node:net'
import type { TextForm } from './setting.ts'

/** The URL at which clients reach the gateway. */
export const publicUrlForm: TextForm = {
  pattern: {
    test: (url: string) => /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(url) && URL.canParse(url),
  },
  hint: 'the URL of the gateway for clients, such as https://pdf.example.com',
  right: ['https://pdf.example.com', 'http://127.0.0.1:3000/', 'https://example.com/pdf'],
  wrong: [
    ...['pdf.example.com', 'ftp://a', 'http://', 'http://a:99999', 'https://a b', '"https://a"', 'https://u:p@a'],
    'https://a?b',
  ],
}

/** An address of this machine. */
export const hostToListenOnForm: TextForm = {
  pattern: { test: (host: string) => isIP(host) !== 0 || /^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(host) },
  hint: 'an IP address of this machine, or its name, without a scheme and a port',
  right: ['127.0.0.1', '0.0.0.0', '::', 'localhost', 'pdf_1.example.com'],
  wrong: ['http://127.0.0.1', '127.0.0.1:3000', 'a b', '300.1.2.3', '::g', '"127.0.0.1"', '[::1]'],
}
