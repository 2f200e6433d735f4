import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { resource } from '../http/resource.ts'
import { type AssetContentRoutesOptions, assetContentRoutes } from './asset-content-routes.ts'
import { type AssetRoutesOptions, assetRoutes } from './asset-routes.ts'

export interface AssetsOptions
  extends Omit<AssetRoutesOptions, 'libraries'>,
    Omit<AssetContentRoutesOptions, 'libraries'> {}

/** Pictures, fonts and style sheets. */
export const assets = resource<AssetsOptions>('assets', async (app, options) => {
  const libraries = new AssetLibraries(options.reader)
  app.register(assetRoutes, { ...options, libraries })
  app.register(assetContentRoutes, { ...options, libraries })
})
