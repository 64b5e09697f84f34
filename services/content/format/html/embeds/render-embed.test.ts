import { renderEmbed } from './render-embed.js';

const url = 'https://video.example/watch?v=1';
const rich = (html: string) => ({ type: 'rich', title: 'A <film>', site: 'Video', html });
const options = { url, fullWidth: false, clickToLoad: false };
const player =
  '<iframe src="https://player.example/1?a=1&amp;b=2" title="Film" width="640" height="360" sandbox="" onload="x()"></iframe>';

describe('an embed', () => {
  it('with a frame shows that, rebuilt, in the steps of its ratio', () => {
    const { html, frames } = renderEmbed(rich(player), options);
    expect(html).toContain(
      '<iframe class="web-frame ratio-16-9" src="https://player.example/1?a=1&amp;b=2" title="Film"',
    );
    expect(html).toMatch(/sandbox="[^"]*allow-scripts[^"]*".*loading="lazy"/);
    expect(html).not.toMatch(/onload|style=|top-navigation/);
    expect(frames).toEqual(['https://player.example']);
  });

  it('that is only high keeps its height', () => {
    const { html } = renderEmbed(rich('<iframe src="https://a.example/" height="150"></iframe>'), options);
    expect(html).toContain('class="web-frame height-160"');
  });

  it('is closed until the reader asks for it, where a site wants that', () => {
    const { html, frames } = renderEmbed(rich(player), { ...options, clickToLoad: true, fullWidth: true });
    expect(html).toMatch(/^<div class="embed wide"><details class="embed-gate"><summary>.*wloadEmbed.*A &lt;film>/);
    expect(html).not.toMatch(/<details[^>]* open/);
    expect(frames).toEqual(['https://player.example']);
  });

  it.each([
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe src="http://a.example/"></iframe>',
    '<iframe srcdoc="<script>x</script>"></iframe>',
    '<script>x</script>',
    '<iframe src="https://a@b.example/"></iframe>',
    '',
  ])('with %j is a link', (html) => {
    const made = renderEmbed(rich(html), options);
    expect(made.html).toMatch(
      /^<a class="embed-card external" href="https:\/\/video\.example\/watch\?v=1" rel="noopener">/,
    );
    expect(made.frames).toEqual([]);
  });

  it('of a page is a card with its title, site and icon', () => {
    const page = {
      type: 'link',
      title: 'Page',
      site: 'Site',
      url: 'https://a.example/p',
      icon: 'https://a.example/i.png',
    };
    expect(renderEmbed(page, options).html).toBe(
      '<a class="embed-card external" href="https://a.example/p" rel="noopener"><img class="embed-icon" src="https://a.example/i.png" alt width="20" height="20" loading="lazy" decoding="async"/><span class="embed-title">Page</span><span class="embed-site">Site</span></a>',
    );
    expect(renderEmbed(page, { ...options, clickToLoad: true }).html).not.toContain('<img');
  });

  it('leads nowhere by an active address', () => {
    const { html } = renderEmbed(
      { type: 'link', title: '', site: '', url: 'javascript:x' },
      { ...options, url: 'data:x' },
    );
    expect(html).not.toContain('href');
  });
});
