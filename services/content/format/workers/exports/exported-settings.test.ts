import type { ListedPage } from '../../space/summary/listed-pages.js';
import { exportedSettings } from './exported-settings.js';

const page = (title: string, file?: string, ...pages: ListedPage[]): ListedPage => ({
  type: 'document',
  title,
  slug: title.toLowerCase(),
  ...(file && { file }),
  pages,
});

/** The table of contents of a space whose former files nobody knows, as an archive has it. */
function exported(text: string, pages: ListedPage[], files: string[]): string {
  const settings = { directory: '', pages, own: files, files, variables: {} };
  return exportedSettings({ ...settings, texts: new Map([['SUMMARY.md', text]]) }).get('SUMMARY.md') ?? text;
}

describe('a table of contents of which nobody knows what files it was written for', () => {
  const text = '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Install](install.md)\n* [Last](last.md)\n';

  it('is the same where it is exported, imported and exported again', () => {
    const files = ['README.md', 'install.md', 'last.md'];
    const link: ListedPage = { type: 'link', title: 'Again', slug: '', target: { file: 'install.md' }, pages: [] };
    const group: ListedPage = { type: 'group', title: 'Reference', slug: 'reference', pages: [link] };
    const pages = [page('Install', 'install.md'), page('Home', 'README.md'), page('Last', 'last.md'), group];
    const whole = `${text}\n## Reference\n\n* [Again](install.md)\n`;
    const made = exported(whole, pages, files);
    expect(made).not.toContain('guide.md');
    expect(exported(made, pages, files)).toBe(made);
  });

  it('stays as it is where it lists the pages', () => {
    const files = ['README.md', 'guide.md', 'install.md', 'last.md'];
    const pages = [
      page('Home', 'README.md'),
      page('Guide', 'guide.md', page('Install', 'install.md')),
      page('Last', 'last.md'),
    ];
    expect(exported(text, pages, files)).toBe(text);
  });
});
