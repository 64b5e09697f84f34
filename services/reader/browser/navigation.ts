import { openPanel } from './choices.js';
import { all } from './elements.js';
import { facts } from './page-facts.js';

const openMenus = () => all<HTMLDetailsElement>('details.menu[open]');

/** Menus close by Escape, by a click elsewhere, and when the focus leaves them. */
export function startMenus(): void {
  const closeOthers = ({ target }: Event) => {
    for (const menu of openMenus()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
  };
  document.addEventListener('click', closeOthers);
  document.addEventListener('focusin', closeOthers);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of openMenus()) {
      if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
      menu.open = false;
    }
  });
  // On a phone the popover covers the heading that a link of the same page leads to.
  const sidebar = document.getElementById('page:sidebar');
  sidebar?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && sidebar.matches(':popover-open')) sidebar.hidePopover();
  });
  const current = sidebar?.querySelector('.tree [aria-current]');
  if (!sidebar || !current) return;
  const [shown, { top, bottom }] = [sidebar.getBoundingClientRect(), current.getBoundingClientRect()];
  if (bottom > shown.bottom) sidebar.scrollTop += top - shown.top - sidebar.clientHeight / 2;
}

/** Opens what hides the element that the address names. */
export function startTargets(): void {
  const show = () => {
    let target: HTMLElement | null = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      // No id is written like this.
    }
    if (!target) return;
    let wasHidden = false;
    for (let outer: Element | null = target; outer; outer = outer.parentElement) {
      let isClosed = false;
      if (outer instanceof HTMLDetailsElement) {
        isClosed = !outer.open;
        outer.open = true;
      }
      const isHidden = outer.matches('.tab-panel') && getComputedStyle(outer).display === 'none';
      if (outer.matches('.tab-panel')) openPanel(outer);
      wasHidden ||= isClosed || isHidden;
    }
    if (wasHidden) target.scrollIntoView();
  };
  addEventListener('hashchange', show);
  show();
}

/** Marks in the outline the heading that is read. */
export function startOutline(): void {
  const links = all<HTMLAnchorElement>('.outline a');
  const headings = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ heading, link }] : [];
  });
  // A link to a heading leaves it some pixels below the padding.
  const top = 24 + (Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0);
  const placeOf = ({ heading }: { heading: HTMLElement }) => heading.getBoundingClientRect().top;
  /** At the end of the page its last headings cannot reach the top: the one that was asked for is read, or the last one. */
  const atEnd = () => {
    if (scrollY === 0 || innerHeight + scrollY < document.documentElement.scrollHeight - 2) return undefined;
    return headings.find((each) => each.link.hash === location.hash && placeOf(each) > 0) ?? headings.at(-1);
  };
  const mark = () => {
    const current = atEnd() ?? headings.findLast((each) => placeOf(each) <= top) ?? headings[0];
    for (const { link } of headings) {
      if (link === current?.link) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    current?.link.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  const observer = new IntersectionObserver(mark, { rootMargin: `-${top}px 0px 0px`, threshold: [0, 1] });
  for (const { heading } of headings) observer.observe(heading);
  addEventListener('scrollend', mark);
}

const hoverMs = 60;
const maxPrefetched = 50;

/** Loads a page of the site when a reader is about to open it. */
export function startPrefetching(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  const seen = new Set([location.href.split('#')[0]]);
  let waiting = 0;
  const consider = ({ target }: Event) => {
    clearTimeout(waiting);
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link || link.origin !== location.origin || !link.pathname.startsWith(facts.base)) return;
    const [href = ''] = link.href.split('#');
    if (seen.has(href) || seen.size > maxPrefetched || link.pathname.includes('/~') || link.target === '_blank') return;
    waiting = setTimeout(() => {
      seen.add(href);
      const hint = document.createElement('link');
      hint.rel = 'prefetch';
      hint.href = href;
      document.head.append(hint);
    }, hoverMs);
  };
  if (connection?.saveData) return;
  document.addEventListener('pointerover', consider, { passive: true });
  document.addEventListener('focusin', consider);
}
