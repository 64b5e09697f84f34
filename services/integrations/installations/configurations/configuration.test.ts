import type { ConfigurationSchema } from '../../catalogue/resources.js';
import { checkConfiguration, defaultsOfSchema, statusOf } from './configuration.js';

const schema: ConfigurationSchema = {
  properties: {
    key: { type: 'string' },
    region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    limit: { type: 'number', default: 3 },
    loud: { type: 'boolean', default: false },
    login: { type: 'button', callback_url: '/oauth', button_text: 'Sign in' },
  },
  required: ['key', 'login'],
};
const many: ConfigurationSchema = {
  properties: { choice: { type: 'string', enum: Array.from({ length: 21 }, (_, at) => `${at}`) } },
};

describe('the status of an installation', () => {
  it.each<[string, ConfigurationSchema | undefined, Record<string, unknown>, string]>([
    ['is active without a schema', undefined, {}, 'active'],
    ['is active where nothing is required', { properties: {} }, {}, 'active'],
    ['is pending while something required lacks', schema, { key: 'k' }, 'pending'],
    ['is pending while something required is empty', schema, { key: '', login: {} }, 'pending'],
    ['is pending while something required is null', schema, { key: null, login: {} }, 'pending'],
    ['is pending while a value has a type that a later version does not want', schema, { key: 1, login: 1 }, 'pending'],
    ['is pending while a value is none of the choices', schema, { key: 'k', login: 1, region: 'x' }, 'pending'],
    ['is active with everything required', schema, { key: 'k', login: { token: 't' } }, 'active'],
    ['is active with more than that', schema, { key: 'k', login: 1, region: 'us', other: [] }, 'active'],
    ['is pending until a component configured it', { componentId: 'configure' }, {}, 'pending'],
    ['is active once a component configured it', { componentId: 'configure' }, { any: 1 }, 'active'],
    ['does not take what every object has', { properties: {}, required: ['toString'] }, {}, 'pending'],
  ])('%s', (_, of, configuration, status) => {
    expect(statusOf(of, configuration)).toBe(status);
  });
});

describe('a configuration', () => {
  it.each<[string, ConfigurationSchema, Record<string, unknown>]>([
    ['configuration.key: must be a string', schema, { key: 1 }],
    ['configuration.key: must be a string', schema, { key: ['a'] }],
    ['configuration.limit: must be a number', schema, { limit: '3' }],
    ['configuration.loud: must be true or false', schema, { loud: 'yes' }],
    ['configuration.region: must be one of eu, us', schema, { region: 'asia' }],
    ['configuration.choice: must be one of its choices', many, { choice: 'x' }],
  ])('is refused: %s', (message, of, configuration) => {
    expect(() => checkConfiguration(of, configuration)).toThrow(message);
  });

  it.each<Record<string, unknown>>([
    {},
    { key: null, region: null },
    { key: '', region: '' },
    { login: { token: 't', scopes: ['a'] } },
    { unknown: { deep: [1, { of: 'any type' }] } },
  ])('may be %j', (configuration) => {
    expect(() => checkConfiguration(schema, configuration)).not.toThrow();
    expect(() => checkConfiguration({ componentId: 'any' }, configuration)).not.toThrow();
    expect(() => checkConfiguration(undefined, configuration)).not.toThrow();
  });

  it('begins with the defaults of what is declared', () => {
    expect(defaultsOfSchema(schema)).toEqual({ region: 'eu', limit: 3, loud: false });
    expect(defaultsOfSchema({ componentId: 'any' })).toEqual({});
    expect(defaultsOfSchema(undefined)).toEqual({});
  });
});
