import { markdownUrl } from './links.js';
import { markdownIndex, markdownPage } from './markdown-page.js';

describe('a page as Markdown', () => {
  it('is the text and nothing else, and names the page that it is of', () => {
    const { headers, body } = markdownPage({ markdown: '# Hé\n\nText', url: 'https://docs.example.com/hé' });
    expect(body).toBe('# Hé\n\nText\n');
    expect(headers).toEqual({
      'Content-Type': 'text/markdown; charset=utf-8',
      'X-Robots-Tag': 'noindex',
      Link: '<https://docs.example.com/h%C3%A9>; rel="canonical"',
    });
  });

  it('has headers that no address can break', () => {
    const { headers } = markdownPage({ markdown: '', url: 'https://a.example/\r\nX: y>; rel="z"' });
    expect(headers.Link).toMatch(/^<https:\/\/a\.example\/X:%20y%3E;%20rel=%22z%22>; rel="canonical"$/);
    expect(markdownPage({ markdown: '', url: 'nowhere' }).headers.Link).toBeUndefined();
  });

  it('has the address of the page with .md', () => {
    expect(markdownUrl('https://docs.example.com/guides/install?a=/#b')).toBe(
      'https://docs.example.com/guides/install.md?a=/#b',
    );
    expect(markdownUrl('https://docs.example.com/')).toBe('https://docs.example.com/index.md');
  });
});

it('the index of a tree links to its pages as they stand', () => {
  const url = 'https://docs.example.com/a';
  const pages = [
    { title: 'A', url, depth: 0, description: 'First' },
    { title: 'B', url, depth: 1 },
  ];
  expect(markdownIndex({ title: 'Acme', description: 'Anvils', pages })).toBe(
    `# Acme\n\n> Anvils\n\n- [A](${url}): First\n  - [B](${url})\n`,
  );
  expect(markdownIndex({ title: '', pages: [] })).toBe('# Untitled\n');
});
