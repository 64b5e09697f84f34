import type { VNode } from 'preact';
import type { SiteModel } from '../page-model.js';
import { sectionList, variantMenu } from './choices.js';
import { headerLinkList } from './header.js';
import { sketch } from './menus.js';

/**
 * The table of contents beside a page. On narrow screens it is a popover that the button of the header opens, with what the header has no room for;
 * without a table of contents it is there only for them.
 */
export function sidebar(site: SiteModel, tree: string | undefined): VNode {
  const { words } = site;
  return (
    <div id="page:sidebar" class="sidebar" popover="auto">
      <div class="sidebar-head">
        {variantMenu(site, 'sidebar-variants')}
        <button
          type="button"
          class="icon-button"
          popovertarget="page:sidebar"
          popovertargetaction="hide"
          aria-label={words.close}
        >
          {sketch('xmark')}
        </button>
      </div>
      <nav aria-label={words.navigation}>
        <div class="narrow">{sectionList(site)}</div>
        {tree !== undefined && <div class="tree" dangerouslySetInnerHTML={{ __html: tree }} />}
        {site.headerLinks.length > 0 && <div class="narrow">{headerLinkList(site)}</div>}
      </nav>
    </div>
  );
}
