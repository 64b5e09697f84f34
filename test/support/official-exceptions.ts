import type { Exception } from './official.js';

const required = (schema: Record<string, unknown>) => schema.required as string[];
/** Of 0.202, which 0.137 lacks. */
const newerScopes = ['site:visitor:claims', 'page:feedback:read'];
const settings = ['ssoURL', 'entityID', 'certificate'];

/** A kind of structure: what it lists, or what its entries are. */
interface Shown {
  properties: { structure: { items: { $ref?: string; oneOf?: object[] } } };
}
const externalLink = {
  type: 'object',
  properties: { object: { enum: ['site-external-link'] }, url: { type: 'string' } },
  required: ['object', 'id', 'title', 'url', 'draft'],
};
function withExternalLinks(shown: Shown): Shown {
  const { structure } = shown.properties;
  const kinds = structure.items.oneOf;
  if (kinds?.length !== 2) return shown;
  return {
    ...shown,
    properties: { ...shown.properties, structure: { ...structure, items: { oneOf: [...kinds, externalLink] } } },
  };
}

/** Where answers are held to neither file. C1 is a row of the conflicts in which the specification wins. */
export const exceptions: Exception[] = [
  {
    schema: 'OrganizationSAMLProvider',
    reason: 'the file has a status `pending`, yet requires what such a provider lacks; `label` alone is required',
    instead: (schema) => ({
      ...schema,
      required: required(schema).filter((field) => !settings.includes(field)),
      anyOf: [{ properties: { status: { enum: ['pending'] } } }, { required: settings }],
    }),
  },
  {
    schema: 'Space',
    reason: 'the file requires `emoji` and has no word for none, which is an empty string',
    instead: (schema) => ({
      ...schema,
      properties: {
        ...(schema.properties as object),
        emoji: { anyOf: [{ $ref: '#/components/schemas/Emoji' }, { enum: [''] }] },
      },
    }),
  },
  {
    schema: 'Translation',
    reason: 'C1: these are settings with a title and languages, not a translation of one space',
    instead: () => ({
      type: 'object',
      properties: {
        object: { enum: ['translation-settings'] },
        title: { type: 'string', minLength: 1, maxLength: 100 },
        languages: { type: 'array', items: { $ref: '#/components/schemas/TranslationLanguage' } },
      },
      required: ['object', 'id', 'title', 'languages', 'createdAt', 'updatedAt', 'permissions', 'urls'],
    }),
  },
  {
    schema: 'Document',
    reason: 'the file says that a page without a body has no field whatever; it has no body',
    instead: ({ oneOf }) => ({
      oneOf: [
        ...(oneOf as object[]).slice(0, 2),
        { not: { anyOf: [{ required: ['markdown'] }, { required: ['document'] }] } },
      ],
    }),
  },
  {
    schema: 'RevisionPageDocument',
    reason:
      'the file lets a page be of one kind only, and any page with `computed` is of both: that of the others requires nothing',
    instead: ({ allOf, ...schema }) => ({
      ...schema,
      allOf: (allOf as { oneOf?: unknown }[]).map(({ oneOf, ...part }) => (oneOf ? { ...part, anyOf: oneOf } : part)),
    }),
  },
  {
    schema: 'SiteStructure',
    reason: 'external links came with newer clients; the newest file has them',
    instead: ({ oneOf, ...schema }) => ({ ...schema, oneOf: (oneOf as Shown[]).map(withExternalLinks) }),
  },
  {
    schema: 'SiteRedirectSourcePath',
    reason: 'sources with a wildcard came with newer clients',
    instead: ({ pattern: _, ...schema }) => schema,
  },
  {
    schema: 'IntegrationScope',
    reason: 'scopes came with newer clients, and the integration of webhooks has one of them',
    instead: (schema) => ({ ...schema, enum: [...new Set([...(schema.enum as string[]), ...newerScopes])] }),
  },
  {
    schema: 'PlainObject',
    reason: 'the file does not say that it is an object, so that any text in it is both a text and such an object',
    instead: (schema) => ({ type: 'object', ...schema }),
  },
  {
    schema: 'RevisionSemanticChangePageEdited',
    reason: 'the file lets the attributes be of one kind of page only, and those that all kinds have are of each',
    instead: ({ properties, ...schema }) => {
      const { attributes, ...others } = properties as Record<string, { oneOf?: unknown }>;
      return { ...schema, properties: { ...others, attributes: { anyOf: attributes?.oneOf } } };
    },
  },
];

const without =
  (...fields: string[]) =>
  (schema: Record<string, unknown>) => ({
    ...schema,
    required: required(schema).filter((field) => !fields.includes(field)),
  });
/** Scopes that the newest file has no more, and integrations of older ones declare. */
const formerScopes = [
  'space:views:read',
  'space:script:inject',
  'space:script:cookies',
  'space:visitor:auth',
  'site:ai:ask',
];

const withoutFormatOf = (field: string) => (schema: Record<string, unknown>) => {
  const properties = schema.properties as Record<string, Record<string, unknown>>;
  const { format: _, ...rest } = properties[field] ?? {};
  return { ...schema, properties: { ...properties, [field]: rest } };
};

/** Where the newest file contradicts the other one, which is older and stays, or Bindery. */
export const newestExceptions: Exception[] = [
  {
    schema: 'AuditEvent',
    reason: 'the file has UUIDs for ids of audit events alone; these are like all others here',
    instead: withoutFormatOf('id'),
  },
  {
    schema: 'GitSyncState',
    reason: 'a repository of another provider than those of the file has none of them',
    instead: without('installationProvider'),
  },
  {
    schema: 'IntegrationScope',
    reason: 'integrations that are published keep the scopes that they were published with',
    instead: (schema) => ({ ...schema, enum: [...(schema.enum as string[]), ...formerScopes] }),
  },
  {
    schema: 'IntegrationCategory',
    reason: 'as with their scopes',
    instead: (schema) => ({ ...schema, enum: [...(schema.enum as string[]), 'gitsync'] }),
  },
];
