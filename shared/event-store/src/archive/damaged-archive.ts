/** An archive is not what its manifests say. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}
