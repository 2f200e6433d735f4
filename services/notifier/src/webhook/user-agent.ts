import manifest from '../../../../package.json' with { type: 'json' }

export const userAgent = `Platen/${manifest.version} (+webhooks)`
