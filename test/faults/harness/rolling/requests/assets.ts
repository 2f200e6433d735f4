import { createHash } from 'node:crypto'
import type { Client } from '../../client.ts'
import type { Seeded } from '../../seeded.ts'
import type { RequestKind } from '../mix.ts'
import { reading } from './reading.ts'

const svg = (text: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${text}--></svg>`)

/** Assets of three names, some of whose contents are uploaded again and again. */
export function assetRequests(client: Client): RequestKind[] {
  const { gateways, seed } = client
  const names = ['logo', 'seal', 'stamp'].map((name) => `rolling-${name}-${seed}.svg`)
  let uploads = 0

  const put = async (random: Seeded) => {
    const name = random.pick(names)
    const bytes = svg(random.fraction() < 0.3 ? `one of ${random.between(1, 3)}` : `${uploads++} of ${seed}`)
    await client.write(random.pick(gateways), {
      operation: 'putAsset',
      path: `/v1/assets/${name}`,
      method: 'PUT',
      body: bytes,
      expected: [200, 201],
      headers: { 'content-type': 'image/svg+xml' },
      subject: name,
      sent: { sha256: createHash('sha256').update(bytes).digest('hex') },
    })
  }
  const remove = async (random: Seeded) => {
    const name = random.pick(names)
    await client.write(random.pick(gateways), {
      operation: 'deleteAsset',
      path: `/v1/assets/${name}?force=true`,
      method: 'DELETE',
      expected: [204, 404],
      subject: name,
    })
  }
  // Others delete it meanwhile.
  const get = reading(client, { pick: (random) => random.pick(names), expected: [200, 404] })

  return [
    { operation: 'putAsset', share: 1.5, send: put },
    { operation: 'deleteAsset', share: 0.3, send: remove },
    get('getAsset', 1, (name) => `/v1/assets/${name}`),
    get('getAssetContent', 4, (name) => `/v1/assets/${name}/content`),
    get('listAssets', 0.5, () => '/v1/assets'),
    get('listAssetVersions', 0.4, (name) => `/v1/assets/${name}/versions`),
    get('getAssetUsage', 0.4, (name) => `/v1/assets/${name}/usage`),
  ]
}
