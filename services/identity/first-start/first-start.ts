import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, StoreDuplicate, type Write, write } from '../../../shared/store/port.js';
import { newId, sha256 } from '../../../shared/values/ids.js';
import { newApiToken, revocationWrites } from '../accounts/api-tokens.js';
import { apiTokens } from '../accounts/model.js';
import { newOrganization } from '../organizations/organizations.js';
import { users } from '../users/model.js';
import { newUser } from '../users/users.js';
import { enqueueFirstStart } from './handbook-job.js';
import { firstStarts, tokenLabel as label, theFirstStart } from './model.js';

/**
 * Creates the first user, its organization and the handbook, once among all processes. On later starts a changed
 * `BOOTSTRAP_TOKEN` replaces the former one.
 */
export async function ensureFirstStart(
  deps: HasConfig & HasStore & HasJobs & { callersChanged: () => Write },
): Promise<void> {
  const done = await deps.store.get(firstStarts, theFirstStart._id);
  if (done) {
    const { user: creator, organization, space } = done;
    if (!done.told) await deps.store.batch([enqueueFirstStart(deps.jobs, { organization, creator, space })]);
    return again(() => replaceBootstrapToken(deps));
  }
  await makeFirstStart(deps).catch((error) => {
    if (!(error instanceof StoreDuplicate)) throw error;
  });
}

/** The former token ends with all tokens that it led to. A token that was revoked does not come back. */
async function replaceBootstrapToken({
  store,
  config,
  callersChanged,
}: HasConfig & HasStore & { callersChanged: () => Write }): Promise<void> {
  const { BOOTSTRAP_TOKEN: secret } = config;
  const done = await store.get(firstStarts, theFirstStart._id);
  if (!done || !secret || sha256(secret) === done.tokenHash) return;
  const { user, tokenHash = null } = done;
  const former = tokenHash === null ? null : await store.findOne(apiTokens, { hash: tokenHash, user });
  const { document } = newApiToken({ user, label, secret });
  await store.batch([
    write.update(firstStarts, { ...theFirstStart, tokenHash }, { $set: { tokenHash: document.hash } }, { expect: 1 }),
    ...(former ? revocationWrites({ user, token: former._id }) : []),
    write.upsert(apiTokens, { hash: document.hash }, { $setOnInsert: document }),
    callersChanged(),
  ]);
}

/** Without `BOOTSTRAP_TOKEN` the job that prints the banner makes the token. */
async function makeFirstStart({ store, jobs, config }: HasConfig & HasStore & HasJobs): Promise<void> {
  const creator = newUser(config.BOOTSTRAP_EMAIL);
  const { _id: user } = creator;
  const { organization, writes } = newOrganization({
    creator,
    title: config.BOOTSTRAP_ORG,
    emailDomains: [],
    type: 'business',
  });
  const chosen = config.BOOTSTRAP_TOKEN && newApiToken({ user, label, secret: config.BOOTSTRAP_TOKEN }).document;
  const space = newId();
  await store.batch([
    write.insert(firstStarts, {
      ...theFirstStart,
      user,
      organization: organization._id,
      space,
      ...(chosen ? { tokenHash: chosen.hash } : {}),
    }),
    write.insert(users, creator),
    ...(chosen ? [write.insert(apiTokens, chosen)] : []),
    ...writes,
    enqueueFirstStart(jobs, { organization: organization._id, creator: user, space }),
  ]);
}
