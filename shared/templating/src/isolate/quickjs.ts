import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'

/** QuickJS in WebAssembly: an engine of JavaScript whose memory is its own and which has nothing of Node.js. */
export type QuickJs = QuickJSWASMModule

let loading: Promise<QuickJs> | undefined

/** Loaded with the first script that a thread runs. */
export function loadQuickJs(): Promise<QuickJs> {
  loading ??= newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant)
  return loading
}

/**
 * Discards the instance. After a failure inside of it, such as an exhausted host stack, its memory may be inconsistent.
 */
export function discardQuickJs(): void {
  loading = undefined
}
