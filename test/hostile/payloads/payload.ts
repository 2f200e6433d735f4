/** Where the canaries of one payload listen. Every address names the payload in its path, so that a hit tells whose it is. */
export interface Targets {
  /** An IPv4 address, as everybody writes it. */
  host: string
  port: number
  /** `http://host:port/<payload>`; the canary answers in the type that a path's ending names, the secret in it. */
  http: string
  https: string
  ws: string
  wss: string
  /** `host:port` */
  tcp: string
  udp: string
  /** A folder of this machine, absolute, with the secret in files of several types. */
  files: string
}

/** A document that tries to reach a canary or to show a secret. */
export interface Payload {
  name: string
  html: (at: Targets) => string
  headerHtml?: (at: Targets) => string
  footerHtml?: (at: Targets) => string
  /**
   * Which canary hears of it when Chromium runs without any wall (`http` unless said): what proves that the payload
   * works. `none`: Chromium itself refuses, as of the version this was written with; it stays, versions change.
   */
  reaches?: 'http' | 'tcp' | 'udp' | 'none'
}

export const script = (code: string) =>
  `<p>x</p><script>
  const show = (answer) => answer.text().then((text) => document.body.append(text))
  ${code}
  </script>`

/** A document that nothing in it waits for: it may be printed at once. */
export const worker = (code: string) => `new Worker(URL.createObjectURL(new Blob([\`${code}\`])))`
