import type { HandlersOf } from '../../../shared/contract/service.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { adaptiveSchemaOperations } from '../contract/publishing.js';
import { type HasRenderers, siteTag } from '../renderers/renderers.js';
import { siteOf } from '../site/model.js';
import { publishing } from './model.js';
import { publishingOf } from './publishing-auth.js';
import type { AdaptiveSchema, SiteAdaptiveSchema } from './resources.js';
import { templateConditions } from './template-conditions.js';

/** A schema that was never set declares nothing. */
const nothingDeclared: AdaptiveSchema = { type: 'object', properties: {}, additionalProperties: false };

const present = (jsonSchema: AdaptiveSchema, updatedAt: string): SiteAdaptiveSchema => ({
  object: 'site-adaptive-schema',
  jsonSchema,
  updatedAt,
});

export const adaptiveSchemaHandlers = (
  deps: HasStore & HasSecrets & HasRenderers,
): HandlersOf<typeof adaptiveSchemaOperations> => ({
  async getSiteAdaptiveSchema({ path: { siteId } }) {
    const [site, found] = await Promise.all([siteOf(deps.store, siteId), deps.store.get(publishing, siteId)]);
    return present(found?.schema ?? nothingDeclared, found?.schemaUpdatedAt ?? site.createdAt);
  },

  async updateSiteAdaptiveSchema({ path: { siteId }, body: { jsonSchema: schema } }, { audit }) {
    const before = await publishingOf(deps, siteId);
    if (before.schemaUpdatedAt !== undefined && !changesOf(before, { schema }))
      return present(schema, before.schemaUpdatedAt);
    const schemaUpdatedAt = timestamp();
    await deps.store.batch([
      write.update(publishing, { _id: siteId }, { $set: { schema, schemaUpdatedAt } }, { expect: 1 }),
      ...deps.renderers.revalidate([siteTag(siteId)]),
      audit('site-adaptive-schema', siteId, { details: { claims: Object.keys(schema.properties).slice(0, 100) } }),
    ]);
    return present(schema, schemaUpdatedAt);
  },

  async listSiteAdaptiveTemplateConditions({ path: { siteId } }) {
    const found = await deps.store.get(publishing, siteId, { fields: ['schema'] });
    return { items: templateConditions(found?.schema ?? nothingDeclared) };
  },
});
