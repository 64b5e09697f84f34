import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../monitoring/log.js';
import { type Collection, collection, type Store } from '../store/port.js';

/** Encrypts at rest: AES-256-GCM, `<key id>.<nonce>.<tag>.<text>`, each part base64url. */
export interface Secrets {
  encrypt(text: string): string;
  /** Throws when its key is missing or the text was changed. */
  decrypt(sealed: string): string;
  /** A 32-byte key for one purpose, derived by HKDF, with its id. */
  keyFor(purpose: string): { kid: string; key: Buffer };
  /** The keys for one purpose derived from all secrets, by id: signatures stay valid after a rotation. */
  keysFor(purpose: string): Map<string, Buffer>;
}

const deriveKey = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));

const keyId = (key: Buffer) => createHash('sha256').update(key).digest('base64url').slice(0, 8);

/** `keys`: 32 bytes each, base64; the first encrypts, all decrypt. */
export function createSecrets(keys: string[]): Secrets {
  const ring = new Map(keys.map((text) => Buffer.from(text, 'base64')).map((key) => [keyId(key), key]));
  const [current] = [...ring.entries()];
  if (!current) throw new Error('no secret key');
  const [currentId, currentKey] = current;
  return {
    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [currentId, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
    },
    decrypt(sealed) {
      const [id = '', nonce = '', tag = '', text = ''] = sealed.split('.');
      const key = ring.get(id);
      if (!key) throw new Error(`the key ${id} that encrypted this secret is not in SECRET_KEY`);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
    keyFor(purpose) {
      return { kid: currentId, key: deriveKey(currentKey, purpose) };
    },
    keysFor: (purpose) => new Map([...ring].map(([id, key]) => [id, deriveKey(key, purpose)])),
  };
}

/** The data that is lost without its key. */
const sealedData =
  'the keys of share links and visitor sign-in, the headers of MCP servers, the client secrets of single sign-on, and the credentials of queued Git imports and mails, would be unreadable; ' +
  'issued file links and visitor tokens would be refused';

const remedy =
  'Restore the file from a backup; or, to continue without it, set SECRET_KEY to a new key (openssl rand -base64 32)';

/**
 * The key of an embedded installation: `DATA_DIR/secret.key`, created for an empty folder. Throws when the file is missing although
 * there is data (`hasData`): a new key would silently lose what the old one encrypted.
 */
export function embeddedKey(dataDir: string, hasData: boolean): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) {
    if (hasData) throw new Error(`${path} is missing, but there is data: without it, ${sealedData}. ${remedy}`);
    writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx', flush: true } as object);
  }
  const key = readFileSync(path, 'utf8').trim();
  if (Buffer.from(key, 'base64').length !== 32)
    throw new Error(`${path} does not hold a key (32 bytes in base64): without it, ${sealedData}. ${remedy}`);
  return key;
}

/** The ids of the keys that encrypted data in this store. */
interface UsedKeys {
  _id: string;
  ids: string[];
}

const usedKeys = collection<UsedKeys>('platform_keys');

/** Throws when `secret.key` is not the key of this store. With a `chosen` key (`SECRET_KEY`), it only logs what is lost. */
export async function checkKeys(store: Store, secrets: Secrets, { chosen, log }: { chosen: boolean; log: Log }) {
  await store.prepare([usedKeys] as unknown as Collection<never>[]);
  const held = secrets.keysFor('');
  const used = await store.get(usedKeys, 'keys');
  const missing = (used?.ids ?? []).filter((id) => !held.has(id));
  if (missing.length > 0) {
    const text = `data in the store was encrypted with a key that is missing: ${sealedData}`;
    if (!chosen) throw new Error(`secret.key is not the key of this store; ${text}. ${remedy}`);
    log.warn({ missing }, `SECRET_KEY: ${text}. Add the old key after the new one, separated by a comma`);
  }
  const { kid } = secrets.keyFor('');
  if (!used?.ids.includes(kid)) await store.upsert(usedKeys, { _id: 'keys' }, { $addToSet: { ids: kid } });
}

export type HasSecrets = { secrets: Secrets };
