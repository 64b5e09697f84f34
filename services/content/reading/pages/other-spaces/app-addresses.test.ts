import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { type NamedPlace, placeAtLink, placeAtUrl } from './app-addresses.js';

const base = 'https://docs.example.com/bindery';
const place = (page: string, anchor?: string): NamedPlace => ({ space: 'S1', page, anchor });

test.each<[string, NamedPlace | undefined]>([
  [`${base}/app/s/S1`, place('')],
  [`${base}/app/s/S1/`, place('')],
  [`${base}/app/s/S1?a=1#b`, place('', 'b')],
  [`${base}/app/s/S1/guide/a%20b?c=/d#e?f#g`, place('guide/a b', 'e?f#g')],
  [`${base}/app/s/S1/50%`, place('50%')],
  [`${base}/app/s/S-1/guide`, undefined],
  [`${base}/app/s/${'S'.repeat(41)}`, undefined],
  [`${base}/app/s/`, undefined],
  [`${base}/app/o/S1`, undefined],
  [`${base}/app/s`, undefined],
  ['https://docs.example.com/app/s/S1/guide', undefined],
  ['/app/s/S1/guide', undefined],
])('the address %s names a place in a space, or nothing', (url, expected) => {
  expect(placeAtUrl(base, url)).toEqual(expected);
});

test.each<[string, NamedPlace | undefined]>([
  ['/spaces/S1/pages/P1', place('P1')],
  ['/spaces/S1/pages/guide/install/?a=1#b', place('guide/install/', 'b')],
  ['/spaces/S1/pages/', undefined],
  ['/spaces/S1', undefined],
  ['/spaces/S1/other/P1', undefined],
  ['spaces/S1/pages/P1', undefined],
  ['/pages/P1', undefined],
])('the link %s names a page of a space, or nothing', (link, expected) => {
  expect(placeAtLink(link)).toEqual(expected);
});

test.each([
  ['slashes', '/'],
  ['questions', '?'],
  ['hashes', '#'],
  ['signs that are not decoded', '%'],
])('an address of many %s takes time by its length only', (_, part) => {
  expectLinear((length) => {
    expect(placeAtUrl(base, `${base}/app/s/S1/${part.repeat(length)}`)?.space).toBe('S1');
    expect(placeAtLink(`/spaces/S1/pages/${part.repeat(length)}`)?.space).toBe('S1');
  }, 250_000);
});
