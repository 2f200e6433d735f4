import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'

// Chromium asks the local network for names under `.local` (RFC 6762), by a way of its own beside the proxy.
const group = '224.0.0.251'
const port = 5353

t.test('a document sends no multicast DNS query', async (t) => {
  const received: string[] = []
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  t.teardown(() => socket.close())
  socket.on('message', (query) => received.push(query.toString('latin1')))
  socket.bind(port)
  await once(socket, 'listening')
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    if (family === 'IPv4') socket.addMembership(group, address)
  }
  const control = createSocket('udp4')
  control.send('control', port, group, () => control.close())
  await delay(200)
  if (!received.splice(0).includes('control')) return t.pass('multicast datagrams do not arrive on this machine')

  const html = `<img src="http://asked-by-image.local/"><p>x</p><script type=module>
    const one = new RTCPeerConnection(), two = new RTCPeerConnection()
    one.createDataChannel('x')
    await one.setLocalDescription(await one.createOffer())
    await two.setRemoteDescription(one.localDescription)
    await two.setLocalDescription(await two.createAnswer())
    await one.setRemoteDescription(two.localDescription)
    const candidate = 'candidate:1 1 udp 2122260223 asked-by-peer.local 9 typ host'
    await one.addIceCandidate({ candidate, sdpMid: '0' })
    document.body.append('added')
    setTimeout(() => {}, 500)
  </script>`
  for (const egress of ['none', 'any'] as const) {
    await using printer = await openTestPrinter({ egress, slots: 1 })
    t.equal((await printer.printHtml(html)).pages, 1)
    t.strictSame(
      received.filter((query) => query.includes('asked-by')),
      [],
      egress,
    )
  }
})
