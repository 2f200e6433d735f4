/**
 * The partition of a stream, from 0. It never changes for a stream and a number of partitions: FNV-1a over the name
 * (draft-eastlake-fnv), mixed as in MurmurHash3, because the last bits of FNV-1a alone are spread badly.
 */
export function partitionOf(stream: string, partitions: number): number {
  if (partitions === 1) return 0
  let hash = 0x811c9dc5
  for (let at = 0; at < stream.length; at++) hash = Math.imul(hash ^ stream.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % partitions
}
