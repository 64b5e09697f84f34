import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecrets } from '../../../shared/secrets/secrets.js';
import { signedTokens } from '../../../shared/secrets/signed-tokens.js';
import { type Store, write } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import {
  type MemberDocument,
  memberId,
  members,
  organizationCollections,
  organizations,
} from '../organizations/model.js';
import { type UserDocument, userCollections, users } from '../users/model.js';
import { newUser } from '../users/users.js';
import { endCommentMails, findMailRecipients } from './comment-mails.js';

const baseUrl = 'https://docs.example/bindery';
const secrets = createSecrets([Buffer.alloc(32, 7).toString('base64')]);
const tokensOf = (purpose: string, issuer = baseUrl) => signedTokens(secrets, { purpose, issuer });

let folder: string;
let store: Store;
let deps: Parameters<typeof findMailRecipients>[0];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-comment-mails-'));
  store = await openSqliteStore({ path: join(folder, 'mails.sqlite') });
  await store.prepare([...userCollections, ...organizationCollections]);
  deps = { store, baseUrl, unsubscribeTokens: tokensOf('unsubscribe') };
  for (const [_id, sso] of [
    ['open', false],
    ['closed', true],
  ] as const)
    await store.insert(organizations, { _id, sso } as never);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

type Person = Partial<UserDocument> & { member?: Partial<MemberDocument> | null };

let made = 0;
async function newPerson(organization: string, { member = {}, ...fields }: Person = {}): Promise<string> {
  const user = { ...newUser(`Ada-${made++}@example.com`), ...fields };
  const joined = {
    _id: memberId(organization, user._id),
    organization,
    user: user._id,
    role: 'read',
    disabled: false,
    sso: false,
    ...member,
  };
  await store.batch([write.insert(users, user), ...(member ? [write.insert(members, joined as MemberDocument)] : [])]);
  return user._id;
}

const recipientsOf = (organization: string, ...wanted: string[]) =>
  findMailRecipients(deps, { organization, users: wanted });

async function tokenOf(user: string): Promise<string> {
  const [recipient] = await recipientsOf('open', user);
  const { searchParams, pathname } = new URL(String(recipient?.unsubscribeURL));
  expect(pathname).toBe('/bindery/unsubscribe');
  return String(searchParams.get('token'));
}

const wants = async (user: string) => (await store.get(users, user))?.commentMails ?? true;

describe('the recipients of mails about comments', () => {
  it('are members, each with an address and a link of their own', async () => {
    const [ada, bob] = [await newPerson('open'), await newPerson('open', { commentMails: true })];
    const found = await recipientsOf('open', bob, 'nobody', ada);
    expect(found.map(({ user }) => user)).toEqual([bob, ada]);
    expect(found[1]).toEqual({
      user: ada,
      address: (await store.get(users, ada))?.email,
      unsubscribeURL: expect.stringMatching(/^https:\/\/docs\.example\/bindery\/unsubscribe\?token=[\w.-]+$/),
    });
    expect(found[0]?.unsubscribeURL).not.toBe(found[1]?.unsubscribeURL);
    expect(await recipientsOf('unknown', ada)).toEqual([]);
    expect(await recipientsOf('open')).toEqual([]);
  });

  it.each<[string, Person, string, boolean]>([
    ['wants no such mails', { commentMails: false }, 'open', false],
    ['has no address', { email: '' }, 'open', false],
    ['is no member', { member: null }, 'open', false],
    ['is switched off', { member: { disabled: true } }, 'open', false],
    [
      'has not accepted the invite',
      { member: { disabled: true, pending: { by: 'a', disabled: false } } },
      'open',
      false,
    ],
    ['was invited and never signed in', { unproven: 'invited' }, 'open', false],
    ['has the address that another organization asserted', { unproven: 'asserted' }, 'open', false],
    ['signs in by the single sign-on', { unproven: 'asserted', member: { sso: true } }, 'open', true],
    ['may not use the single sign-on that is required', {}, 'closed', false],
    ['may use the single sign-on that is required', { member: { sso: true } }, 'closed', true],
    ['is an admin where it is required', { member: { role: 'admin' } }, 'closed', true],
    ['is a guest', { member: { role: null } }, 'open', true],
  ])('who %s', async (_, person, organization, told) => {
    expect(await recipientsOf(organization, await newPerson(organization, person))).toHaveLength(told ? 1 : 0);
  });
});

describe('the token of a link', () => {
  it('turns the mails of its user off, also a second time, until the user wants them again', async () => {
    const [ada, bob] = [await newPerson('open'), await newPerson('open')];
    const token = await tokenOf(ada);
    for (let times = 0; times < 2; times++) expect(await endCommentMails(deps, { token })).toBe(true);
    expect([await wants(ada), await wants(bob)]).toEqual([false, true]);
    expect(await recipientsOf('open', ada, bob)).toMatchObject([{ user: bob }]);
    await store.update(users, { _id: ada }, { $set: { commentMails: true } });
    expect(await recipientsOf('open', ada)).toHaveLength(1);
  });

  it('is valid for more than a year', async () => {
    const payload = await deps.unsubscribeTokens.verify(await tokenOf(await newPerson('open')));
    expect(Number(payload?.exp) - Date.now() / 1000).toBeGreaterThan(366 * 24 * 3600);
  });

  it.each<[string, (token: string, user: string) => string | Promise<string>]>([
    ['was changed', (token) => `${token}x`],
    ['names somebody else', (token) => withSubject(token, 'somebody')],
    ['was made for another purpose', (_, user) => tokensOf('content-token').sign({ sub: user }, 60)],
    [
      'is of another installation',
      (_, user) => tokensOf('unsubscribe', 'https://other.example').sign({ sub: user }, 60),
    ],
    ['names nobody', () => deps.unsubscribeTokens.sign({}, 60)],
    ['names a user who does not exist', () => deps.unsubscribeTokens.sign({ sub: 'nobody' }, 60)],
    ['is over', (_, user) => deps.unsubscribeTokens.sign({ sub: user }, -1)],
    ['is none', () => '\u0000..ü'],
  ])('is refused when it %s', async (_, forged) => {
    const user = await newPerson('open');
    expect(await endCommentMails(deps, { token: await forged(await tokenOf(user), user) })).toBe(false);
    expect(await wants(user)).toBe(true);
  });
});

function withSubject(token: string, sub: string): string {
  const [head, payload = '', signature] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub };
  return [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}
