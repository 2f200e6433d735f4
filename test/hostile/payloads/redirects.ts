import { type Payload, script } from './payload.ts'

const statuses = [301, 302, 303, 307, 308]

/** Hosts that no document may reach. The names change their address, or have one of several kinds of private addresses. */
const hosts = [
  '10.0.0.5',
  '127.0.0.1',
  '0.0.0.0',
  '2130706433',
  '0177.0.0.1',
  '[::]',
  '[::1]',
  '[::ffff:10.0.0.5]',
  '[fd77::2]',
  'localhost.',
  '169.254.169.254',
  'private.test',
  'rebind.test',
  'both.test',
  'mapped.test',
]

/** Documents with resources of an allowed host, whose answer leads to a private one by redirect, refresh or style sheet. */
export const redirects: Payload[] = hosts.map((host, index) => {
  const name = `redirects-${index}`
  return {
    name,
    html: ({ http, port }) => {
      const target = `http://${host}:${port}/${name}/private`
      const to = (status: number, file: string) =>
        `${http}/${status}?status=${status}&to=${encodeURIComponent(`${target}/${file}`)}`
      const each = (element: (status: number) => string) => statuses.map(element).join('')
      return `<style>${each((status) => `@import "${to(status, 'a.css')}";`)}
        @font-face { font-family: F; src: url("${to(302, 'a.woff2')}") } p { font-family: F; background: url("${to(307, 'a.svg')}") }</style>
        ${each((status) => `<img src="${to(status, 'a.svg')}"><iframe src="${to(status, 'a.html')}"></iframe>`)}
        <iframe srcdoc="<meta http-equiv=refresh content='0;url=${to(301, 'a.html')}'>"></iframe>
        <iframe src="${http}/refresh.html?refresh=${encodeURIComponent(`${target}/a.html`)}"></iframe>
        <object data="${to(308, 'a.svg')}"></object><video poster="${to(303, 'a.svg')}" src="${to(301, 'a.mp4')}"></video>
        ${script(`for (const url of [${statuses.map((status) => JSON.stringify(to(status, 'a.txt'))).join()}])
          fetch(url).then(show).catch(() => {})
          try { new Worker(URL.createObjectURL(new Blob(['importScripts(' + JSON.stringify('${to(302, 'a.js')}') + ')']))) } catch {}`)}`
    },
  }
})

/** Paths of a canary that redirect to the host, with each status. */
export function redirectsTo(host: string): string[] {
  const to = encodeURIComponent(`http://${host}/private`)
  return statuses.map((status) => `/${status}?status=${status}&to=${to}`)
}
