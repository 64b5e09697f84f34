import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { timestampSchema, webUrlSchema } from '../../../shared/contract/fields.js';
import { problemsOf } from '../../../shared/text/schema-messages.js';
import { roleOrGuestSchema } from '../../identity/resources.js';
import { withDefaults } from '../customization/customization-defaults.js';
import { customizationSchema, visitorConditionSchema } from '../customization/resources.js';
import { mcpServerNameSchema, mcpTransports } from '../mcp-servers/resources.js';
import { adaptiveSchemaSchema } from '../publishing/resources.js';
import { redirectSourceSchema } from '../redirects/resources.js';
import {
  agentsContexts,
  customHostnameSchema,
  iconSchema,
  localizedSchema,
  proxyOriginSchema,
  siteTypes,
  visibilities,
} from '../site/resources.js';
import { replaceTexts, siteFilePattern } from './archived-files.js';

export const archivedId = z.string().min(1).max(100);

const ofSite = { id: archivedId, site: archivedId };
const title = z.string().max(1000);
const description = z.string().max(1000);
const condition = visitorConditionSchema.optional();

const settingsSchema = z.record(z.string(), z.unknown());
const filesSchema = z.array(z.string().regex(siteFilePattern, 'must be a name in sites/files/')).max(1000).optional();

interface Customized {
  field: string;
  settings: Record<string, unknown>;
  /** Names of files in place of addresses. */
  files?: string[] | undefined;
}

/** Refuses settings that make no whole customization with the defaults for everything unset. */
function checkCustomization({ field, settings, files = [] }: Customized, context: z.RefinementCtx): void {
  const named = new Set(files);
  const addressed = replaceTexts(settings, (text) => (named.has(text) ? 'https://example.com/' : text));
  const whole = withDefaults(addressed as typeof settings);
  const checked = customizationSchema.safeParse(whole);
  const [problem] = checked.success ? [] : problemsOf(checked.error.issues);
  if (problem) context.addIssue({ code: 'custom', ...problem, path: [field, ...problem.path] });
  else if (!isDeepStrictEqual(checked.data, whole))
    context.addIssue({ code: 'custom', path: [field], message: 'has unknown fields' });
}

export const siteLine = z.strictObject({
  id: archivedId,
  type: z.enum(siteTypes),
  title,
  visibility: z.enum(visibilities),
  published: z.boolean(),
  basename: z.string().min(1).max(200),
  hostname: customHostnameSchema.optional(),
  proxy: proxyOriginSchema.optional(),
  adaptiveContent: z.boolean(),
  agentsContext: z.enum(agentsContexts),
  createdAt: timestampSchema,
});

export const sectionLine = z.strictObject({
  ...ofSite,
  title,
  localizedTitle: localizedSchema(1000).optional(),
  description: description.optional(),
  localizedDescription: localizedSchema(1000).optional(),
  icon: iconSchema.optional(),
  condition,
});

export const groupLine = z.strictObject({
  ...ofSite,
  title,
  localizedTitle: localizedSchema(1000).optional(),
  icon: iconSchema.optional(),
});

export const linkLine = z.strictObject({
  ...ofSite,
  title,
  localizedTitle: localizedSchema(1000).optional(),
  description: description.optional(),
  localizedDescription: localizedSchema(1000).optional(),
  icon: iconSchema.optional(),
  url: webUrlSchema,
  draft: z.literal(true).optional(),
  condition,
});

export const siteSpaceLine = z
  .strictObject({ ...ofSite, condition, customization: settingsSchema.optional(), files: filesSchema })
  .superRefine(({ customization: settings, files }, context) => {
    if (settings) checkCustomization({ field: 'customization', settings, files }, context);
  });

export const customizationLine = z
  .strictObject({ site: archivedId, settings: settingsSchema, files: filesSchema })
  .superRefine(({ settings, files }, context) => checkCustomization({ field: 'settings', settings, files }, context));

export const authenticationLine = z.strictObject({
  site: archivedId,
  backend: z.enum(['custom', 'integration']),
  integration: archivedId.optional(),
  fallbackURL: webUrlSchema.optional(),
  schema: adaptiveSchemaSchema.optional(),
  schemaUpdatedAt: timestampSchema.optional(),
});

export const shareLinkLine = z.strictObject({
  ...ofSite,
  name: title,
  active: z.boolean(),
  createdAt: timestampSchema,
});

export const redirectLine = z.strictObject({
  ...ofSite,
  source: redirectSourceSchema,
  destination: z.union([
    z.strictObject({ kind: z.literal('site-section'), siteSectionId: archivedId }),
    z.strictObject({ kind: z.literal('site-space'), siteSpaceId: archivedId }),
    z.strictObject({ kind: z.literal('site-page'), siteSpaceId: archivedId, pageId: archivedId }),
  ]),
  draft: z.literal(true).optional(),
  captureWildcard: z.literal(true).optional(),
  permanent: z.literal(true).optional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema.optional(),
});

export const mcpServerLine = z.strictObject({
  ...ofSite,
  name: mcpServerNameSchema,
  url: webUrlSchema,
  transport: z.enum(mcpTransports),
  condition,
  headers: z.array(z.string().min(1).max(100)).max(100),
  createdAt: timestampSchema,
});

export const siteGrantLine = z
  .strictObject({
    site: archivedId,
    user: archivedId.optional(),
    team: archivedId.optional(),
    role: roleOrGuestSchema,
    createdAt: timestampSchema,
  })
  .refine(({ user, team }) => (user === undefined) !== (team === undefined), {
    error: 'must be for either a `user` or a `team`',
  });
