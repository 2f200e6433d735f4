import { type Payload, script, type Targets } from './payload.ts'

const peer =
  (servers: (at: Targets) => string): Payload['html'] =>
  (at) =>
    script(`const peer = new RTCPeerConnection({ iceServers: [${servers(at)}] })
    peer.onicecandidate = ({ candidate }) => candidate && document.body.append(candidate.candidate)
    peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    new Image().src = 'data:,'; setTimeout(() => {}, 300)`)

/** Tries to reach another peer at `host:port`. */
function candidate(at: string): string {
  const [host, port] = at.split(':')
  return script(`const one = new RTCPeerConnection(), two = new RTCPeerConnection(); one.createDataChannel('x');
    (async () => {
      await one.setLocalDescription(await one.createOffer()); await two.setRemoteDescription(one.localDescription)
      await two.setLocalDescription(await two.createAnswer()); await one.setRemoteDescription(two.localDescription)
      await one.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 ${host} ${port} typ host', sdpMid: '0' })
    })()`)
}

const login = "username: 'a', credential: 'b'"

/** Documents that send, or could send, UDP datagrams. */
export const datagrams: Payload[] = [
  { name: 'rtc-stun', reaches: 'udp', html: peer(({ udp }) => `{ urls: 'stun:${udp}' }`) },
  { name: 'rtc-turn', reaches: 'udp', html: peer(({ udp }) => `{ urls: 'turn:${udp}', ${login} }`) },
  { name: 'rtc-turn-tcp', reaches: 'tcp', html: peer(({ tcp }) => `{ urls: 'turn:${tcp}?transport=tcp', ${login} }`) },
  { name: 'rtc-turns', reaches: 'tcp', html: peer(({ tcp }) => `{ urls: 'turns:${tcp}?transport=tcp', ${login} }`) },
  { name: 'rtc-stun-dns-port', reaches: 'none', html: peer(({ host }) => `{ urls: 'stun:${host}:53' }`) },
  { name: 'rtc-stun-name', reaches: 'none', html: peer(() => "{ urls: 'stun:stun.leak.test:3478' }") },
  {
    name: 'rtc-candidate',
    reaches: 'udp',
    html: ({ udp }) => candidate(udp),
  },
  // Names that end in `.local` are asked for by multicast.
  { name: 'rtc-mdns', reaches: 'none', html: () => candidate('7f1c2c5e-1c1c-4f0e-9a43-0d2e5b6a7c8d.local:9') },
  {
    name: 'rtc-in-frame',
    reaches: 'udp',
    html: (at) =>
      `<iframe srcdoc="${peer(({ udp }) => `{ urls: 'stun:${udp}' }`)(at).replaceAll('"', '&quot;')}"></iframe>`,
  },
]
