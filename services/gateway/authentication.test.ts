import type { IncomingMessage } from 'node:http';
import type { ContentCaller } from '../../shared/contract/caller.js';
import { contentTokens } from '../../shared/contract/content-token.js';
import type { Call } from '../../shared/contract/service.js';
import { createSecrets } from '../../shared/secrets.js';
import { signedTokens } from '../../shared/signed-tokens.js';
import { createAuthentication } from './authentication.js';

const issuer = 'https://bindery.test';
const secrets = createSecrets([Buffer.alloc(32, 1).toString('base64')]);
const contents = contentTokens(secrets, issuer);
const visitor: ContentCaller = {
  kind: 'content',
  organization: 'o',
  site: 'site_1',
  siteSpace: 'v',
  siteSection: 's',
  space: 'a',
  spaces: ['a', 'b'],
  claims: { plan: 'pro' },
  shareKey: 'k',
};
const asked: unknown[] = [];
const authentication = createAuthentication(
  () =>
    (async (_: unknown, parameters: unknown) => {
      asked.push(parameters);
      return null;
    }) as Call,
  contents,
);
const callerOf = (token: string) =>
  authentication.callerOf({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);

describe('a content token', () => {
  it('says who calls, without asking anybody', async () => {
    expect(await callerOf(await contents.sign(visitor))).toEqual(visitor);
    const { siteSection: _, shareKey: __, ...less } = visitor;
    expect(await callerOf(await contents.sign(less))).toEqual(less);
    expect(asked).toEqual([]);
  });

  it.each<[string, () => Promise<string>]>([
    [
      'is over',
      () => signedTokens(secrets, { purpose: 'content-token', issuer }).sign({ ...visitor, kind: 'site' }, -1),
    ],
    [
      'is of another kind',
      () => signedTokens(secrets, { purpose: 'content-token', issuer }).sign({ kind: 'user' }, 60),
    ],
    ['was made for another purpose', () => signedTokens(secrets, { purpose: 'x', issuer }).sign({ kind: 'site' }, 60)],
    ['is of another installation', () => contentTokens(secrets, 'https://other.test').sign(visitor)],
    ['is not signed', async () => `${(await contents.sign(visitor)).split('.').slice(0, 2).join('.')}.`],
  ])('that %s is refused, without asking anybody', async (_, token) => {
    await expect(callerOf(await token())).rejects.toMatchObject({ type: 'UNAUTHENTICATED' });
    expect(asked).toEqual([]);
  });
});

it('asks identity about any other token', async () => {
  await expect(callerOf('bnd_with.two.dots')).rejects.toMatchObject({ type: 'UNAUTHENTICATED' });
  expect(asked).toHaveLength(1);
});
