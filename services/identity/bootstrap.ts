import type { Config } from '../../shared/config.js';
import { newId, sha256, timestamp } from '../../shared/ids.js';
import { type Store, StoreDuplicate, write } from '../../shared/store/port.js';
import type { FirstStart } from './contract.js';
import { bootstraps, tokens, users } from './model.js';
import { newOrganization } from './organizations.js';
import { newToken } from './tokens.js';

const label = 'First start';

/** Idempotent, from many nodes at once. A changed `BOOTSTRAP_TOKEN` adds that token; the same one changes nothing. */
export async function bootstrapIdentity(store: Store, config: Config): Promise<FirstStart | null> {
  const done = await store.get(bootstraps, 'bootstrap');
  if (done) {
    await adoptToken(store, config, done.user, done.tokenHash);
    return null;
  }
  try {
    return await makeFirst(store, config);
  } catch (error) {
    if (error instanceof StoreDuplicate) return null;
    throw error;
  }
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
  const email = config.BOOTSTRAP_EMAIL;
  const user = {
    _id: newId(),
    displayName: email.split('@')[0] as string,
    email,
    emailLower: email.toLowerCase(),
    createdAt: timestamp(),
  };
  const { organization, writes } = newOrganization(user._id, {
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
