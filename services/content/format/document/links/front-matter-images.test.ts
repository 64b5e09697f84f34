import { frontMatterImagePlaces } from './front-matter-images.js';

describe('images in front matter', () => {
  it('are found where they are written', () => {
    const source =
      '---\ntitle: A\ncover: ../img/a b.png\ncoverDark: "img/dark"\ncoverY: 3\nsocial:\n  image: og.JPG # note\n  also: [x.svg, page.md]\nicon: bolt\nempty: ""\n---\n\n![](body.png)\n';
    expect(
      frontMatterImagePlaces(source).map(({ kind, url, from, to }) => [kind, url, source.slice(from, to)]),
    ).toEqual([
      ['image', '../img/a b.png', '../img/a b.png'],
      ['image', 'img/dark', 'img/dark'],
      ['image', 'og.JPG', 'og.JPG'],
      ['image', 'x.svg', 'x.svg'],
    ]);
  });

  it.each(['', 'Text', '---\n- a.png\n---\n', '---\ncover: {\n---\n', '---\ncover: data:image/png;base64,AAAA\n---\n'])(
    'are none in %j',
    (source) => expect(frontMatterImagePlaces(source)).toEqual([]),
  );
});
