import { all, element, onClick, openDialog, say } from './elements.js';
import { word } from './page-facts.js';

/** Copies a text that may still be on its way; Safari takes it only while the click is handled. */
async function copy(text: string | Promise<string>): Promise<void> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else {
      const blob = text.then((each) => new Blob([each], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    }
    say(word('copied'));
  } catch {
    say(word('error'));
  }
}

/** The text of code without the notes in it. */
function codeOf(figure: HTMLElement): string {
  const shown = figure.querySelector('pre > code') ?? figure.querySelector('.prompt-body') ?? figure;
  const code = shown.cloneNode(true) as HTMLElement;
  for (const note of all('[popover], button, sup', code)) note.remove();
  return (code.textContent ?? '').replace(/\n$/, '');
}

const readText = async (address: string) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
};

export function startCopying(): void {
  for (const figure of all('figure:is(.code, .prompt)')) {
    const button = element('button', { type: 'button', class: 'copy-button' }, word('copy'));
    button.addEventListener('click', () => copy(codeOf(figure)));
    figure.append(button);
  }
  onClick('a.anchor', (anchor) => void copy((anchor as HTMLAnchorElement).href));
  onClick('[data-copy-from]', ({ dataset: { copyFrom = '' } }) => void copy(readText(copyFrom)));
  onClick('[data-print]', () => print());
}

/** Images that are shown smaller than they are open in full. */
export function startZooming(): void {
  const zoom = (image: HTMLImageElement) => {
    const large = element('img', { src: image.currentSrc || image.src, alt: image.alt });
    const dialog = openDialog('zoomed', image.alt || word('zoom'), large);
    large.addEventListener('click', () => dialog.close());
  };
  const offer = (image: HTMLImageElement) => {
    if (image.naturalWidth <= image.clientWidth * 1.2 || image.closest('a')) return;
    image.classList.add('zoomable');
    image.tabIndex = 0;
    image.setAttribute('role', 'button');
    image.setAttribute('aria-label', [word('zoom'), image.alt].filter(Boolean).join(': '));
    image.addEventListener('click', () => zoom(image));
    image.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      zoom(image);
    });
  };
  for (const image of all<HTMLImageElement>('.body figure img'))
    if (image.complete) offer(image);
    else image.addEventListener('load', () => offer(image), { once: true });
}

const minFilteredRows = 20;

/** Long tables get a field that leaves the rows with a text. */
export function startTableFilters(): void {
  for (const table of all<HTMLTableElement>('.body table')) {
    const rows = [...table.tBodies].flatMap(({ rows: some }) => [...some]);
    if (rows.length <= minFilteredRows) continue;
    const name = word('tableFilter');
    const field = element('input', { type: 'search', class: 'table-filter', 'aria-label': name, placeholder: name });
    field.addEventListener('input', () => {
      const wanted = field.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !(row.textContent ?? '').toLowerCase().includes(wanted);
    });
    (table.closest('.table-wrap') ?? table).before(field);
  }
}

/** Updates with the chosen tag; the field is hidden until a script makes it work. */
export function startUpdateFilters(): void {
  for (const form of all('.update-filter')) {
    const [choice] = all<HTMLSelectElement>('select', form);
    form.hidden = false;
    choice?.addEventListener('change', () => {
      for (const update of all('.update', form.parentElement ?? form))
        update.hidden = choice.value !== '' && !(update.dataset.tags ?? '').split(' ').includes(choice.value);
    });
  }
}
