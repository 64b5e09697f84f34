import { z } from 'zod';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { parseExpression } from '../../../shared/expression/parse.js';
import { ExpressionError } from '../../../shared/expression/syntax.js';
import { conditionSchema, titleSchema } from '../site/resources.js';
import { codeThemeSchema } from './code-themes/resources.js';
import { locales } from './locales/resources.js';

const colorSchema = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a color such as #1a2b3c')
  .meta({ description: 'Three or six hexadecimal digits after a #.' });
const themedColor = z.object({ light: colorSchema, dark: colorSchema });
const themedURL = z.object({ light: webUrlSchema, dark: webUrlSchema });

const styling = {
  theme: z.enum(['clean', 'muted', 'bold', 'gradient']),
  primaryColor: themedColor,
  tint: z.object({ color: themedColor }),
  infoColor: themedColor,
  successColor: themedColor,
  warningColor: themedColor,
  dangerColor: themedColor,
  corners: z.enum(['straight', 'rounded', 'circular']),
  depth: z.enum(['subtle', 'flat']),
  links: z.enum(['default', 'accent']),
  background: z.enum(['plain', 'match']).meta({ deprecated: true }),
  icons: z.enum(['regular', 'solid', 'duotone', 'light', 'thin']),
  search: z.enum(['prominent', 'subtle']),
};
const sidebar = { background: z.enum(['default', 'filled']), list: z.enum(['default', 'pill', 'line']) };

const fontDefinition = z.object({
  id: z.string().min(1).max(100),
  custom: z.boolean(),
  fontFamily: z.string().min(1).max(50),
  fontFaces: z
    .array(
      z.object({
        weight: z.number().int().min(1).max(1000),
        sources: z
          .array(z.object({ url: webUrlSchema, format: z.enum(['woff2', 'woff']).optional() }))
          .min(1)
          .max(10),
      }),
    )
    .min(1)
    .max(30),
});
const fonts = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const;
const monospaceFonts = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const;

/** A known font by name, or the definition of another one. */
const fontOf = <const F extends readonly [string, ...string[]]>(names: F) => z.union([z.enum(names), fontDefinition]);

const emojiSchema = z
  .string()
  .max(50)
  .regex(
    /^(\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$)/u,
    'must be an emoji, or its code points in hexadecimal such as 1f4a5',
  );

const faviconSchema = z
  .object({ icon: themedURL.optional(), emoji: emojiSchema.optional() })
  .refine(({ icon, emoji }) => icon === undefined || emoji === undefined, 'must have an icon or an emoji, not both');

const id = z.string().min(1).max(255);

/** The target of a link; it is not checked that the target exists. */
const linkTargetSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({
      kind: z.literal('url'),
      url: z.url({ protocol: /^(https?|mailto)$/, error: 'must be an http(s) or mailto URL' }).max(2048),
    }),
    z.object({ kind: z.literal('file'), file: id }),
    z.object({ kind: z.literal('page'), page: id, space: id.optional() }),
    z.object({ kind: z.literal('anchor'), anchor: id, page: id.optional(), space: id.optional() }),
    z.object({ kind: z.literal('user'), user: id }),
    z.object({ kind: z.literal('collection'), collection: id }),
    z.object({ kind: z.literal('space'), space: id }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: id, space: id.optional() }),
    z.object({ kind: z.literal('openapi'), spec: id }),
  ],
  { error: 'must be a reference of a known kind, such as { kind: "url", url }' },
);

const linkSchema = z.object({ title: z.string().max(64), to: linkTargetSchema });

/** A condition that can be read. */
export const visitorConditionSchema = conditionSchema.superRefine((condition, context) => {
  try {
    parseExpression(condition);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});

const maxLinks = 100;

const headerItemSchema = z.object({
  title: z.string().max(64),
  style: z.enum(['link', 'button-primary', 'button-secondary']).optional(),
  to: linkTargetSchema.nullable().meta({ description: 'Null for an item that only opens its links.' }),
  links: z.array(linkSchema).max(maxLinks),
  condition: visitorConditionSchema.optional(),
});

const header = {
  preset: z.enum(['default', 'bold', 'contrast', 'custom', 'none']),
  logo: themedURL,
  backgroundColor: themedColor.meta({ deprecated: true }),
  linkColor: themedColor.meta({ deprecated: true }),
  links: z.array(headerItemSchema).max(maxLinks),
};

const footer = {
  logo: themedURL,
  groups: z.array(z.object({ title: z.string().max(64), links: z.array(linkSchema).max(maxLinks) })).max(maxLinks),
  copyright: z.string().max(300),
};

const announcementSchema = z.object({
  enabled: z.boolean(),
  message: z.string().min(2).max(128),
  link: linkSchema.optional(),
  style: z.enum(['info', 'warning', 'danger', 'success']),
});

const themes = { default: z.enum(['light', 'dark']), toggeable: z.boolean() };
const enabled = { enabled: z.boolean() };
const git = { showEditLink: z.boolean() };
const externalLinks = { target: z.enum(['self', 'blank']) };
const page = { url: webUrlSchema };

/** Listed in the order in which they are shown where nothing else is set. */
export const pageActions = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const;
const pageActionItems = z
  .array(z.enum(pageActions))
  .max(20)
  .meta({ description: 'The actions in the menu of pages, in order; the first one is the button.' });

const platforms = [
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'github',
  'discord',
  'slack',
  'youtube',
  'tiktok',
  'reddit',
  'bluesky',
  'mastodon',
  'threads',
  'medium',
] as const;
const socialAccountsSchema = z
  .array(
    z.object({
      platform: z.enum(platforms),
      handle: z.string().min(1).max(128),
      display: z.object({ footer: z.boolean(), header: z.boolean() }),
    }),
  )
  .max(10);

const shownStyling = z.object({
  ...styling,
  tint: styling.tint.optional(),
  font: fontOf(fonts),
  monospaceFont: fontOf(monospaceFonts),
  sidebar: z.object(sidebar),
  codeTheme: codeThemeSchema,
});
const pageActionSwitches = z.object({ externalAI: z.boolean(), markdown: z.boolean() });

/** The customization of a site. */
export const customizationSchema = z
  .object({
    title: titleSchema.optional(),
    styling: shownStyling,
    internationalization: z.object({ locale: z.enum(locales) }),
    favicon: faviconSchema,
    header: z.object({
      ...header,
      logo: header.logo.optional(),
      backgroundColor: header.backgroundColor.optional(),
      linkColor: header.linkColor.optional(),
    }),
    footer: z.object({ ...footer, logo: footer.logo.optional(), copyright: footer.copyright.optional() }),
    announcement: announcementSchema.optional(),
    themes: z.object(themes),
    pdf: z.object(enabled),
    feedback: z.object(enabled),
    ai: z.object({ mode: z.enum(['none', 'search', 'assistant', 'integration']), integrationId: id.optional() }),
    advancedCustomization: z.object(enabled),
    git: z.object(git),
    pageActions: pageActionSwitches.extend({ items: pageActionItems }),
    externalLinks: z.object(externalLinks),
    pagination: z.object(enabled),
    trademark: z.object(enabled),
    privacyPolicy: z.object(page).partial(),
    socialPreview: z.object(page).partial(),
    socialAccounts: socialAccountsSchema,
    insights: z.object({ trackingCookie: z.boolean() }),
  })
  .meta({ id: 'SiteCustomizationSettings' });
export type Customization = z.output<typeof customizationSchema>;

/**
 * The customization as clients send it: what older ones do not know is optional, and so are the switches of page actions where
 * newer ones list the actions.
 */
export const sentCustomizationSchema = customizationSchema
  .extend({
    styling: shownStyling.partial({ codeTheme: true }),
    pdf: z.object(enabled).optional(),
    git: z.object(git).optional(),
    pageActions: pageActionSwitches.partial().extend({ items: pageActionItems.optional() }),
    socialAccounts: socialAccountsSchema.optional(),
  })
  .superRefine(({ pageActions: { items, externalAI, markdown }, pdf: pdfs, git: edits }, context) => {
    if (items) return;
    const switches = { pdf: pdfs, git: edits, 'pageActions.externalAI': externalAI, 'pageActions.markdown': markdown };
    for (const [field, value] of Object.entries(switches))
      if (value === undefined)
        context.addIssue({ code: 'custom', path: field.split('.'), message: 'required, without pageActions.items' });
  })
  .meta({ id: 'SentSiteCustomizationSettings' });
export type SentCustomization = z.output<typeof sentCustomizationSchema>;

/** The customization as it is stored: each switch is set. */
export type StoredCustomization = SentCustomization &
  Pick<Customization, 'pdf' | 'git'> & { pageActions: z.output<typeof pageActionSwitches> };

type Shape = Record<string, z.ZodType>;
type Overrides<S extends Shape> = { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };

/** Makes every field optional and nullable. */
const overridesOf = <S extends Shape>(shape: S) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([field, schema]) => [field, schema.nullable().optional()]),
    ) as Overrides<S>,
  );
const group = <S extends Shape>(shape: S) => overridesOf(shape).nullable().optional();

/** The customization that a site space overrides. Null resets a field, or a group of fields, to the value of the site. */
export const customizationOverridesSchema = z
  .object({
    title: titleSchema.nullable().optional(),
    styling: overridesOf(styling)
      .extend({ sidebar: group(sidebar) })
      .nullable()
      .optional(),
    internationalization: group({ locale: z.enum(locales) }),
    favicon: faviconSchema.nullable().optional(),
    announcement: announcementSchema.nullable().optional(),
    header: group(header),
    footer: group(footer),
    themes: group(themes),
    pdf: group(enabled),
    feedback: group(enabled),
    git: group(git),
    externalLinks: group(externalLinks),
    pagination: group(enabled),
    trademark: group(enabled),
    privacyPolicy: group(page),
    socialPreview: group(page),
  })
  .meta({ id: 'SiteSpaceCustomizationOverrides' });
export type CustomizationOverrides = z.output<typeof customizationOverridesSchema>;

/** The customization of a site for which nothing is set; complete, as renderers expect. */
export const defaultCustomization: Customization = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#1d4ed8', dark: '#60a5fa' },
    infoColor: { light: '#475569', dark: '#94a3b8' },
    successColor: { light: '#15803d', dark: '#4ade80' },
    warningColor: { light: '#b45309', dark: '#fbbf24' },
    dangerColor: { light: '#b91c1c', dark: '#f87171' },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
    codeTheme: {
      default: { light: 'default-light', dark: 'default-dark' },
      openapi: { light: 'default-light', dark: 'default-dark' },
    },
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true, items: ['markdown', 'pdf'] },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  socialAccounts: [],
  insights: { trackingCookie: true },
};
