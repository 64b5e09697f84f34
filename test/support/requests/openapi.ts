import { unique } from '../fixtures.js';
import { petstore, publish, textOf } from '../openapi.js';
import { type Make, once, type Particulars, type Resources } from './setting.js';

const freshSpec: Make = async ({ admin, organization }) => {
  const slug = unique('spec').replaceAll(' ', '-');
  await publish(admin, `/v1/orgs/${organization}/openapi/${slug}`, textOf(petstore(slug)));
  return slug;
};
const anySpec = once(freshSpec);

/** Of the latest version. */
const anyVersion: Make = async (setting, caller) => {
  const slug = await anySpec(setting, caller);
  return (await setting.admin.get(`/v1/orgs/${setting.organization}/openapi/${slug}`)).body.lastVersion;
};

/** A text instead of the URL of the example, which nobody serves. */
const withText: Particulars['body'] = async (example) => ({
  ...example,
  ...('slug' in example ? { slug: unique('spec').replaceAll(' ', '-') } : {}),
  ...textOf(petstore()),
});

/** Of a specification that there is; its page is that of the example. */
const computing: Particulars = {
  body: async ({ source, ...example }, setting, caller) => ({
    ...example,
    source: {
      ...(source as object),
      dependencies: { spec: { ref: { kind: 'openapi', spec: await anySpec(setting, caller) } } },
    },
  }),
};

export const openapi: Resources = {
  parameters: {
    specSlug: { any: anySpec, fresh: freshSpec },
    versionId: { any: anyVersion },
  },
  particulars: {
    createOpenAPISpec: { body: withText },
    createOrUpdateOpenAPISpecBySlug: { body: withText },
    getComputedDocument: computing,
    getComputedRevision: computing,
  },
};
