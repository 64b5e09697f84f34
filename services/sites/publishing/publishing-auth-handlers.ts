import type { Call, HandlersOf } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { HasSecrets, Secrets } from '../../../shared/secrets/secrets.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, write } from '../../../shared/store/port.js';
import { newSecret } from '../../../shared/values/ids.js';
import type { publishingAuthOperations } from '../contract/publishing.js';
import { mayAuthenticateVisitors } from '../contract.js';
import { type HasRenderers, siteTag } from '../renderers/renderers.js';
import { type PublishingDocument, publishing } from './model.js';
import { publishingOf } from './publishing-auth.js';
import type { PublishingAuth } from './resources.js';

export const publishingAuthHandlers = (
  deps: HasStore & HasSecrets & HasRenderers,
): HandlersOf<typeof publishingAuthOperations> => {
  const { store, secrets, renderers } = deps;
  return {
    async getSitePublishingAuthById({ path: { siteId } }) {
      return present(secrets, await publishingOf(deps, siteId));
    },

    async updateSitePublishingAuthById({ path: { siteId }, body }, { call, audit, access: { organization } }) {
      const before = await publishingOf(deps, siteId);
      const changes = changesOf(before, body);
      if (changes && isAboutBackend(body)) await checkBackend(call, { organization, site: siteId, ...changes.after });
      if (changes)
        await store.batch([
          write.update(publishing, { _id: siteId }, changes.update, { expect: 1 }),
          ...renderers.revalidate([siteTag(siteId)]),
          audit('publishing-auth', siteId, { details: changes.details }),
        ]);
      return present(secrets, changes?.after ?? before);
    },

    async regenerateSitePublishingAuthById({ path: { siteId } }, { audit }) {
      const before = await publishingOf(deps, siteId);
      const sealed = secrets.encrypt(newSecret());
      await store.batch([
        write.update(publishing, { _id: siteId }, { $set: { sealed } }, { expect: 1 }),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('publishing-auth', siteId),
      ]);
      return present(secrets, { ...before, sealed });
    },
  };
};

const isAboutBackend = ({ backend, integration }: { backend?: unknown; integration?: unknown }): boolean =>
  backend !== undefined || integration !== undefined;

/** Throws 400 for an integration that cannot identify the visitors of the site. */
async function checkBackend(
  call: Call,
  { backend, integration, organization, site }: Pick<PublishingDocument, 'backend' | 'integration'> & Site,
): Promise<void> {
  if (backend !== 'integration') return;
  if (integration === undefined) throw invalid('integration: required for the backend "integration"');
  if (!(await call(mayAuthenticateVisitors, { organization, site, integration })))
    throw invalid('integration: must be installed on the site, with the scope site:visitor:auth');
}

interface Site {
  organization: string;
  site: string;
}

const present = (
  secrets: Secrets,
  { backend, integration, fallbackURL, sealed }: PublishingDocument,
): PublishingAuth => ({
  object: 'publishing-auth',
  backend,
  ...(integration ? { integration } : {}),
  privateKey: secrets.decrypt(sealed),
  ...(fallbackURL ? { fallbackURL } : {}),
});
