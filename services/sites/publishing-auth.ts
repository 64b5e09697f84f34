import { newSecret } from '../../shared/ids.js';
import { StoreDuplicate, type Update, write } from '../../shared/store/port.js';
import { sites } from './model.js';
import { type PublishingDocument, publishing } from './model-publishing.js';
import type { PublishingRules } from './publishing-rules.js';
import { siteTag } from './renderers.js';
import type { PublishingAuth } from './resources.js';
import type { Acting } from './rules.js';

/** How visitors of a site are known, made with a new private key when nobody asked before. */
export async function publishingOf({ store, secrets }: PublishingRules, site: string): Promise<PublishingDocument> {
  const found = await store.get(publishing, site);
  if (found) return found;
  const made: PublishingDocument = { _id: site, backend: 'custom', sealed: secrets.encrypt(newSecret()) };
  try {
    await store.batch([write.check(sites, { _id: site }, 1), write.insert(publishing, made)]);
    return made;
  } catch (error) {
    const first = error instanceof StoreDuplicate ? await store.get(publishing, site) : null;
    if (!first) throw error;
    return first;
  }
}

const present = (
  { secrets }: PublishingRules,
  { backend, integration, fallbackURL, sealed }: PublishingDocument,
): PublishingAuth => ({
  object: 'publishing-auth',
  backend,
  ...(integration ? { integration } : {}),
  privateKey: secrets.decrypt(sealed),
  ...(fallbackURL ? { fallbackURL } : {}),
});

export const getPublishingAuth = async (rules: PublishingRules, site: string): Promise<PublishingAuth> =>
  present(rules, await publishingOf(rules, site));

export interface PublishingAuthChanges {
  backend?: PublishingDocument['backend'] | undefined;
  integration?: string | null | undefined;
  fallbackURL?: string | null | undefined;
}

export async function updatePublishingAuth(
  rules: PublishingRules,
  { audit }: Pick<Acting, 'audit'>,
  site: string,
  changes: PublishingAuthChanges,
): Promise<PublishingAuth> {
  const before = await publishingOf(rules, site);
  const given = Object.entries(changes).filter(
    ([field, value]) => value !== undefined && (value ?? undefined) !== before[field as keyof PublishingAuthChanges],
  );
  if (given.length === 0) return present(rules, before);
  const update: Update<PublishingDocument> = {
    $set: Object.fromEntries(given.filter(([, value]) => value !== null)),
    $unset: Object.fromEntries(given.filter(([, value]) => value === null).map(([field]) => [field, true as const])),
  };
  await rules.store.batch([
    write.update(publishing, { _id: site }, update, { expect: 1 }),
    ...rules.renderers.told([siteTag(site)]),
    audit('publishing-auth', site, { details: Object.fromEntries(given) }),
  ]);
  return getPublishingAuth(rules, site);
}

export async function regeneratePrivateKey(
  rules: PublishingRules,
  { audit }: Pick<Acting, 'audit'>,
  site: string,
): Promise<PublishingAuth> {
  await publishingOf(rules, site);
  await rules.store.batch([
    write.update(publishing, { _id: site }, { $set: { sealed: rules.secrets.encrypt(newSecret()) } }, { expect: 1 }),
    ...rules.renderers.told([siteTag(site)]),
    audit('publishing-auth', site),
  ]);
  return getPublishingAuth(rules, site);
}
