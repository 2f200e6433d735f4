/** A component of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/#components). */
export interface Component {
  type: 'container' | 'library'
  'bom-ref': string
  group?: string
  name: string
  version?: string
  purl?: string
  hashes?: { alg: 'SHA-512'; content: string }[]
  licenses?: ({ expression: string } | { license: { id: string } })[]
}

interface NpmPackage {
  name: string
  version: string
  /** An SPDX expression, or empty. */
  licence: string
  /** `sha512-<base64>`, as in the lockfile. */
  integrity?: string | undefined
}

export function npmComponent({ name, version, licence, integrity }: NpmPackage): Component {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = purlOf(name, version)
  const [algorithm, hash = ''] = integrity?.split('-') ?? []
  const content = Buffer.from(hash, 'base64').toString('hex')
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: plain ?? name,
    version,
    purl,
    ...(algorithm === 'sha512' && { hashes: [{ alg: 'SHA-512', content }] }),
    ...(licence !== '' && {
      licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
    }),
  }
}

/** A package URL (https://github.com/package-url/purl-spec), in which the `@` of a scope is escaped. */
export const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** An image that a Dockerfile starts from. */
export function imageComponent(image: string): Component {
  const [name = '', tag = ''] = image.split(':')
  const purl = `pkg:docker/${name}@${tag}`
  return { type: 'container', 'bom-ref': purl, name, version: tag, purl }
}

/** A package of Debian, in the version of the day of the build. */
export function debianComponent(name: string): Component {
  const purl = `pkg:deb/debian/${name}?distro=bookworm`
  return { type: 'library', 'bom-ref': purl, name, purl }
}
