/** How a page that is dropped stands to the row below the pointer. */
type How = 'before' | 'into' | 'after';

const list = document.querySelector<HTMLElement>('[data-tree]');
const form = document.querySelector<HTMLFormElement>('form.move-form');

/** Sends the form that moves a page: the screen comes back with the tree as it is then. */
function move(page: string, how: string, target = ''): void {
  if (!form) return;
  for (const [name, value] of Object.entries({ page, how, target })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
  form.submit();
}

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-page]') : null;
const pageOf = (row: HTMLElement): string => row.dataset.page ?? '';

function howAt(row: HTMLElement, y: number): How {
  const { top, height } = row.getBoundingClientRect();
  const part = (y - top) / height;
  if (row.dataset.holds === undefined) return part < 0.5 ? 'before' : 'after';
  if (part < 0.3) return 'before';
  return part > 0.7 ? 'after' : 'into';
}

function moveByDragging(rows: HTMLElement): void {
  let dragged: HTMLElement | null = null;
  let marked: HTMLElement | null = null;
  const mark = (row: HTMLElement | null, how?: How) => {
    marked?.classList.remove('drop-before', 'drop-into', 'drop-after');
    if (how) row?.classList.add(`drop-${how}`);
    marked = row;
  };
  for (const row of rows.querySelectorAll<HTMLElement>('[data-page]')) row.draggable = true;
  rows.addEventListener('dragstart', (event) => {
    dragged = rowOf(event.target);
    if (!dragged || !event.dataTransfer) return;
    dragged.classList.add('dragged');
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', dragged.textContent?.trim() ?? '');
  });
  rows.addEventListener('dragover', (event) => {
    const row = rowOf(event.target);
    if (!dragged || !row || row === dragged) return mark(null);
    event.preventDefault();
    mark(row, howAt(row, event.clientY));
  });
  rows.addEventListener('drop', (event) => {
    const row = rowOf(event.target);
    if (!dragged || !row || row === dragged) return;
    event.preventDefault();
    move(pageOf(dragged), howAt(row, event.clientY), pageOf(row));
  });
  rows.addEventListener('dragend', () => {
    dragged?.classList.remove('dragged');
    dragged = null;
    mark(null);
  });
}

const directions: Record<string, string> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };
/** In texts from the right, the key that deepens a page is the other one. */
const mirrored: Record<string, string> = { ...directions, ArrowRight: 'out', ArrowLeft: 'in' };

function moveByKeys(rows: HTMLElement): void {
  rows.addEventListener('keydown', (event) => {
    const row = rowOf(event.target);
    if (!row) return;
    const how = (document.dir === 'rtl' ? mirrored : directions)[event.key];
    if (how === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.altKey) {
      event.preventDefault();
      return move(pageOf(row), how);
    }
    const next =
      event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null;
    if (!next) return;
    event.preventDefault();
    next.querySelector('a')?.focus();
  });
}

if (list) {
  moveByDragging(list);
  // The screen that comes back after a move leads to the page by its address, so that it has the focus, and the next key moves it on.
  moveByKeys(list);
}
