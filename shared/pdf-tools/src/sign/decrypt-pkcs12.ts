import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import type { DerNode } from './der.ts'

const pbes2Identifier = '1.2.840.113549.1.5.13'
const pbeWithTripleDes = '1.2.840.113549.1.12.1.3'
const ciphers: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
}
const hashes: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}
const maxIterations = 10_000_000

/** Decrypts what an algorithm with its parameters has encrypted. Throws if it is not supported, or the password is wrong. */
export function decrypt(algorithm: DerNode, data: Buffer, password: string): Buffer {
  const type = algorithm.child(0).identifier
  const parameters = algorithm.child(1)
  if (type === pbes2Identifier) return decipher(pbes2(parameters, password), data)
  if (type === pbeWithTripleDes) return decipher(pkcs12Pbe(parameters, password), data)
  throw new Error('it is encrypted in a way that is not supported. Export it with AES-256, as OpenSSL 3 does')
}

interface Decryption {
  name: string
  key: Buffer
  iv: Buffer
}

function decipher({ name, key, iv }: Decryption, data: Buffer): Buffer {
  try {
    const stream = createDecipheriv(name, key, iv)
    return Buffer.concat([stream.update(data), stream.final()])
  } catch (cause) {
    throw new Error('its password is wrong', { cause })
  }
}

/** PBES2 with PBKDF2 (RFC 8018, 6.2). */
function pbes2(parameters: DerNode, password: string): Decryption {
  const derivation = parameters.child(0).child(1)
  const scheme = parameters.child(1)
  const cipher = ciphers[scheme.child(0).identifier]
  const [salt, iterations, ...rest] = derivation.children
  const pseudoRandom = rest.find((each) => each.tag === 0x30)?.child(0).identifier ?? '1.2.840.113549.2.7'
  const hash = hashes[pseudoRandom]
  if (cipher === undefined || hash === undefined || salt === undefined || iterations === undefined) {
    throw new Error('it is encrypted in a way that is not supported. Export it with AES-256, as OpenSSL 3 does')
  }
  const count = Math.min(iterations.number, maxIterations)
  const key = pbkdf2Sync(Buffer.from(password, 'utf8'), salt.octets, count, cipher.keyBytes, hash)
  return { name: cipher.name, key, iv: scheme.child(1).octets }
}

/** pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292, appendix C). */
function pkcs12Pbe(parameters: DerNode, password: string): Decryption {
  const use = {
    salt: parameters.child(0).octets,
    iterations: Math.min(parameters.child(1).number, maxIterations),
    password,
  }
  return { name: 'des-ede3-cbc', key: derive({ ...use, id: 1, size: 24 }), iv: derive({ ...use, id: 2, size: 8 }) }
}

/** The key derivation of PKCS#12 with SHA-1 (RFC 7292, appendix B.2). */
function derive(use: { salt: Buffer; iterations: number; password: string; id: number; size: number }): Buffer {
  const blockBytes = 64
  const repeated = (bytes: Buffer) => {
    const size = Math.ceil(bytes.length / blockBytes) * blockBytes
    return Buffer.from(Uint8Array.from({ length: size }, (_, at) => bytes[at % bytes.length] ?? 0))
  }
  const text = Buffer.from(`${use.password}\0`, 'utf16le').swap16()
  const diversifier = Buffer.alloc(blockBytes, use.id)
  const input = Buffer.concat([repeated(use.salt), repeated(text)])
  const result: Buffer[] = []
  for (let size = 0; size < use.size; size += 20) {
    let block: Buffer = Buffer.concat([diversifier, input])
    for (let round = 0; round < use.iterations; round++) block = createHash('sha1').update(block).digest()
    result.push(block)
    const added = Buffer.from(Uint8Array.from({ length: blockBytes }, (_, at) => block[at % block.length] ?? 0))
    for (let start = 0; start < input.length; start += blockBytes)
      addPlusOne(input.subarray(start, start + blockBytes), added)
  }
  return Buffer.concat(result).subarray(0, use.size)
}

/** number + added + 1, in place, without the carry. */
function addPlusOne(number: Buffer, added: Buffer): void {
  let carry = 1
  for (let at = number.length - 1; at >= 0; at--) {
    carry += (number[at] ?? 0) + (added[at] ?? 0)
    number[at] = carry & 0xff
    carry >>= 8
  }
}
