import { apiError } from '../../../../../shared/errors/errors.js';
import type { TaskFailure } from '../../../../../shared/workers/workers.js';
import { openShownTexts } from './shown-texts.js';
import { type TextsOfSpace, textsHtml } from './text-html.js';

const failure = (kind: TaskFailure['failure']) => Object.assign(apiError('UNAVAILABLE', 'no'), { failure: kind });

/** Shows texts here, and notes what each task was for; it fails for a task with a text that `fails` names. */
function shownTexts(fails: (markdown: string) => TaskFailure['failure'] | undefined = () => undefined) {
  const tasks: string[][] = [];
  const show = openShownTexts(async (asked) => {
    const given = asked.texts.map((text) => ('markdown' in text ? text.markdown : ''));
    tasks.push(given);
    for (const each of given) {
      const kind = fails(each);
      if (kind) throw failure(kind);
    }
    return textsHtml(asked);
  });
  const html = async (markdown: string[], space = 'docs') =>
    (await show({ texts: markdown.map((each) => ({ markdown: each })), space } as TextsOfSpace, 'acme')).map(
      (text) => text.html,
    );
  return { html, tasks };
}

it('makes a text once, whatever list it stands in', async () => {
  const { html, tasks } = shownTexts();
  expect(await html(['a', 'b', 'a'])).toEqual(['<p>a</p>', '<p>b</p>', '<p>a</p>']);
  expect(await html(['c', 'b'])).toEqual(['<p>c</p>', '<p>b</p>']);
  expect(tasks).toEqual([['a', 'b'], ['c']]);
  await html(['b'], 'other');
  expect(tasks.at(-1)).toEqual(['b']);
});

it('makes a long list in parts that are bounded together', async () => {
  const { html, tasks } = shownTexts();
  const long = Array.from({ length: 100 }, (_, at) => `${at} ${'word '.repeat(3990)}`);
  expect((await html(long)).map((each, at) => each.startsWith(`<p>${at} word`))).toEqual(long.map(() => true));
  for (const task of tasks) expect(task.join('').length).toBeLessThanOrEqual(50_000);
  expect(tasks.flat()).toEqual(long);
});

it.each(['deadline', 'memory'] as const)(
  'shows one that ends by its %s as it is written, and all others',
  async (kind) => {
    const { html, tasks } = shownTexts((markdown) => (markdown === '**much** <b>' ? kind : undefined));
    const expected = ['<p>a</p>', '<p>**much** &lt;b&gt;</p>', '<p>b</p>'];
    expect(await html(['a', '**much** <b>', 'b'])).toEqual(expected);
    const made = tasks.length;
    expect(await html(['a', '**much** <b>', 'b'])).toEqual(expected);
    expect(tasks.length).toBe(made);
  },
);

it('shows texts as they are written while the machine is busy, and tries them again', async () => {
  const failing: { kind: TaskFailure['failure'] | undefined } = { kind: 'busy' };
  const { html } = shownTexts(() => failing.kind);
  expect(await html(['**a**'])).toEqual(['<p>**a**</p>']);
  failing.kind = undefined;
  expect(await html(['**a**'])).toEqual(['<p><strong>a</strong></p>']);
});

it('hides no fault', async () => {
  const show = openShownTexts(() => Promise.reject(new Error('a fault')));
  await expect(show({ texts: [{ markdown: 'a' }], space: 'docs' }, 'acme')).rejects.toThrow('a fault');
});
