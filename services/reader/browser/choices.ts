import { all, onClick, recall, remember } from './elements.js';

const root = document.documentElement;

/** Light, dark, or what the system says; the script in the head sets the remembered one before the first paint. */
export function startThemes(): void {
  const buttons = all('[data-choose-theme]');
  const show = () => {
    const theme = root.dataset.theme || 'system';
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.chooseTheme === theme));
  };
  onClick('[data-choose-theme]', ({ dataset: { chooseTheme = 'system' } }) => {
    remember('theme', chooseTheme);
    root.dataset.theme = chooseTheme === 'system' ? '' : chooseTheme;
    show();
  });
  show();
}

/** The announcement stays away until its text changes. */
export function startAnnouncement(): void {
  const announcement = document.querySelector<HTMLElement>('.announcement');
  const key = announcement?.dataset.key ?? '';
  if (recall('dismissed') !== key) delete root.dataset.dismissed;
  onClick('[data-dismiss]', () => {
    remember('dismissed', key);
    root.dataset.dismissed = '';
  });
}

const maxRememberedTabs = 30;
const label = (input: HTMLInputElement) => input.labels?.[0]?.textContent?.trim() ?? '';

function rememberedTabs(): string[] {
  try {
    const tabs: unknown = JSON.parse(recall('tabs') ?? '[]');
    return Array.isArray(tabs) ? tabs.filter((tab) => typeof tab === 'string') : [];
  } catch {
    return [];
  }
}

/** Tabs of the same name switch together, on this page and on the next ones. */
export function startTabs(): void {
  const inputs = all<HTMLInputElement>('.tab-input');
  if (inputs.length === 0) return;
  const titles = rememberedTabs();
  const names = new Set(inputs.map(({ name }) => name));
  for (const each of names) {
    const group = inputs.filter(({ name }) => name === each);
    const ranked = group.filter((input) => titles.includes(label(input)));
    ranked.sort((one, other) => titles.indexOf(label(one)) - titles.indexOf(label(other)));
    const chosen = ranked[0] ?? group[0];
    if (chosen && !group.some(({ checked }) => checked)) chosen.checked = true;
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.tab-input')) return;
    const title = label(target);
    const before = target.labels?.[0]?.getBoundingClientRect().top ?? 0;
    for (const input of inputs) if (label(input) === title && input.name !== target.name) input.checked = true;
    // Panels above may have become longer or shorter: what was clicked stays where it was.
    scrollBy({ top: (target.labels?.[0]?.getBoundingClientRect().top ?? 0) - before, behavior: 'instant' });
    remember(
      'tabs',
      JSON.stringify([title, ...rememberedTabs().filter((each) => each !== title)].slice(0, maxRememberedTabs)),
    );
  });
}

/** Shows the panel of tabs. */
export function openPanel(panel: Element): void {
  let before = panel.previousElementSibling;
  while (before && !before.matches('.tab-input')) before = before.previousElementSibling;
  if (before instanceof HTMLInputElement) before.checked = true;
}
