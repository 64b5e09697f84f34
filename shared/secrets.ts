import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Encrypts at rest: AES-256-GCM, `<key id>.<nonce>.<tag>.<text>`, each part base64url. */
export interface Secrets {
  encrypt(text: string): string;
  /** Throws when the key is gone or the text was changed. */
  decrypt(sealed: string): string;
  /** A 32-byte key for one purpose, derived by HKDF, and the id under which it is known. */
  keyFor(purpose: string): { kid: string; key: Buffer };
  /** Those of all keys, by id: what an earlier one signed still counts after a rotation. */
  keysFor(purpose: string): Map<string, Buffer>;
}

const derived = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));

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
      return { kid: currentId, key: derived(currentKey, purpose) };
    },
    keysFor: (purpose) => new Map([...ring].map(([id, key]) => [id, derived(key, purpose)])),
  };
}

/** The key of an embedded installation: `DATA_DIR/secret.key`, made on first use, readable by its owner alone. */
export function embeddedKey(dataDir: string): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(path, 'utf8').trim();
}
