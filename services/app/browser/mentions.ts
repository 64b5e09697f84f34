interface Person {
  id: string;
  name: string;
}

/** A name that is being written behind an `@`. */
const beginning = /(?:^|\s)@([\p{L}\p{N}][\p{L}\p{N} .'-]{0,40})?$/u;

/** Completes the names of people in the texts that name an address for it. */
export function completeMentions(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLTextAreaElement && target.dataset.people) void offer(target, target.dataset.people);
  });
}

let asked = 0;

async function offer(area: HTMLTextAreaElement, address: string): Promise<void> {
  asked += 1;
  const turn = asked;
  const found = beginning.exec(area.value.slice(0, area.selectionStart));
  const people = found ? await peopleLike(address, found[1] ?? '') : [];
  // Somebody went on writing meanwhile.
  if (turn === asked) show(area, people);
}

async function peopleLike(address: string, name: string): Promise<Person[]> {
  const answer = await fetch(`${address}?q=${encodeURIComponent(name.trim())}`).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as { people: Person[] }).people : [];
}

function show(area: HTMLTextAreaElement, people: Person[]): void {
  close(area);
  if (people.length === 0) return;
  const list = document.createElement('ul');
  list.className = 'people';
  list.id = `${area.id}-people`;
  list.setAttribute('role', 'listbox');
  for (const [at, person] of people.entries()) list.append(optionFor(area, person, at));
  area.after(list);
  area.setAttribute('aria-controls', list.id);
  select(area, 0);
  area.onkeydown = (event) => press(area, people, event);
  area.onblur = () => close(area);
}

function optionFor(area: HTMLTextAreaElement, person: Person, at: number): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `${area.id}-person-${at}`;
  option.setAttribute('role', 'option');
  option.textContent = person.name;
  // Before the text loses the focus.
  option.onmousedown = (event) => {
    event.preventDefault();
    take(area, person);
  };
  return option;
}

const optionsOf = (area: HTMLTextAreaElement): HTMLElement[] => [
  ...(area.parentElement?.querySelectorAll<HTMLElement>('.people > li') ?? []),
];

const chosenIn = (area: HTMLTextAreaElement): number =>
  optionsOf(area).findIndex((option) => option.getAttribute('aria-selected') === 'true');

function select(area: HTMLTextAreaElement, wanted: number): void {
  const options = optionsOf(area);
  const at = (wanted + options.length) % options.length;
  for (const [each, option] of options.entries()) option.setAttribute('aria-selected', String(each === at));
  area.setAttribute('aria-activedescendant', options[at]?.id ?? '');
}

function press(area: HTMLTextAreaElement, people: Person[], event: KeyboardEvent): void {
  const person = people[chosenIn(area)];
  if (event.key === 'ArrowDown') select(area, chosenIn(area) + 1);
  else if (event.key === 'ArrowUp') select(area, chosenIn(area) - 1);
  else if (event.key === 'Escape') close(area);
  else if ((event.key === 'Enter' || event.key === 'Tab') && person) take(area, person);
  else return;
  event.preventDefault();
}

/** Puts a mention in place of what was written of the name. */
function take(area: HTMLTextAreaElement, { id, name }: Person): void {
  const before = area.value.slice(0, area.selectionStart);
  const [whole = ''] = beginning.exec(before) ?? [];
  const start = before.length - whole.trimStart().length;
  const mention = `[@${name.replace(/[\\[\]()*_`<>~]/g, '')}](/users/${id}) `;
  area.setRangeText(mention, start, area.selectionStart, 'end');
  close(area);
}

function close(area: HTMLTextAreaElement): void {
  area.parentElement?.querySelector('.people')?.remove();
  for (const name of ['aria-controls', 'aria-activedescendant']) area.removeAttribute(name);
  area.onkeydown = null;
  area.onblur = null;
}
