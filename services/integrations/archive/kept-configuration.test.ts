import { keptConfiguration } from './kept-configuration.js';

const properties = {
  region: { type: 'string' as const, enum: ['eu', 'us'] },
  'Token type': { type: 'string' as const, enum: ['bearer'] },
  project: { type: 'string' as const, title: 'Project' },
  keyword: { type: 'string' as const },
  limit: { type: 'number' as const },
  use_token: { type: 'boolean' as const },
  url: { type: 'string' as const, title: 'URL' },
};
const kept = (configuration: Record<string, unknown>, more = {}) =>
  keptConfiguration({ properties: { ...properties, ...more } }, configuration);

it('values that are declared stay', () => {
  const configuration = {
    region: 'eu',
    'Token type': 'bearer',
    project: 'docs',
    keyword: 'a',
    limit: 3,
    use_token: true,
    url: 'https://example.com/?a=b',
  };
  expect(kept(configuration)).toEqual(configuration);
});

it.each([
  'token',
  'apiToken',
  'API_KEY',
  'apikey',
  'writeKey',
  'key',
  'Private key',
  'privateKey',
  'clientSecret',
  'db-password',
  'PWD',
  'credentials',
  'slack_webhook_url',
  'session cookie',
  'JWT',
])('text and numbers with the name or the title "%s" are left out', (name) => {
  for (const [type, value] of [['string', 'a'] as const, ['number', 1] as const]) {
    expect(kept({ [name]: value }, { [name]: { type } })).toEqual({});
    expect(kept({ x: value }, { x: { type, title: name } })).toEqual({});
  }
});

it.each([
  ['nothing declares', { other: 'a', oauth_credentials: { access_token: 'a' } }],
  ['a prototype has', { constructor: 'a', toString: 'b' }],
  ['have another type', { project: { a: 1 }, limit: '3', use_token: 'true' }],
  ['are no choice', { region: 'a secret', 'Token type': 'a secret' }],
  ['hold a password', { url: 'https://somebody:secret@example.com/' }],
])('values that %s are left out', (_, configuration) => {
  expect(kept(configuration)).toEqual({});
});

it('values of buttons, and all of a component, are left out', () => {
  const button = { type: 'button', callback_url: '/oauth', button_text: 'Sign in' };
  expect(kept({ login: 'a' }, { login: button })).toEqual({});
  expect(keptConfiguration({ componentId: 'configure' }, { project: 'docs' })).toEqual({});
  expect(keptConfiguration(undefined, { project: 'docs' })).toEqual({});
});
