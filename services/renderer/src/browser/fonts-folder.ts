import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Adds the fonts of a folder to those of the machine, for all programs that this process starts from now on: fontconfig is
 * configured by the environment. Rejects if there is no such folder. Disposal removes the configuration, not the fonts.
 */
export async function useFonts(
  folder: string,
  // biome-ignore lint/style/noProcessEnv: browsers and fc-list inherit it
  env: NodeJS.ProcessEnv = process.env,
): Promise<AsyncDisposable> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new Error(`FONTS_DIR: there is no folder ${folder}`)
  const own = await mkdtemp(join(tmpdir(), 'platen-fonts-'))
  const path = join(own, 'fonts.conf')
  const before = env.FONTCONFIG_FILE
  await writeFile(path, configuration(resolve(folder), before ?? '/etc/fonts/fonts.conf'))
  env.FONTCONFIG_FILE = path
  return {
    async [Symbol.asyncDispose]() {
      if (env.FONTCONFIG_FILE === path) {
        if (before === undefined) delete env.FONTCONFIG_FILE
        else env.FONTCONFIG_FILE = before
      }
      await rm(own, { recursive: true, force: true })
    },
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
