import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { type HasStore, StoreDuplicate, write } from '../../../shared/store/port.js';
import { newSecret } from '../../../shared/values/ids.js';
import { sites } from '../site/model.js';
import { type PublishingDocument, publishing } from './model.js';

/** Reads how visitors of a site are identified; makes it, with a new private key, when it is first needed. */
export async function publishingOf(
  { store, secrets }: HasStore & HasSecrets,
  site: string,
): Promise<PublishingDocument> {
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

/** The integration that identifies the visitors of a published site; null where it is another way, or no such site. */
export async function visitorAuthenticationOf(
  { store }: HasStore,
  id: string,
): Promise<{ organization: string; integration: string } | null> {
  const [site, known] = await Promise.all([store.get(sites, id), store.get(publishing, id)]);
  if (!site?.published || known?.backend !== 'integration' || known.integration === undefined) return null;
  return { organization: site.organization, integration: known.integration };
}
