import { linkEmbed } from './link-embed.js';
import { knownOEmbed } from './providers.js';

describe('a link made from its address alone', () => {
  it.each([
    ['https://www.example.com/a%20b/c/?x=1#y', 'example.com/a b/c', 'example.com'],
    ['http://videos.example:8080', 'videos.example', 'videos.example'],
    ['https://a.example/%E0%A4%A', 'a.example/%E0%A4%A', 'a.example'],
  ])('%s', (url, title, site) => {
    expect(linkEmbed(url)).toEqual({ type: 'link', title, site, url });
  });

  it('has a title that is cut between characters', () => {
    const { title } = linkEmbed(`https://a.example/${'a'.repeat(189)}${encodeURIComponent('😀'.repeat(9))}`);
    expect([title.length, title.isWellFormed()]).toEqual([199, true]);
  });
});

describe('a known site', () => {
  it.each([
    ['https://www.youtube.com/watch?v=a&t=1', 'https://www.youtube.com/oembed'],
    ['https://youtu.be/a', 'https://www.youtube.com/oembed'],
    ['https://m.youtube.com/watch?v=a', 'https://www.youtube.com/oembed'],
    ['https://vimeo.com/1', 'https://vimeo.com/api/oembed.json'],
    ['https://codepen.io/a/pen/b', 'https://codepen.io/api/oembed'],
    ['https://open.spotify.com/track/a', 'https://open.spotify.com/oembed'],
    ['https://www.figma.com/file/a', 'https://www.figma.com/api/oembed'],
    ['https://www.loom.com/share/a', 'https://www.loom.com/v1/oembed'],
  ])('tells of %s at its endpoint', (address, endpoint) => {
    expect(knownOEmbed(address)).toBe(`${endpoint}?format=json&url=${encodeURIComponent(address)}`);
  });

  it.each(['https://example.com/youtube.com', 'https://youtube.com.example/a', 'https://notyoutube.com/a'])(
    'is not the one of %s',
    (address) => {
      expect(knownOEmbed(address)).toBeUndefined();
    },
  );
});
