import { SaxesParser } from 'saxes';
import { bookIcon } from '../../../shared/assets/pictures.js';
import { emojiFavicon, emojiText } from './favicon.js';

/** The text of an SVG; throws where it is not well-formed. */
function textOf(svg: string): string {
  let text = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.write(svg).close();
  return text;
}

it('draws an emoji given as such or by its code points', () => {
  expect(textOf(emojiFavicon('💥'))).toBe('💥');
  expect(textOf(emojiFavicon('1f4a5'))).toBe('💥');
  expect(textOf(emojiFavicon('1f468-200d-1f4bb'))).toBe('👨‍💻');
  expect(emojiText('🇩🇪')).toBe('🇩🇪');
});

it.each(['"><script>alert(1)</script>', 'ffffff-d800', '00-01', '\u0000', '', '&amp;', '\ud800'])(
  'stays well-formed with %j',
  (hostile) => {
    const svg = emojiFavicon(hostile);
    expect(() => textOf(svg)).not.toThrow();
    expect(svg).not.toContain('<script');
  },
);

it('has an icon of its own', () => {
  expect(() => textOf(bookIcon)).not.toThrow();
});
