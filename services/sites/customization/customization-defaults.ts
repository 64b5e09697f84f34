import {
  type Customization,
  type CustomizationOverrides,
  defaultCustomization,
  pageActions,
  type SentCustomization,
  type StoredCustomization,
} from './resources.js';

type Fields = Record<string, unknown>;
interface Groups {
  [field: string]: Groups;
}

/** The fields that are merged field by field; any other is replaced as a whole. */
const groups: Groups = {
  styling: { sidebar: {} },
  internationalization: {},
  header: {},
  footer: {},
  themes: {},
  pdf: {},
  feedback: {},
  ai: {},
  advancedCustomization: {},
  git: {},
  pageActions: {},
  externalLinks: {},
  pagination: {},
  trademark: {},
  privacyPolicy: {},
  socialPreview: {},
  insights: {},
};

/** Merges `over` into `base`, group by group; null removes a field. */
function mergeGroups(base: Fields, over: Fields, within: Groups): Fields {
  const result = { ...base };
  for (const [field, value] of Object.entries(over)) {
    const inner = within[field];
    if (value === undefined) continue;
    if (value === null) delete result[field];
    else if (inner) result[field] = mergeGroups((result[field] ?? {}) as Fields, value as Fields, inner);
    else result[field] = value;
  }
  return result;
}

/** The settings with defaults for everything unset. */
export const withDefaults = (settings: Fields): Fields => mergeGroups(defaultCustomization, settings, groups);

function withoutEmptyGroups(fields: Fields, within: Groups): Fields {
  const result: Fields = {};
  for (const [field, value] of Object.entries(fields)) {
    const inner = within[field];
    const kept = inner ? withoutEmptyGroups(value as Fields, inner) : value;
    if (!inner || Object.keys(kept as Fields).length > 0) result[field] = kept;
  }
  return result;
}

type Switched = Pick<Customization, 'pageActions' | 'pdf' | 'git' | 'ai'>;

/** The actions that are on, those that were listed first. */
function itemsOf({ pageActions: { items, externalAI, markdown }, pdf, git, ai }: Switched) {
  const isOn = {
    assistant: ai.mode === 'assistant',
    'external-ai': externalAI,
    markdown,
    mcp: items.includes('mcp'),
    git: git.showEditLink,
    pdf: pdf.enabled,
  };
  return [...new Set([...items, ...pageActions])].filter((action) => isOn[action]);
}

/** Applies what a site, or a site space, sets; everything else is as in `base`. */
export function applyOverrides(base: Customization, over: CustomizationOverrides | StoredCustomization): Customization {
  const shown = mergeGroups(base, over, groups) as unknown as Customization;
  return { ...shown, pageActions: { ...shown.pageActions, items: itemsOf(shown) } };
}

/** The stored form of a sent customization: a switch that was not sent is on if its action is listed, off otherwise. */
export function settingsOf(sent: SentCustomization): StoredCustomization {
  const { items, ...switches } = sent.pageActions;
  // Without items, all switches are required.
  if (!items) return sent as StoredCustomization;
  return {
    ...sent,
    pdf: sent.pdf ?? { enabled: items.includes('pdf') },
    git: sent.git ?? { showEditLink: items.includes('git') },
    pageActions: {
      externalAI: items.includes('external-ai'),
      markdown: items.includes('markdown'),
      ...switches,
      items,
    },
  };
}

/** The overrides after changes to them; null when none remains. */
export function overridesAfter(
  before: CustomizationOverrides | undefined,
  changes: CustomizationOverrides,
): CustomizationOverrides | null {
  const after = withoutEmptyGroups(mergeGroups({ ...before }, changes, groups), groups);
  return Object.keys(after).length > 0 ? after : null;
}
