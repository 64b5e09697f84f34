import type { Printing } from '../../../content/contract.js';
import { defaultCustomization } from '../../../sites/resources.js';
import type { RequestPlace } from '../../site/addresses.js';
import { type OpenSite, openSite } from '../../site/open-site.js';
import type { ReaderDependencies } from '../../site/reader-context.js';
import type { Visit } from '../../visits/visit.js';
import { localeOf } from '../../words/locales.js';

/** Opens a space that is read without a site: as a site of its own for which nothing is set, with links to the space in the app. */
export function openSpace(
  deps: ReaderDependencies,
  place: RequestPlace,
  { visitor, title, language }: Pick<Printing, 'visitor' | 'title' | 'language'>,
): Promise<OpenSite> {
  const { space } = visitor;
  const locale = localeOf(language ?? defaultCustomization.internationalization.locale);
  const basePath = `${place.rootPath}/app/s/${space}/`;
  const visit = {
    visitor,
    key: '',
    shown: {
      space,
      siteSpace: '',
      basePath,
      siteBasePath: basePath,
      pathname: '',
      canonicalUrl: place.url.origin + basePath,
    },
    site: {
      site: { title, urls: {} },
      structure: { type: 'siteSpaces', structure: [] },
      customizations: { site: { ...defaultCustomization, internationalization: { locale } }, siteSpaces: {} },
      scripts: [],
    },
    // The rest of a site is for what stands around its pages.
  } as unknown as Visit;
  return openSite(deps, { ...place, visit });
}
