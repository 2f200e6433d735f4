/**
 * Addresses of the canaries. The paths of URLs contain the name of the payload, so that a hit can be assigned to it.
 */
export interface Targets {
  /** An IPv4 address in the usual notation. */
  host: string
  port: number
  /** `http://host:port/<payload>`. The canary answers with the secret, in the content type of the path's extension. */
  http: string
  https: string
  ws: string
  wss: string
  /** `host:port` */
  tcp: string
  udp: string
  /** The absolute path of a folder with the secret in files of several types. */
  files: string
}

/** A document that tries to reach a canary or to show a secret. */
export interface Payload {
  name: string
  html: (at: Targets) => string
  headerHtml?: (at: Targets) => string
  footerHtml?: (at: Targets) => string
  /**
   * The canary that receives a request in a Chromium without protection, to prove that the payload works (default `http`).
   * `none`: the current Chromium itself refuses the request. Other versions may not.
   */
  reaches?: 'http' | 'tcp' | 'udp' | 'none'
}

export const script = (code: string) =>
  `<p>x</p><script>
  const show = (answer) => answer.text().then((text) => document.body.append(text))
  ${code}
  </script>`

/** Starts a worker, which the document does not wait for. */
export const worker = (code: string) => `new Worker(URL.createObjectURL(new Blob([\`${code}\`])))`
