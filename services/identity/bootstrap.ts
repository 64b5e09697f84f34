import type { Config } from '../../shared/config.js';
import { sha256 } from '../../shared/ids.js';
import { type Store, StoreDuplicate, write } from '../../shared/store/port.js';
import type { FirstStart } from './contract.js';
import { type BootstrapDocument, bootstraps, tokens, users } from './model.js';
import { newOrganization } from './organizations.js';
import { newToken } from './tokens.js';
import { newUser } from './users.js';

const label = 'First start';

/** Idempotent, from many nodes at once. A changed `BOOTSTRAP_TOKEN` adds that token; the same one changes nothing. */
export async function bootstrapIdentity(store: Store, config: Config, exclusive: boolean): Promise<FirstStart | null> {
  const done = await store.get(bootstraps, 'bootstrap');
  if (done) {
    await adoptToken(store, config, done.user, done.tokenHash);
    return exclusive && !done.told ? retold(store, config, done) : null;
  }
  try {
    return await makeFirst(store, config);
  } catch (error) {
    if (error instanceof StoreDuplicate) return null;
    throw error;
  }
}

/** The first start ended before it told its token, which nobody knows now: another one takes its place. */
async function retold(store: Store, config: Config, { organization, user }: BootstrapDocument): Promise<FirstStart> {
  if (config.BOOTSTRAP_TOKEN) return { organization, user, token: null };
  const { document, secret } = newToken(user, { label });
  await store.insert(tokens, document);
  return { organization, user, token: secret };
}

export async function noteTold(store: Store): Promise<void> {
  await store.update(bootstraps, { _id: 'bootstrap' }, { $set: { told: true } });
}

async function adoptToken(
  store: Store,
  { BOOTSTRAP_TOKEN: secret }: Config,
  user: string,
  known: string,
): Promise<void> {
  if (!secret || sha256(secret) === known) return;
  const { document } = newToken(user, { label }, secret);
  await store.batch([
    write.update(
      bootstraps,
      { _id: 'bootstrap', tokenHash: known },
      { $set: { tokenHash: document.hash } },
      { expect: 1 },
    ),
    write.upsert(tokens, { hash: document.hash }, { $setOnInsert: document }),
  ]);
}

async function makeFirst(store: Store, config: Config): Promise<FirstStart> {
  const user = newUser(config.BOOTSTRAP_EMAIL);
  const { organization, writes } = newOrganization(user, {
    title: config.BOOTSTRAP_ORG,
    emailDomains: [],
    type: 'business',
  });
  const { document, secret } = newToken(user._id, { label }, config.BOOTSTRAP_TOKEN);
  await store.batch([
    write.insert(bootstraps, {
      _id: 'bootstrap',
      user: user._id,
      organization: organization._id,
      tokenHash: document.hash,
    }),
    write.insert(users, user),
    write.insert(tokens, document),
    ...writes,
  ]);
  return { organization: organization._id, user: user._id, token: config.BOOTSTRAP_TOKEN ? null : secret };
}
