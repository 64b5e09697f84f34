import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import { checkUrl } from '../../../shared/outbound/address.js';
import { again } from '../../../shared/store/again.js';
import { type Update, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import { integrationChanged } from '../../sites/events.js';
import type { catalogueOperations } from '../contract/catalogue.js';
import type { CatalogueDependencies } from './dependencies.js';
import { listingFilter, queryFilter } from './filters.js';
import { findIntegration } from './find.js';
import { type IntegrationDocument, integrations } from './model.js';
import { integrationsPage, presentIntegration } from './present.js';
import { versionBlobs } from './publishing/files.js';
import { checkManifest, checkName } from './publishing/manifest.js';
import { checkIsOwn, checkPublisher, checkStarts, publishVersion, readImages } from './publishing/publish-version.js';
import { addsScripts } from './publishing/scripts.js';
import { type RemovePublicationPayload, removePublicationKind } from './publishing/unpublishing.js';

type Operations = typeof catalogueOperations;

/** Integrations and what is published of them. */
export function catalogueHandlers(deps: CatalogueDependencies): HandlersOf<Operations> {
  const { store, jobs, outbox, runtime } = deps;

  /** Changes an integration that exists, as long as it is the same publication. */
  async function changeIntegration(name: string, { audit }: Context, changeOf: ChangeOf): Promise<void> {
    await again(async () => {
      const before = await findIntegration(deps, name);
      const { _id, publication } = before;
      const { update, details } = changeOf(before);
      await store.batch([
        write.update(integrations, { _id, publication }, update, { expect: 1 }),
        audit('integration', name, { details }),
      ]);
    });
  }

  return {
    async listIntegrations({ query: { page, limit, owner, ...filters } }, context) {
      const filter = { ...listingFilter(context.caller, owner), ...queryFilter(filters) };
      return integrationsPage(deps, { filter, request: { page, limit } }, context);
    },

    async getIntegrationByName({ path }, context) {
      return presentIntegration(deps, await findIntegration(deps, path.integrationName), context);
    },

    async publishIntegration({ path: { integrationName: name }, body }, context) {
      checkName(name);
      checkManifest(body);
      const organization = await checkPublisher(body.organization, context);
      checkIsOwn(await store.get(integrations, name), organization);
      const images = readImages(body);
      await checkStarts(deps, { name, organization, body });
      const published = await publishVersion(deps, { name, organization, body, images }, context);
      runtime.retire(name);
      return presentIntegration(deps, published, context);
    },

    async unpublishIntegration({ path: { integrationName: name } }, { audit }) {
      await again(async () => {
        const before = await findIntegration(deps, name);
        const { _id, publication, version } = before;
        await store.batch([
          write.delete(integrations, { _id, publication, version }, { expect: 1 }),
          jobs.enqueue<RemovePublicationPayload>(removePublicationKind, {
            publication,
            blobs: versionBlobs(before),
            scripts: addsScripts(before),
          }),
          outbox.add(integrationChanged, { integration: name }),
          audit('integration', name, { details: { version } }),
        ]);
      });
      runtime.retire(name);
    },

    async setIntegrationDevelopmentMode({ path, body: { tunnelUrl, all } }, context) {
      const checked = checkUrl(tunnelUrl, { allowCidrs: deps.allowCidrs });
      if (!checked.ok) throw invalid(`tunnelUrl: ${checked.problem}`);
      const { url } = checked;
      if (url.username || url.password) throw invalid('tunnelUrl: must not hold a user name or password');
      const { caller } = context;
      const token = caller.kind === 'user' ? caller.token : '';
      await changeIntegration(path.integrationName, context, () => ({
        update: { $set: { dev: { id: newId(), url: tunnelUrl, all, token } } },
        details: { host: url.host, all },
      }));
    },

    async disableIntegrationDevelopmentMode({ path }, context) {
      await changeIntegration(path.integrationName, context, ({ dev }) => {
        if (!dev) throw notFound('Development mode');
        return { update: { $unset: { dev: true } }, details: { dev: null } };
      });
    },
  };
}

type ChangeOf = (before: IntegrationDocument) => {
  update: Update<IntegrationDocument>;
  details: Record<string, unknown>;
};
