import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ProgramEnvironment } from './environment.ts'

export interface Fonts extends AsyncDisposable {
  /** The environment of programs that find the fonts. */
  environment: ProgramEnvironment
}

/**
 * Adds the fonts of a folder to those of the machine, for programs that run with the returned environment, through a
 * configuration of fontconfig. Rejects if the folder does not exist. Disposal removes the configuration, not the fonts.
 */
export async function openFonts(folder: string, environment: ProgramEnvironment): Promise<Fonts> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new Error(`FONTS_DIR: there is no folder ${folder}`)
  const own = await mkdtemp(join(tmpdir(), 'platen-fonts-'))
  const path = join(own, 'fonts.conf')
  await writeFile(path, configuration(resolve(folder), environment.FONTCONFIG_FILE ?? '/etc/fonts/fonts.conf'))
  return {
    environment: { ...environment, FONTCONFIG_FILE: path },
    [Symbol.asyncDispose]: () => rm(own, { recursive: true, force: true }),
  }
}

/** https://www.freedesktop.org/software/fontconfig/fontconfig-user.html */
function configuration(folder: string, base: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    `  <include ignore_missing="yes">${escaped(base)}</include>`,
    `  <dir>${escaped(folder)}</dir>`,
    '</fontconfig>\n',
  ].join('\n')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
