import type { Audit } from '../../../shared/contract/audit.js';
import type { Call, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type Filter, type HasStore, type Store, write } from '../../../shared/store/port.js';
import type { customizationOperations } from '../contract/customization.js';
import { type HasRenderers, siteTag } from '../renderers/renderers.js';
import { sites } from '../site/model.js';
import type { HasConfig } from '../site/urls.js';
import { type SiteSpaceDocument, siteSpaces } from '../structure/model.js';
import { applyOverrides, overridesAfter, settingsOf } from './customization-defaults.js';
import { customizationOf } from './customizations.js';
import { checkFonts, withPresentFonts } from './fonts.js';
import { customizations } from './model.js';
import { type Customization, type CustomizationOverrides, defaultCustomization } from './resources.js';

export const customizationHandlers = (
  deps: HasStore & HasRenderers & HasConfig,
): HandlersOf<typeof customizationOperations> => {
  const { store, renderers } = deps;
  const present = async (customization: Customization, call: Call, { organizationId }: { organizationId: string }) => {
    const [shown] = await withPresentFonts(deps, { call, organization: organizationId }, [customization]);
    return shown as Customization;
  };
  return {
    async getSiteCustomizationById({ path }, { call }) {
      return present(await customizationOf(store, path.siteId), call, path);
    },

    async updateSiteCustomizationById({ path, body }, { audit, call }) {
      const { siteId } = path;
      await checkFonts(deps, { call, organization: path.organizationId }, body.styling);
      const settings = settingsOf(body);
      const before = await store.get(customizations, siteId);
      const changed = changedFields(before?.settings ?? {}, settings);
      if (changed.length > 0)
        await store.batch([
          write.check(sites, { _id: siteId }, 1),
          write.upsert(customizations, { _id: siteId }, { $set: { settings } }),
          ...renderers.revalidate([siteTag(siteId)]),
          audit('site', siteId, { details: { customization: changed } }),
        ]);
      return present(applyOverrides(defaultCustomization, settings), call, path);
    },

    async getSiteSpaceCustomizationById({ path }, { call }) {
      const { siteId, siteSpaceId: id } = path;
      const [{ customization = {} }, ofSite] = await Promise.all([
        siteSpaceOf(store, { site: siteId, id }),
        customizationOf(store, siteId),
      ]);
      return present(applyOverrides(ofSite, customization), call, path);
    },

    async overrideSiteSpaceCustomizationById({ path, body }, { audit, call }) {
      const { siteId, siteSpaceId: id } = path;
      const decide = (before: CustomizationOverrides | undefined) => overridesAfter(before, body);
      const overrides = await changeOverrides(deps, { audit, site: siteId, id, decide });
      return present(applyOverrides(await customizationOf(store, siteId), overrides ?? {}), call, path);
    },

    async deleteSiteSpaceCustomizationById({ path: { siteId, siteSpaceId: id } }, { audit }) {
      await changeOverrides(deps, { audit, site: siteId, id, decide: () => null });
    },
  };
};

/** The names of the fields of the first level that differ. */
function changedFields(before: object, after: object): string[] {
  const cleared = Object.fromEntries(Object.keys(before).map((field) => [field, null]));
  return Object.keys(changesOf({ _id: '', ...before }, { ...cleared, ...after })?.details ?? {});
}

/** Loads a site space of a site. Throws 404 when the site has no such site space. */
async function siteSpaceOf(store: Store, { site, id }: { site: string; id: string }): Promise<SiteSpaceDocument> {
  const found = await store.get(siteSpaces, id);
  if (found?.site !== site) throw notFound('Site space');
  return found;
}

interface OverridesChange {
  audit: Audit;
  site: string;
  id: string;
  /** Answers the overrides as they are to be, null for none. */
  decide: (before: CustomizationOverrides | undefined) => CustomizationOverrides | null;
}

/** Changes overrides on the version that was read, so that concurrent changes of different fields all succeed; answers them. */
function changeOverrides(
  { store, renderers }: HasStore & HasRenderers,
  { audit, site, id, decide }: OverridesChange,
): Promise<CustomizationOverrides | null> {
  return again(async () => {
    const before = await siteSpaceOf(store, { site, id });
    const { customization, customizationVersion: version } = before;
    const overrides = decide(customization);
    const wanted = {
      customization: overrides,
      customized: overrides && (true as const),
      customizationVersion: overrides && (version ?? 0) + 1,
    };
    const changes = changesOf(before, { customization: overrides }) && changesOf(before, wanted);
    if (!changes) return overrides;
    const isUnchanged: Filter<SiteSpaceDocument> = { _id: id, customizationVersion: version ?? { $exists: false } };
    await store.batch([
      write.update(siteSpaces, isUnchanged, changes.update, { expect: 1 }),
      ...renderers.revalidate([siteTag(site)]),
      audit('site-space', id, {
        details: { site, customization: changedFields(customization ?? {}, overrides ?? {}) },
      }),
    ]);
    return overrides;
  });
}
