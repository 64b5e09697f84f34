import type { IncomingMessage } from 'node:http';
import type { ContentCaller } from '../../../shared/contract/caller.js';
import { contentTokens } from '../../../shared/contract/content-token.js';
import { integrationTokens } from '../../../shared/contract/integration-token.js';
import type { Call } from '../../../shared/contract/service.js';
import { createSecrets } from '../../../shared/secrets/secrets.js';
import { signedTokens } from '../../../shared/secrets/signed-tokens.js';
import { standingOf } from '../../sites/contract.js';
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
const asked: { action: string; parameters: unknown }[] = [];
/** What sites say of a visitor. */
let standing: Pick<ContentCaller, 'spaces' | 'claims'> | null;
const newAuthentication = () =>
  createAuthentication(
    () =>
      (async ({ action }: { action: string }, parameters: unknown) => {
        asked.push({ action, parameters });
        return action === standingOf.action ? standing : null;
      }) as Call,
    { contents, integrations: integrationTokens(secrets, issuer) },
  );
const authentication = newAuthentication();
beforeEach(() => {
  asked.length = 0;
  standing = { spaces: visitor.spaces, claims: visitor.claims };
});
const callerOf = (token: string, by = authentication) =>
  by.callerOf({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);

describe('a content token', () => {
  it('says who calls, and sites once what the visitor still reads', async () => {
    const token = await contents.sign(visitor);
    standing = { spaces: ['a'], claims: {} };
    expect(await callerOf(token)).toEqual({ ...visitor, ...standing });
    expect(await callerOf(token)).toEqual({ ...visitor, ...standing });
    expect(asked).toEqual([{ action: standingOf.action, parameters: { visitor } }]);
  });

  it('that outlived what it was given out for is refused, without asking again', async () => {
    standing = null;
    const token = await contents.sign({ ...visitor, space: 'b' });
    for (let again = 0; again < 2; again++)
      await expect(callerOf(token)).rejects.toMatchObject({
        type: 'UNAUTHENTICATED',
        message: expect.stringContaining('no longer valid'),
      });
    expect(asked).toHaveLength(1);
  });

  it('is asked about again within a second, whether or not the bus tells of a change', async () => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    const clock = jest.spyOn(performance, 'now');
    // One of its own: the cache of the other may hold the time of the test before for 20 ms.
    const own = newAuthentication();
    try {
      const token = await contents.sign(visitor);
      const since = 1_000_000;
      for (const ms of [0, 800]) {
        clock.mockReturnValue(since + ms);
        jest.runAllTimers();
        await callerOf(token, own);
      }
      expect(asked).toHaveLength(1);
      standing = null;
      clock.mockReturnValue(since + 1000);
      jest.runAllTimers();
      await expect(callerOf(token, own)).rejects.toMatchObject({ type: 'UNAUTHENTICATED' });
      expect(asked).toHaveLength(2);
    } finally {
      clock.mockRestore();
      jest.useRealTimers();
    }
  });

  it('ends with the access of its visitor', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await callerOf(await contents.sign({ ...visitor, until: now + 60 }))).toMatchObject({ until: now + 60 });
    asked.length = 0;
    await expect(callerOf(await contents.sign({ ...visitor, until: now - 1 }))).rejects.toMatchObject({
      type: 'UNAUTHENTICATED',
    });
    expect(asked).toEqual([]);
  });

  it.each<[string, () => Promise<string>]>([
    [
      'is expired',
      () => signedTokens(secrets, { purpose: 'content-token', issuer }).sign({ ...visitor, kind: 'site' }, -1),
    ],
    [
      'is of another kind',
      () => signedTokens(secrets, { purpose: 'content-token', issuer }).sign({ kind: 'user' }, 60),
    ],
    ['was made for another purpose', () => signedTokens(secrets, { purpose: 'x', issuer }).sign({ kind: 'site' }, 60)],
    ['is of another installation', () => contentTokens(secrets, 'https://other.test').sign(visitor)],
    ['is not signed', async () => `${(await contents.sign(visitor)).split('.').slice(0, 2).join('.')}.`],
  ])('that %s is refused, without a call', async (_, token) => {
    await expect(callerOf(await token())).rejects.toMatchObject({ type: 'UNAUTHENTICATED' });
    expect(asked).toEqual([]);
  });
});

it('asks identity about any other token', async () => {
  await expect(callerOf('bnd_with.two.dots')).rejects.toMatchObject({ type: 'UNAUTHENTICATED' });
  expect(asked).toHaveLength(1);
});
