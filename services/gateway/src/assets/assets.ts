import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { resource } from '../http/resource.ts'
import { type AssetContentRoutesOptions, assetContentRoutes } from './asset-content-routes.ts'
import { type AssetRoutesOptions, assetRoutes } from './asset-routes.ts'

export interface AssetsOptions
  extends Omit<AssetRoutesOptions, 'libraries'>,
    Omit<AssetContentRoutesOptions, 'libraries'> {
  reader: StreamReader
}

/** Pictures, fonts and style sheets. */
export const assets = resource<AssetsOptions>('assets', async (app, { reader, ...options }) => {
  const libraries = new AssetLibraries(reader)
  app.register(assetRoutes, { ...options, libraries })
  app.register(assetContentRoutes, { ...options, libraries })
})
