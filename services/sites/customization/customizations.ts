import { eachDocument, type Filter, type Store } from '../../../shared/store/port.js';
import { type SiteSpaceDocument, siteSpaces } from '../structure/model.js';
import { applyOverrides } from './customization-defaults.js';
import { customizations } from './model.js';
import { type Customization, defaultCustomization } from './resources.js';

/** The complete customization of a site: defaults for everything unset, and for fields of later releases. */
export async function customizationOf(store: Store, site: string): Promise<Customization> {
  const found = await store.get(customizations, site);
  return applyOverrides(defaultCustomization, found?.settings ?? {});
}

/** The complete customizations of a site and of its site spaces, by id. */
export interface Customizations {
  site: Customization;
  siteSpaces: Record<string, Customization>;
}

/** The customizations of a site and of the site spaces that it shows. */
export async function customizationsOf(
  store: Store,
  { site: id, shown }: { site: string; shown: string[] },
): Promise<Customizations> {
  const site = await customizationOf(store, id);
  const own = new Map<string, Customization>();
  const filter: Filter<SiteSpaceDocument> = { site: id, customized: true };
  for await (const { _id, customization = {} } of eachDocument(store, siteSpaces, filter, ['customization']))
    own.set(_id, applyOverrides(site, customization));
  return { site, siteSpaces: Object.fromEntries(shown.map((each) => [each, own.get(each) ?? site])) };
}
