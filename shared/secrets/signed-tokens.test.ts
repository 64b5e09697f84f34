import { createSecrets } from './secrets.js';
import { signedTokens } from './signed-tokens.js';

const [old, fresh] = ['o', 'f'].map((letter) => Buffer.from(letter.repeat(32)).toString('base64')) as [string, string];
const options = { purpose: 'test', issuer: 'https://bindery.test' };

describe('a signed token', () => {
  it('is valid as long as its key is in the ring', async () => {
    const token = await signedTokens(createSecrets([old]), options).sign({ a: 1 }, 60);
    expect(await signedTokens(createSecrets([fresh, old]), options).verify(token)).toMatchObject({ a: 1 });
    expect(await signedTokens(createSecrets([fresh]), options).verify(token)).toBeNull();
  });

  it('is valid for its purpose and issuer, until it expires', async () => {
    const secrets = createSecrets([old]);
    const tokens = signedTokens(secrets, options);
    const token = await tokens.sign({}, 60);
    expect(await signedTokens(secrets, { ...options, purpose: 'other' }).verify(token)).toBeNull();
    expect(await signedTokens(secrets, { ...options, issuer: 'https://other.test' }).verify(token)).toBeNull();
    expect(await tokens.verify(await tokens.sign({}, -1))).toBeNull();
    for (const text of ['', 'x', 'a.b.c', `${token}x`]) expect(await tokens.verify(text)).toBeNull();
  });
});
