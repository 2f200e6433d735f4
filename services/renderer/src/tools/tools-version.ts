import manifest from '../../../../package.json' with { type: 'json' }

/** The version of Platen, which has the PDF tools. */
export const toolsVersion: string = manifest.version
