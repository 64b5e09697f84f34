import { ownAddress } from './own-address.js';

it.each([
  ['/app', '/app'],
  ['/app/o/x/search?q=a%20b&c#part', '/app/o/x/search?q=a%20b&c#part'],
  ['/app/€?q=€#€', '/app/%E2%82%AC?q=%E2%82%AC#%E2%82%AC'],
  ['/app?x=\n\r\t1', '/app?x=1'],
  ['/a b\u0000c', '/a%20b%00c'],
  ['/app/../saml/x', '/saml/x'],
  ['/app/%2e%2E/saml/x', '/saml/x'],
  ['/app/./x', '/app/x'],
  ['/app\\x', '/app/x'],
  ['/\ud800', '/%EF%BF%BD'],
])('%j is the address %s of this server', (given, address) => {
  expect(ownAddress(given)).toBe(address);
});

it.each([
  '',
  'app',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/.//evil.example',
  '/app/..//evil.example',
  '/%2e//evil.example',
  '//own:x/',
  '//[',
])('%j is none', (given) => {
  expect(ownAddress(given)).toBeNull();
});
