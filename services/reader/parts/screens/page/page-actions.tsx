import type { VNode } from 'preact';
import { fillIn } from '../../../words/languages.js';
import { link, safeHref } from '../../frame/links.js';
import { menu, sketch } from '../../frame/menus.js';
import type { PageModel, SiteModel } from '../../page-model.js';

type Action = SiteModel['customization']['pageActions']['items'][number];

const copyMarkdown = ({ words }: SiteModel, href: string): VNode => (
  <li class="needs-script">
    <button type="button" data-copy-from={href} data-said={words.copied}>
      {sketch('copy')}
      <span>{words.copyMarkdown}</span>
    </button>
  </li>
);

const print = ({ words }: SiteModel): VNode => (
  <li class="needs-script">
    <button type="button" data-print>
      {sketch('print')}
      <span>{words.print}</span>
    </button>
  </li>
);

/** Entries of the menu that an action of the customization stands for. */
function entriesOf(site: SiteModel, page: PageModel, action: Action): VNode[] {
  const { words } = site;
  const entry = (icon: string, href: string, text: string) => (
    <li>{link(site, href, [sketch(icon), <span>{text}</span>])}</li>
  );
  const markdown = safeHref(page.markdown);
  if (action === 'markdown' && markdown)
    return [copyMarkdown(site, markdown), entry('file-lines', markdown, words.viewMarkdown)];
  if (action === 'pdf') return [...(page.pdf ? [entry('file-pdf', page.pdf, words.downloadPdf)] : []), print(site)];
  if (action === 'git' && page.edit) return [entry('pen', page.edit.href, fillIn(words.editOnGit, page.edit.host))];
  return [];
}

/** The menu beside the title of a page: its Markdown, printing, its source. */
export function pageActions(site: SiteModel, page: PageModel): VNode | null {
  const { words, customization, isCopy } = site;
  // All of them but the link to the source, which is at the end of the page too, need a server or a script.
  if (isCopy) return null;
  const actions = new Set(customization.pageActions.items);
  if (customization.git.showEditLink) actions.add('git');
  const entries = [...actions].flatMap((action) => entriesOf(site, page, action));
  if (page.rss) entries.push(<li>{link(site, page.rss, [sketch('rss'), <span>{words.rss}</span>])}</li>);
  if (entries.length === 0) return null;
  const face = [sketch('ellipsis'), <span class="visually-hidden">{words.pageActions}</span>];
  return menu({ face, class: 'page-actions', button: 'icon-button', group: 'page' }, <ul>{entries}</ul>);
}
