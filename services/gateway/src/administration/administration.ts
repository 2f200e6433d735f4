import { resource } from '../http/resource.ts'
import { type KeyRoutesOptions, keyRoutes } from './key-routes.ts'
import { type OwnerRoutesOptions, ownerRoutes } from './owner-routes.ts'

/** API keys and owners. */
export const administration = resource<KeyRoutesOptions & OwnerRoutesOptions>(
  'administration',
  async (app, options) => {
    app.register(keyRoutes, options)
    app.register(ownerRoutes, options)
  },
)
