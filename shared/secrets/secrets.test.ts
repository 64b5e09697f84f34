import { randomBytes } from 'node:crypto';
import { createSecrets } from './secrets.js';

const key = () => randomBytes(32).toString('base64');

describe('secrets', () => {
  it('come back as they were, and look different each time', () => {
    const secrets = createSecrets([key()]);
    const sealed = secrets.encrypt('https://ada:päss@host');
    expect(secrets.decrypt(sealed)).toBe('https://ada:päss@host');
    expect(secrets.encrypt('https://ada:päss@host')).not.toBe(sealed);
    expect(sealed).not.toContain('ada');
  });

  it('are decrypted with an older key after a rotation, and not without it', () => {
    const [old, next] = [key(), key()];
    const sealed = createSecrets([old]).encrypt('text');
    expect(createSecrets([next, old]).decrypt(sealed)).toBe('text');
    expect(() => createSecrets([next]).decrypt(sealed)).toThrow('SECRET_KEY');
  });

  it('are refused when they have been changed', () => {
    const secrets = createSecrets([key()]);
    const parts = secrets.encrypt('text').split('.');
    parts[3] = Buffer.from('xext').toString('base64url');
    expect(() => secrets.decrypt(parts.join('.'))).toThrow();
  });

  it('give each purpose a key of its own', () => {
    const secrets = createSecrets([key()]);
    expect(secrets.keyFor('a').key).toEqual(secrets.keyFor('a').key);
    expect(secrets.keyFor('a').key).not.toEqual(secrets.keyFor('b').key);
  });
});
